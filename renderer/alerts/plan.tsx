/** Next action, due time and owner, edited in place after an acknowledgement. */
import { useEffect } from 'react'
import { defaultDueAfter, defaultNextAction } from '../../shared/thresholds.ts'
import type { AlertDetail } from '../../shared/views.ts'
import { tell, trpc, useMay, useMe } from '../app/index.ts'
import {
  Button,
  ErrorNotice,
  Field,
  Panel,
  Select,
  useAction,
  useDraft,
  studentName,
  useNow,
  whenText,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { usePeople } from './action-dialogs.tsx'

const text = words.alerts.plan

interface Draft {
  next: string
  due: string
  owner: string
}
const fields = ['next', 'due', 'owner'] as const

/** Keyed by alert: what is being changed stays with its alert while another one is looked at. */
export function Plan({ alert, onDone }: { alert: AlertDetail; onDone: () => void }) {
  const mayAct = useMay('alerts.act')
  if (mayAct) return <PlanForm key={alert.key} alert={alert} onDone={onDone} />
  return (
    <Panel title={text.title}>
      <p>
        {words.alerts.history.next(
          alert.next_action ?? defaultNextAction,
          alert.due_at === null ? null : whenText(alert.due_at),
        )}
      </p>
    </Panel>
  )
}

function PlanForm({ alert, onDone }: { alert: AlertDetail; onDone: () => void }) {
  const me = useMe().person
  const people = usePeople()
  const now = useNow(5000)
  const recorded: Draft = {
    next: alert.next_action ?? defaultNextAction,
    due: toField(alert.due_at ?? (alert.acknowledged?.at ?? alert.received_at) + defaultDueAfter),
    owner: alert.owner?.id ?? me.id,
  }
  // Only what this person changed: what another one records in the meantime stands in the other fields.
  const [mine, setMine] = useDraft<Partial<Draft>>(`plan ${alert.key}`, {})
  const draft: Draft = { ...recorded, ...mine }
  const unsaved = fields.some((field) => draft[field].trim() !== recorded[field].trim())
  const dueAt = fromField(draft.due)
  const problem = problemOf(draft, dueAt, now)
  const save = useAction(
    (due: number) =>
      trpc.alerts.plan.mutate({
        key: alert.key,
        trigger_ids: alert.triggers.map(({ id }) => id),
        next_action: draft.next.trim(),
        due_at: due,
        owner: draft.owner,
      }),
    () => {
      tell(words.attention.did(text.saved, studentName(alert.student)))
      onDone()
    },
  )
  // It is recorded as it stands here: from now on whatever is recorded shows.
  const settled =
    fields.some((field) => mine[field] !== undefined) && fields.every((field) => draft[field] === recorded[field])
  useEffect(() => {
    if (settled) setMine({})
  })
  const edit = (change: Partial<Draft>) => setMine({ ...mine, ...change })
  const known = people.some(({ id }) => id === draft.owner)
  return (
    <Panel
      title={text.title}
      aside={
        <span role="status" className="font-semibold">
          {unsaved && text.unsaved}
        </span>
      }
    >
      <form
        className="flex flex-col gap-2"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (problem || dueAt === null || !unsaved || save.busy) return
          edit({ next: draft.next.trim() })
          void save.run(dueAt)
        }}
      >
        <Field label={text.next} problem={problem?.field === 'next' ? problem.words : null}>
          {(bind) => (
            <input
              {...bind}
              className="field"
              value={draft.next}
              onChange={(event) => edit({ next: event.target.value })}
            />
          )}
        </Field>
        <div className="grid grid-cols-2 items-start gap-x-3">
          <Field
            label={text.due}
            hint={dueAt === null ? undefined : whenText(dueAt, now)}
            problem={unsaved && problem?.field === 'due' ? problem.words : null}
          >
            {(bind) => (
              <input
                {...bind}
                className="field"
                type="datetime-local"
                value={draft.due}
                onChange={(event) => edit({ due: event.target.value })}
              />
            )}
          </Field>
          <Select
            label={text.owner}
            value={draft.owner}
            onChange={(owner) => edit({ owner })}
            choices={[
              ...(known ? [] : [{ value: draft.owner, label: alert.owner?.name ?? me.name }]),
              ...people.map((person) => ({ value: person.id, label: person.name })),
            ]}
          />
        </div>
        {save.error && <ErrorNotice error={save.error} />}
        <div>
          <Button type="submit" look="primary" busy={save.busy} disabled={!unsaved || problem !== null}>
            {text.save}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

/** Why the plan cannot be recorded so; null when it can. */
function problemOf(draft: Draft, dueAt: number | null, now: number): { field: keyof Draft; words: string } | null {
  if (draft.next.trim() === '') return { field: 'next', words: text.nextMissing }
  if (dueAt === null) return { field: 'due', words: text.dueMissing }
  return dueAt <= now ? { field: 'due', words: text.duePast } : null
}

/** UTC milliseconds as a `datetime-local` field wants it, in this machine's zone, to the minute. */
function toField(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

function fromField(text: string): number | null {
  const at = new Date(text).getTime()
  return Number.isNaN(at) ? null : at
}
