import { useState } from 'react'
import { Check, X } from 'lucide-react'
import type { ConnectionTest, ConsoleEnrolment, QueueSettings } from '../../shared/views.ts'
import { trpc, useMay, useMe } from '../app/index.ts'
import { Button, Clock, ErrorNotice, Panel, useAction, useLatest, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { DeadLetterPanel } from './dead-letters.tsx'

const text = words.settings.queues

/**
 * Which queues this console reads and writes, and whether they answer. What only an admin can do something about is folded
 * away for everybody else, but for a console that waits to be approved.
 */
export function Queues() {
  const manages = useMay('directory.manage')
  const enrolment = useLatest<ConsoleEnrolment>((on) => trpc.settings.enrolment.subscribe(undefined, on), [])
  // Approved meanwhile, it stays where it was read.
  const [waited, setWaited] = useState(false)
  if (enrolment?.state === 'waiting' && !waited) setWaited(true)
  const own = enrolment && <Enrolment enrolment={enrolment} />
  if (manages)
    return (
      <>
        <QueueFacts />
        <DeadLetterPanel />
        {own}
        <Test />
      </>
    )
  return (
    <>
      {waited && own}
      <Test />
      <details>
        <summary className="min-h-6 font-semibold">{text.about}</summary>
        <div className="mt-3 flex flex-col gap-4">
          <p className="text-ink-soft">{text.aboutText}</p>
          <QueueFacts />
          <DeadLetterPanel />
          {!waited && own}
        </div>
      </details>
    </>
  )
}

function QueueFacts() {
  const { desk } = useMe()
  const settings = useQuery<QueueSettings>(['settings', 'queues'], () => trpc.settings.queues.query())
  return (
    <Panel title={text.title}>
      {settings.error && <ErrorNotice error={settings.error} onRetry={settings.refetch} />}
      {settings.data && <Facts settings={settings.data} />}
      {desk && !window.desk && <p className="mt-3 text-ink-soft">{words.signIn.stays}</p>}
    </Panel>
  )
}

type Fact = [name: string, value: string]

function Facts({ settings }: { settings: QueueSettings }) {
  const mode: Fact = [text.modeLabel, text.mode[settings.mode]]
  const queues: Fact[] = [
    [text.events, settings.events_queue],
    [text.acks, settings.acks_queue ?? text.noAcks],
    [text.endpoint, settings.endpoint ?? text.standardEndpoint],
    [text.region, settings.region ?? words.common.unknown],
    [text.retention, settings.retention_days === null ? words.common.unknown : text.days(settings.retention_days)],
  ]
  if (settings.from_environment.length > 0) queues.push([text.environment, settings.from_environment.join(', ')])
  if (settings.mode === 'district') return <FactList facts={[mode, ...queues]} />
  return (
    <>
      <FactList facts={[mode]} />
      <details className="mt-3">
        <summary>{text.internal}</summary>
        <p className="my-2 text-ink-soft">{text.internalText}</p>
        <FactList facts={queues} />
      </details>
    </>
  )
}

function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-1 narrow:grid-cols-[12rem_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-faint">{name}</dt>
          <dd className="min-w-0 break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Whether the school knows this console, and the fingerprint by which an admin knows it. */
function Enrolment({ enrolment }: { enrolment: ConsoleEnrolment }) {
  const { fingerprint, state, since } = enrolment
  return (
    <Panel title={text.enrolment.title}>
      <dl className="grid gap-x-4 gap-y-1 narrow:grid-cols-[12rem_1fr]">
        <dt className="text-ink-faint">{text.enrolment.label}</dt>
        <dd className="font-semibold tabular-nums select-all">{fingerprint}</dd>
        {since !== null && (
          <>
            <dt className="text-ink-faint">{text.enrolment.since}</dt>
            <dd>
              <Clock at={since} />
            </dd>
          </>
        )}
      </dl>
      <p role="status" className="mt-2 text-ink-soft">
        {text.enrolment.state[state]}
      </p>
    </Panel>
  )
}

function Test() {
  const test = useAction<void, ConnectionTest>(() => trpc.settings.testConnection.mutate())
  return (
    <Panel
      title={text.testTitle}
      aside={
        <Button busy={test.busy} onClick={() => void test.run()}>
          {test.busy ? text.testing : text.test}
        </Button>
      }
    >
      <div role="status">
        {test.error && <ErrorNotice error={test.error} />}
        {!test.result && !test.error && <p className="text-ink-soft">{text.testHint}</p>}
        {test.result && (
          <>
            <p className="mb-2 font-semibold">{test.result.ok ? text.passed : text.failed}</p>
            <ol className="flex flex-col gap-1.5">
              {test.result.steps.map((step) => (
                <li key={step.name} className="grid grid-cols-[auto_1fr] gap-x-2">
                  {step.ok ? (
                    <Check size={16} className="mt-0.5" aria-label={text.ok} role="img" />
                  ) : (
                    <X size={16} className="mt-0.5 text-crisis" aria-label={text.notOk} role="img" />
                  )}
                  <div>
                    <p>
                      <span className="font-semibold">{step.name}</span>
                      <span className="text-ink-soft"> · {step.detail}</span>
                    </p>
                    {step.todo && <p className="text-ink-soft">{step.todo}</p>}
                  </div>
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </Panel>
  )
}
