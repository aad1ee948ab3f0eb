/** Calls: what came of those to one person, and logging another. An attempt is no outcome of the alert. */
import { useState } from 'react'
import { contactOutcomeSchema, type ContactOutcome } from '../../../shared/actions.ts'
import type { AlertDetail } from '../../../shared/views.ts'
import { ActionForm, trpc, useMay } from '../../app/index.ts'
import { Button, Field, forget, Panel, Select, TextField, useAction, useDraft, whenText } from '../../controls/index.ts'
import { markStepDoneBy } from '../../student-records/index.ts'
import { words } from '../../words/index.ts'
import { attemptSummaries, isSamePerson, needsName, whomToCall, type AttemptSummary, type Called } from './attempts.ts'
import { useDid } from './did.ts'
import { caseDraftOf } from './draft.ts'

const text = words.case.attempts

/** What a person is called where the record has no name of theirs. */
const nameOf = ({ contact, who }: Called): string => who || text.kinds[contact]

/** “R. Lim (Guardian)”, and the kind alone where there is no name. */
const choiceText = ({ contact, who }: Called): string =>
  who === '' || who.toLowerCase() === text.kinds[contact].toLowerCase()
    ? text.kinds[contact]
    : text.choice(who, text.kinds[contact])

/** “Mother: no answer, 2 ×, last 10:42” */
function summaryText(summary: AttemptSummary): string {
  return text.summary(
    nameOf(summary),
    summary.outcomes.map(({ outcome, count }) => text.times(words.alerts.contactOutcome[outcome], count)),
    whenText(summary.last_at),
  )
}

/** The calls to one person, and a button to log another; it stands wherever their number does. */
export function ContactAttempts({
  alert,
  called,
  refetch,
}: {
  alert: AlertDetail
  called: Called
  refetch: () => void
}) {
  const mayAct = useMay('student_records.keep')
  const [open, setOpen] = useState(false)
  const summary = attemptSummaries(alert.actions).find((each) => isSamePerson(each, called))
  if (!summary && !mayAct) return null
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
      <span className="min-w-0 break-words">{summary && summaryText(summary)}</span>
      {mayAct && (
        <Button aria-label={text.logWhom(nameOf(called))} onClick={() => setOpen(true)}>
          {text.log}
        </Button>
      )}
      {open && <LogAttempt alert={alert} called={called} refetch={refetch} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** Everybody who was called about this alert. */
export function Attempts({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  const mayAct = useMay('student_records.keep')
  const [open, setOpen] = useState(false)
  const summaries = attemptSummaries(alert.actions)
  return (
    <Panel title={text.title} aside={mayAct && <Button onClick={() => setOpen(true)}>{text.log}</Button>}>
      {summaries.length === 0 ? (
        <p className="text-ink-soft">{text.none}</p>
      ) : (
        <ul aria-label={text.title} className="flex flex-col divide-y">
          {summaries.map((called) => (
            <li key={`${called.contact} ${called.who}`} className="py-1.5">
              <ContactAttempts alert={alert} called={called} refetch={refetch} />
            </li>
          ))}
        </ul>
      )}
      {open && <LogAttempt alert={alert} called={null} refetch={refetch} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

/** Finds somebody again in a list that was made anew. */
const idOf = ({ contact, who }: Called): string => `${contact} ${who}`
const somebody: Called = { contact: 'other', who: '' }

interface Typed {
  /** Which of those whom the call may have been to; '' = the first. */
  whom: string
  /** Typed where that does not say who it was. */
  name: string
  outcome: ContactOutcome | ''
  note: string
}

function LogAttempt(props: {
  alert: AlertDetail
  /** Whom is asked where nobody is named. */
  called: Called | null
  refetch: () => void
  onClose: () => void
}) {
  const { alert, called } = props
  const draft = caseDraftOf(alert, called ? `call ${called.contact} ${called.who.slice(0, 60)}` : 'call')
  const people = called ? [called] : whomToCall(alert)
  const [mine, setMine] = useDraft<Partial<Typed>>(`${draft} typed`, {})
  const typed: Typed = { whom: '', name: '', outcome: '', note: '', ...mine }
  const edit = (change: Partial<Typed>) => setMine({ ...mine, ...change })
  const [tried, setTried] = useState(false)
  const did = useDid(alert, props.refetch)
  const chosen = people.find((person) => idOf(person) === typed.whom) ?? people[0] ?? somebody
  const asked = called === null && needsName(chosen)
  const whom: Called = { contact: chosen.contact, who: asked ? typed.name.trim() : chosen.who }
  const log = useAction(
    async (outcome: ContactOutcome) => {
      const { ack_id } = await trpc.alerts.contactAttempted.mutate({
        ...{ key: alert.key, contact: whom.contact, outcome },
        ...(whom.who && { who: whom.who }),
        ...(typed.note.trim() && { note: typed.note.trim() }),
      })
      const isReached = whom.contact === 'guardian' && outcome === 'reached'
      return { ack_id, unmark: isReached ? await markStepDoneBy(alert, 'guardianReached') : null }
    },
    (recorded, outcome) => {
      forget(`${draft} `)
      props.onClose()
      did(text.did(nameOf(whom), words.alerts.contactOutcome[outcome]))(recorded)
    },
  )
  return (
    <ActionForm
      student={alert.student}
      draft={draft}
      title={called ? text.logWhom(nameOf(called)) : text.log}
      action={text.save}
      busy={log.busy}
      error={log.error}
      onClose={props.onClose}
      onSubmit={() => {
        setTried(true)
        if (typed.outcome !== '') void log.run(typed.outcome)
      }}
    >
      {!called && (
        <>
          <Select
            label={text.whom}
            first
            value={idOf(chosen)}
            onChange={(whom) => edit({ whom })}
            choices={people.map((person) => ({ value: idOf(person), label: choiceText(person) }))}
          />
          {asked && (
            <TextField label={text.name} hint={text.nameHint} value={typed.name} onChange={(name) => edit({ name })} />
          )}
        </>
      )}
      <Field label={text.outcome} problem={tried && typed.outcome === '' ? text.missing : null}>
        {(bind) => (
          <select
            {...bind}
            data-first={called ? true : undefined}
            className="field"
            value={typed.outcome}
            onChange={(event) => edit({ outcome: event.target.value as Typed['outcome'] })}
          >
            <option value="">{text.choose}</option>
            {contactOutcomeSchema.options.map((name) => (
              <option key={name} value={name}>
                {words.alerts.contactOutcome[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text.note}>
        {(bind) => (
          <textarea
            {...bind}
            className="field"
            rows={2}
            value={typed.note}
            onChange={(event) => edit({ note: event.target.value })}
          />
        )}
      </Field>
    </ActionForm>
  )
}
