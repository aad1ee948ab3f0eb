/** Next action, due time and owner, edited in place after an acknowledgement. */
import { useEffect, useState } from 'react'
import { defaultDueAfter, defaultNextAction } from '../../shared/alerts.ts'
import type { AlertDetail } from '../../shared/views.ts'
import { announce, trpc, useMay, useMe } from '../app/index.ts'
import { Button, ErrorNotice, Field, Panel, Select, useAction, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { usePeople } from './action-dialogs.tsx'

const text = words.alerts.plan

interface Draft {
  next: string
  due: string
  owner: string
}

export function Plan({ alert, onDone }: { alert: AlertDetail; onDone: () => void }) {
  const me = useMe().person
  const mayAct = useMay('alerts.act')
  const people = usePeople()
  const recorded: Draft = {
    next: alert.next_action ?? defaultNextAction,
    due: toField(alert.due_at ?? (alert.acknowledged?.at ?? alert.received_at) + defaultDueAfter),
    owner: alert.owner?.id ?? me.id,
  }
  const stamp = JSON.stringify(recorded)
  const [draft, setDraft] = useState(recorded)
  // What another person records replaces what stands here, unless this person has begun to change it.
  const [base, setBase] = useState(stamp)
  useEffect(() => {
    if (stamp === base) return
    setBase(stamp)
    setDraft((mine) => (JSON.stringify(mine) === base ? (JSON.parse(stamp) as Draft) : mine))
  }, [stamp, base])
  const changed = JSON.stringify(draft) !== stamp
  const dueAt = fromField(draft.due)
  const save = useAction(
    (due: number) =>
      trpc.alerts.plan.mutate({ key: alert.key, next_action: draft.next.trim(), due_at: due, owner: draft.owner }),
    () => {
      announce(text.saved)
      onDone()
    },
  )
  if (!mayAct)
    return (
      <Panel title={text.title}>
        <p>{words.alerts.history.next(recorded.next, alert.due_at === null ? null : whenText(alert.due_at))}</p>
      </Panel>
    )
  const known = people.some(({ id }) => id === draft.owner)
  const ready = draft.next.trim() !== '' && dueAt !== null
  return (
    <Panel title={text.title}>
      <form
        className="@container"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && changed) void save.run(dueAt)
        }}
      >
        <div className="grid items-start gap-x-3 gap-y-2 @[33rem]:grid-cols-[minmax(9rem,1fr)_auto_auto]">
          <Field label={text.next} problem={draft.next.trim() === '' ? text.nextMissing : null}>
            {(bind) => (
              <input
                {...bind}
                className="field"
                value={draft.next}
                onChange={(event) => setDraft({ ...draft, next: event.target.value })}
              />
            )}
          </Field>
          <Field label={text.due}>
            {(bind) => (
              <input
                {...bind}
                className="field"
                type="datetime-local"
                value={draft.due}
                onChange={(event) => setDraft({ ...draft, due: event.target.value })}
              />
            )}
          </Field>
          <Select
            label={text.owner}
            value={draft.owner}
            onChange={(owner) => setDraft({ ...draft, owner })}
            choices={[
              ...(known ? [] : [{ value: draft.owner, label: alert.owner?.name ?? me.name }]),
              ...people.map((person) => ({ value: person.id, label: person.name })),
            ]}
          />
        </div>
        {save.error && <ErrorNotice error={save.error} />}
        {changed && (
          <Button type="submit" look="primary" className="mt-2" busy={save.busy} disabled={!ready}>
            {text.save}
          </Button>
        )}
      </form>
    </Panel>
  )
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
