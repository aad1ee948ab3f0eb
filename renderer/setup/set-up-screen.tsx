/** The set-up inside the console: at the demonstration its beginning, at the new desk what comes after. */
import { useState } from 'react'
import { goTo, useMay, useMe } from '../app/index.ts'
import { Button, EmptyState } from '../controls/index.ts'
import { ChatKeys, CrisisResourcesPanel, RosterImport, useChecklist } from '../settings/index.ts'
import { words } from '../words/index.ts'
import { FirstSteps } from './first-steps.tsx'
import { Frame } from './frame.tsx'

const text = words.setUp
const later = ['roster', 'chat', 'resources'] as const
type Later = (typeof later)[number]

export function SetUpScreen() {
  const me = useMe()
  const manages = useMay('desk.manage')
  if (!me.may_set_up && !(me.desk && manages)) return <EmptyState title={text.onlyAdmin} />
  return (
    <div className="mx-auto w-full max-w-2xl p-4 narrow:p-6">
      <h1 className="mb-4 text-large">{me.may_set_up ? text.title : text.titleAfter(me.school_name)}</h1>
      {me.may_set_up ? <FirstSteps /> : <LaterSteps />}
    </div>
  )
}

const panels = { roster: RosterImport, chat: ChatKeys, resources: CrisisResourcesPanel }

function LaterSteps() {
  const [at, setAt] = useState(0)
  const { data } = useChecklist()
  const isDone = (of: Later) => data?.steps.some((each) => each.step === of && each.done) ?? false
  const step: Later | undefined = later[at]
  if (step === undefined)
    return (
      data && (
        <Finished
          somebodyReads={data.steps.some(({ step: each, done }) => each === 'people' && done)}
          asksPassphrase={data.asks_passphrase}
        />
      )
    )
  const StepPanel = panels[step]
  return (
    <Frame step={step} skipped={later.filter((of) => !isDone(of))}>
      <p className="mb-3 text-ink-soft">{text[step]}</p>
      <StepPanel />
      <div className="mt-4 flex gap-2">
        {at > 0 && <Button onClick={() => setAt(at - 1)}>{text.back}</Button>}
        <Button look={isDone(step) ? 'primary' : 'plain'} onClick={() => setAt(at + 1)}>
          {!isDone(step) ? text.skip : step === later.at(-1) ? text.finish : text.next}
        </Button>
      </div>
    </Frame>
  )
}

/** The end of the set-up: what is missing before anybody is helped comes first. */
function Finished({ somebodyReads, asksPassphrase }: { somebodyReads: boolean; asksPassphrase: boolean }) {
  const { nobodyReads, afterRestart } = text
  return (
    <EmptyState
      title={somebodyReads ? text.finished : nobodyReads.title}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {!somebodyReads && (
            <Button look="primary" autoFocus onClick={() => goTo('settings', 'people')}>
              {nobodyReads.add}
            </Button>
          )}
          <Button look={somebodyReads ? 'primary' : 'plain'} autoFocus={somebodyReads} onClick={() => goTo('alerts')}>
            {text.openAlerts}
          </Button>
          <Button onClick={() => goTo('settings', 'on-call')}>{text.seeNoAnswer}</Button>
        </div>
      }
    >
      {!somebodyReads && <p className="mb-2">{nobodyReads.text}</p>}
      <p className="mb-2">{asksPassphrase ? afterRestart.passphrase : afterRestart.unattended}</p>
      <p className="mb-2">{text.noAnswer}</p>
      <p>{text.finishedText}</p>
    </EmptyState>
  )
}
