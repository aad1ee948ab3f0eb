/** Hand off, note, resolve: short forms. What was typed stays when an action fails. */
import { useEffect, useState, type ReactNode } from 'react'
import { dispositionSchema, type Disposition } from '../../shared/actions.ts'
import type { PersonalError } from '../../shared/errors.ts'
import type { Person } from '../../shared/people.ts'
import { trpc, useMe } from '../app/index.ts'
import { Button, Dialog, ErrorNotice, Field, Select, useAction, useKept, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'

interface DialogProps {
  alertKey: string
  onClose: () => void
  onDone: () => void
}

/** Under which names an open dialog of an alert keeps what is in it. */
export const draftOf = (alertKey: string): string => `alert ${alertKey}`

function Form(props: {
  title: string
  action: string
  busy: boolean
  disabled?: boolean
  error: PersonalError | null
  onClose: () => void
  onSubmit: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        className="flex flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!props.busy) props.onSubmit()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
      >
        {props.children}
        {props.error && <ErrorNotice error={props.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{words.common.cancel}</Button>
          <Button type="submit" look="primary" busy={props.busy} disabled={props.disabled}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface Note {
  typed: string
  /** What is kept of it. */
  text: string
  set: (typed: string) => void
}

/** One note for all dialogs of an alert: whoever opens another one finds what was typed. */
function useNote(alertKey: string): Note {
  const [typed, set] = useKept(`${draftOf(alertKey)} note`, '')
  return { typed, text: typed.trim(), set }
}

function NoteField(props: {
  label: string
  hint?: string
  problem?: string | null
  /** Has the focus when the dialog opens, unless another one comes before it. */
  first?: boolean
  rows?: number
  note: Note
}) {
  return (
    <Field label={props.label} hint={props.hint} problem={props.problem}>
      {(bind) => (
        <textarea
          {...bind}
          data-first={props.first || undefined}
          className="field"
          rows={props.rows ?? 5}
          value={props.note.typed}
          onChange={(event) => props.note.set(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Everybody who may hold an alert. */
export function usePeople(): Person[] {
  return useQuery<Person[]>(['people'], () => trpc.me.people.query()).data ?? []
}

export function HandOffDialog({ alertKey, onClose, onDone }: DialogProps) {
  const text = words.alerts.handOff
  const me = useMe().person.id
  const people = usePeople().filter(({ id }) => id !== me)
  const [to, setTo] = useKept(`${draftOf(alertKey)} to`, '')
  const note = useNote(alertKey)
  const handOff = useAction(
    () => trpc.alerts.handOff.mutate({ key: alertKey, to, ...(note.text ? { note: note.text } : {}) }),
    onDone,
  )
  return (
    <Form
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
    </Form>
  )
}

export function NoteDialog({ alertKey, onClose, onDone }: DialogProps) {
  const text = words.alerts.note
  const note = useNote(alertKey)
  const [tried, setTried] = useState(false)
  const add = useAction(() => trpc.alerts.note.mutate({ key: alertKey, note: note.text }), onDone)
  return (
    <Form
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
    </Form>
  )
}

export function ResolveDialog({
  alertKey,
  triggerIds,
  onChanged,
  onClose,
  onDone,
}: DialogProps & { triggerIds: string[]; onChanged: () => void }) {
  const text = words.alerts.resolve
  const [disposition, setDisposition] = useKept<Disposition | ''>(`${draftOf(alertKey)} disposition`, '')
  const note = useNote(alertKey)
  const [tried, setTried] = useState(false)
  // What comes while this dialog covers the alert was not seen, and is not resolved with it.
  const [seen] = useState(triggerIds)
  const resolve = useAction(
    (how: Disposition) =>
      trpc.alerts.resolve.mutate({ key: alertKey, disposition: how, note: note.text, trigger_ids: seen }),
    onDone,
  )
  const changed = resolve.error?.code === 'alert_changed'
  useEffect(() => {
    if (changed) onChanged()
  }, [changed, onChanged])
  return (
    <Form
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
    </Form>
  )
}
