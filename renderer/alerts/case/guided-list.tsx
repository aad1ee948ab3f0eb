/** The school’s steps for this alert, each done by one press; who did which, and when. */
import { useRef } from 'react'
import { Check } from 'lucide-react'
import type { AlertDetail, StepView } from '../../../shared/views.ts'
import { trpc, useMay } from '../../app/index.ts'
import { Button, ErrorNotice, Panel, useAction, whenText } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { useDid } from './did.ts'

const text = words.case.steps

/** By which a step is found on screen, to go to it. */
export const stepElementId = (step: string): string => `step-${step}`

/** Before anybody acknowledged it, the list can be read and is folded: the alert itself comes first. */
export function GuidedList({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  const { steps } = alert
  const begun = alert.acknowledged !== null || steps.some(({ done }) => done !== null)
  if (!begun)
    return steps.length === 0 ? null : (
      <details className="rounded border bg-surface px-3 py-2">
        <summary className="min-h-6 font-semibold">{text.before(steps.length)}</summary>
        <List alert={alert} refetch={refetch} />
      </details>
    )
  const done = steps.filter((step) => step.done !== null).length
  return (
    <Panel
      title={text.title}
      aside={steps.length > 0 && <span className="text-ink-soft">{text.progress(done, steps.length)}</span>}
    >
      {steps.length === 0 ? <p className="text-ink-soft">{text.none}</p> : <List alert={alert} refetch={refetch} />}
    </Panel>
  )
}

function List({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  return (
    <ol aria-label={text.title} className="flex flex-col divide-y">
      {alert.steps.map((step) => (
        <Step key={`${alert.key} ${step.id}`} alert={alert} step={step} refetch={refetch} />
      ))}
    </ol>
  )
}

/** Each is marked on its own: while one is on its way, the next press is not lost. */
function Step({ alert, step, refetch }: { alert: AlertDetail; step: StepView; refetch: () => void }) {
  const mayAct = useMay('student_records.keep')
  const did = useDid(alert, refetch)
  const row = useRef<HTMLLIElement>(null)
  const mark = useAction(
    () => trpc.alerts.stepDone.mutate({ key: alert.key, step: step.id }),
    (recorded) => {
      did(text.did(step.title))(recorded)
      // The button goes when the step is done: the focus stays with the step, unless it has moved on.
      if (row.current?.contains(document.activeElement)) row.current.focus()
    },
  )
  const canMark = mayAct && alert.state !== 'resolved'
  return (
    <li
      ref={row}
      id={stepElementId(step.id)}
      tabIndex={-1}
      className="grid grid-cols-[1fr_auto] items-start gap-x-3 py-1.5"
    >
      <div className="min-w-0">
        <p>
          <span className="font-semibold">{step.title}</span>
          {step.required && <span className="text-ink-soft"> · {text.required}</span>}
        </p>
        {step.hint !== '' && !step.done && <p className="text-ink-soft">{step.hint}</p>}
        {step.done && (
          <p className="flex items-center gap-1.5 text-ink-soft">
            <Check size={14} aria-hidden="true" className="shrink-0" />
            {text.done(step.done.by_name, whenText(step.done.at))}
          </p>
        )}
      </div>
      {canMark && !step.done && (
        <Button aria-label={text.markStep(step.title)} busy={mark.busy} onClick={() => void mark.run(undefined)}>
          {text.mark}
        </Button>
      )}
      {mark.error && (
        <div className="col-span-2">
          <ErrorNotice error={mark.error} />
        </div>
      )}
    </li>
  )
}
