/** Hand off, note, resolve: short forms. What was typed stays when an action fails, and when the form is left. */
import { useEffect, useState } from 'react'
import { dispositionSchema, type Disposition } from '../../shared/actions.ts'
import type { Person } from '../../shared/people.ts'
import type { AlertDetail } from '../../shared/views.ts'
import { trpc, useMe } from '../app/index.ts'
import { Field, Select, useAction, useDraft, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { ActionForm, NoteField, useNote } from './action-form.tsx'

export interface DialogProps {
  alert: AlertDetail
  /** Under which name what is typed is kept. */
  draft: string
  onClose: () => void
  onDone: () => void
}

/** What stood before the person when the form was opened: what comes while it covers the alert was not seen. */
function useSeenTriggers(alert: AlertDetail): string[] {
  const [seen] = useState(() => alert.triggers.map(({ id }) => id))
  return seen
}

/** Everybody who may hold an alert. */
export function usePeople(): Person[] {
  return useQuery<Person[]>(['people'], () => trpc.me.people.query()).data ?? []
}

export function HandOffDialog({ alert, draft, onClose, onDone }: DialogProps) {
  const text = words.alerts.handOff
  const me = useMe().person.id
  const people = usePeople().filter(({ id }) => id !== me)
  const [to, setTo] = useDraft(`${draft} to`, '')
  const note = useNote(draft)
  const trigger_ids = useSeenTriggers(alert)
  const handOff = useAction(
    () => trpc.alerts.handOff.mutate({ key: alert.key, trigger_ids, to, ...(note.text ? { note: note.text } : {}) }),
    onDone,
  )
  return (
    <ActionForm
      student={alert.student}
      draft={draft}
      title={text.title}
      action={words.alerts.actions.handOff}
      busy={handOff.busy}
      disabled={to === ''}
      error={handOff.error}
      onClose={onClose}
      onSubmit={() => to && void handOff.run(undefined)}
    >
      {people.length === 0 ? (
        <p>{text.nobody}</p>
      ) : (
        <Select
          label={text.to}
          first
          value={to}
          onChange={setTo}
          choices={[
            { value: '', label: text.choose },
            ...people.map((person) => ({ value: person.id, label: `${person.name}, ${words.role[person.role]}` })),
          ]}
        />
      )}
      <NoteField label={text.note} first rows={3} note={note} />
      <p className="text-ink-soft">{text.stays}</p>
    </ActionForm>
  )
}

export function NoteDialog({ alert, draft, onClose, onDone }: DialogProps) {
  const text = words.alerts.note
  const note = useNote(draft)
  const [tried, setTried] = useState(false)
  const trigger_ids = useSeenTriggers(alert)
  const add = useAction(() => trpc.alerts.note.mutate({ key: alert.key, trigger_ids, note: note.text }), onDone)
  return (
    <ActionForm
      student={alert.student}
      draft={draft}
      title={text.title}
      action={words.alerts.actions.note}
      busy={add.busy}
      error={add.error}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (note.text) void add.run(undefined)
      }}
    >
      <NoteField label={text.label} first problem={tried && !note.text ? text.missing : null} note={note} />
    </ActionForm>
  )
}

export function ResolveDialog({ alert, draft, onChanged, onClose, onDone }: DialogProps & { onChanged: () => void }) {
  const text = words.alerts.resolve
  const [disposition, setDisposition] = useDraft<Disposition | ''>(`${draft} disposition`, '')
  const note = useNote(draft)
  const [tried, setTried] = useState(false)
  const trigger_ids = useSeenTriggers(alert)
  const resolve = useAction(
    (how: Disposition) =>
      trpc.alerts.resolve.mutate({ key: alert.key, disposition: how, note: note.text, trigger_ids }),
    onDone,
  )
  const changed = resolve.error?.code === 'alert_changed'
  useEffect(() => {
    if (changed) onChanged()
  }, [changed, onChanged])
  return (
    <ActionForm
      student={alert.student}
      draft={draft}
      title={text.title}
      action={words.alerts.actions.resolve}
      busy={resolve.busy}
      error={resolve.error}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (disposition !== '' && note.text) void resolve.run(disposition)
      }}
    >
      <Field label={text.disposition} problem={tried && disposition === '' ? text.missingDisposition : null}>
        {(bind) => (
          <select
            {...bind}
            data-first
            className="field"
            value={disposition}
            onChange={(event) => setDisposition(event.target.value as Disposition | '')}
          >
            <option value="">{text.choose}</option>
            {dispositionSchema.options.map((name) => (
              <option key={name} value={name}>
                {words.alerts.disposition[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <NoteField
        label={text.note}
        hint={text.hint}
        problem={tried && !note.text ? text.missingNote : null}
        note={note}
      />
    </ActionForm>
  )
}
