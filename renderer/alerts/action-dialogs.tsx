/** Hand off and note: short forms. What was typed stays when an action fails, and when the form is left. */
import { use, useState } from 'react'
import type { AlertDetail } from '../../shared/views.ts'
import { ActionForm, trpc, useMe } from '../app/index.ts'
import { Select, useAction, useDraft } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { NoteField, useNote, useSeenTriggers } from './action-form.tsx'
import { usePeople } from './case/index.ts'
import { EscalatesContext } from './escalates.ts'

export interface DialogProps {
  alert: AlertDetail
  /** Under which name what is typed is kept. */
  draft: string
  onClose: () => void
  onDone: (recorded: { ack_id: string }) => void
}

export function HandOffDialog({ alert, draft, onClose, onDone }: DialogProps) {
  const text = words.alerts.handOff
  const me = useMe().person.id
  const people = usePeople().filter(({ id }) => id !== me)
  const [to, setTo] = useDraft(`${draft} to`, '')
  const [urgent, setUrgent] = useDraft(`${draft} urgent`, false)
  const note = useNote(draft)
  const trigger_ids = useSeenTriggers(alert)
  const alwaysRings = alert.tier === 'crisis'
  const ladder = use(EscalatesContext)
  const handOff = useAction(
    () =>
      trpc.alerts.handOff.mutate({
        key: alert.key,
        trigger_ids,
        to,
        urgent: urgent || alwaysRings,
        ...(note.text ? { note: note.text } : {}),
      }),
    onDone,
  )
  return (
    <ActionForm
      student={alert.student}
      draft={draft}
      isNote
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
      {alwaysRings ? (
        <p>
          {words.case.urgentAlways} {words.alerts.ladder.handOff.always[ladder]}
        </p>
      ) : (
        <label className="flex min-h-6 items-center gap-1.5">
          <input
            type="checkbox"
            className="size-4 accent-ink"
            checked={urgent}
            onChange={(event) => setUrgent(event.target.checked)}
          />
          {words.alerts.ladder.handOff.urgent[ladder]}
        </label>
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
      isNote
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
