/** Hand off, note, resolve: short forms. What was typed stays when an action fails. */
import { useEffect, useState, type ReactNode } from 'react'
import { dispositions, type Disposition } from '../../shared/events.ts'
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

/** Everybody who may hold an alert. */
export function usePeople(): Person[] {
  return useQuery<Person[]>(['people'], () => trpc.me.people.query()).data ?? []
}

export function HandOffDialog({ alertKey, onClose, onDone }: DialogProps) {
  const text = words.alerts.handOff
  const me = useMe().person.id
  const people = usePeople().filter(({ id }) => id !== me)
  const [to, setTo] = useKept(`${draftOf(alertKey)} to`, '')
  const [note, setNote] = useKept(`${draftOf(alertKey)} note`, '')
  const handOff = useAction(
    () => trpc.alerts.handOff.mutate({ key: alertKey, to, ...(note.trim() ? { note: note.trim() } : {}) }),
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
      <Field label={text.note}>
        {(bind) => (
          <textarea
            {...bind}
            data-first
            className="field"
            rows={3}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <p className="text-ink-soft">{text.stays}</p>
    </Form>
  )
}

export function NoteDialog({ alertKey, onClose, onDone }: DialogProps) {
  const text = words.alerts.note
  const [note, setNote] = useKept(`${draftOf(alertKey)} note`, '')
  const [tried, setTried] = useState(false)
  const add = useAction(() => trpc.alerts.note.mutate({ key: alertKey, note: note.trim() }), onDone)
  return (
    <Form
      title={text.title}
      action={words.alerts.actions.note}
      busy={add.busy}
      error={add.error}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (note.trim()) void add.run(undefined)
      }}
    >
      <Field label={text.label} problem={tried && !note.trim() ? text.missing : null}>
        {(bind) => (
          <textarea
            {...bind}
            data-first
            className="field"
            rows={5}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
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
  const [note, setNote] = useKept(`${draftOf(alertKey)} note`, '')
  const [tried, setTried] = useState(false)
  // What comes while this dialog covers the alert was not seen, and is not resolved with it.
  const [seen] = useState(triggerIds)
  const resolve = useAction(
    (how: Disposition) =>
      trpc.alerts.resolve.mutate({ key: alertKey, disposition: how, note: note.trim(), trigger_ids: seen }),
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
        if (disposition !== '' && note.trim()) void resolve.run(disposition)
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
            {dispositions.map((name) => (
              <option key={name} value={name}>
                {words.alerts.disposition[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text.note} hint={text.hint} problem={tried && !note.trim() ? text.missingNote : null}>
        {(bind) => (
          <textarea
            {...bind}
            className="field"
            rows={5}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
    </Form>
  )
}
