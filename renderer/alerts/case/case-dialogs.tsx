/** Return, decline, reopen, correct: each a short form of words, none of them lost when it fails. */
import { useState } from 'react'
import type { ActionView, AlertDetail } from '../../../shared/views.ts'
import { ActionForm, trpc } from '../../app/index.ts'
import { Button, forget, useAction, whenText } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { NoteField, useNote } from '../action-form.tsx'
import { useDid } from './did.ts'
import { caseDraftOf } from './draft.ts'

interface DialogProps {
  alert: AlertDetail
  refetch: () => void
  onClose: () => void
}

/** A dialog that asks for words; `missing` where it cannot be done without them. */
function WordsDialog(
  props: DialogProps & {
    /** By which what is typed is kept apart from other forms of this alert. */
    name: string
    title: string
    text: string
    label: string
    action: string
    missing?: string
    /** What stood there before. */
    before?: string
    did: string
    act: (said: string | undefined) => Promise<{ ack_id: string }>
  },
) {
  const { alert, missing } = props
  const mine = caseDraftOf(alert, props.name)
  const kept = useNote(mine)
  const [edited, setEdited] = useState(kept.typed !== '')
  const note = {
    ...kept,
    typed: edited ? kept.typed : (props.before ?? ''),
    set(typed: string) {
      setEdited(true)
      kept.set(typed)
    },
  }
  const said = note.typed.trim()
  const [tried, setTried] = useState(false)
  const did = useDid(alert, props.refetch)
  const run = useAction(
    () => props.act(said || undefined),
    (recorded) => {
      forget(`${mine} `)
      props.onClose()
      did(props.did)(recorded)
    },
  )
  return (
    <ActionForm
      student={alert.student}
      draft={mine}
      title={props.title}
      action={props.action}
      busy={run.busy}
      error={run.error}
      onClose={props.onClose}
      onSubmit={() => {
        setTried(true)
        if (said || missing === undefined) void run.run(undefined)
      }}
    >
      <p>{props.text}</p>
      <NoteField
        label={props.label}
        first
        rows={3}
        problem={tried && !said && missing !== undefined ? missing : null}
        note={note}
      />
    </ActionForm>
  )
}

export function ReturnDialog(props: DialogProps) {
  const text = words.case.returning
  return (
    <WordsDialog
      {...props}
      name="return"
      title={text.title}
      text={text.text}
      label={text.note}
      action={words.case.actions.returnToQueue}
      did={words.case.actions.did.returned}
      act={(note) => trpc.alerts.returnToQueue.mutate({ key: props.alert.key, note })}
    />
  )
}

export function DeclineDialog(props: DialogProps) {
  const text = words.case.declining
  return (
    <WordsDialog
      {...props}
      name="decline"
      title={text.title}
      text={text.text(props.alert.hand_off?.by_name ?? '')}
      label={text.note}
      action={words.case.actions.decline}
      did={words.case.actions.did.declined}
      act={(note) => trpc.alerts.declineHandOff.mutate({ key: props.alert.key, note })}
    />
  )
}

export function ReopenDialog(props: DialogProps) {
  const text = words.case.reopening
  return (
    <WordsDialog
      {...props}
      name="reopen"
      title={text.title}
      text={text.text}
      label={text.reason}
      missing={text.missing}
      action={words.case.actions.reopen}
      did={words.case.actions.did.reopened}
      act={(reason = '') => trpc.alerts.reopen.mutate({ key: props.alert.key, reason })}
    />
  )
}

/** A button beside a note of one’s own. `stands`: what the note says by now. */
export function CorrectNote({
  alert,
  note,
  stands,
  refetch,
}: {
  alert: AlertDetail
  note: ActionView
  stands: string
  refetch: () => void
}) {
  const text = words.case.correcting
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" aria-label={text.actionWhich(whenText(note.at))} onClick={() => setOpen(true)}>
        {text.action}
      </Button>
      {open && (
        <WordsDialog
          alert={alert}
          refetch={refetch}
          onClose={() => setOpen(false)}
          name={`correct ${note.id}`}
          title={text.title}
          text={text.text}
          label={text.note}
          missing={text.missing}
          before={stands}
          action={text.action}
          did={words.case.actions.did.corrected}
          act={(said = '') => trpc.alerts.correctNote.mutate({ key: alert.key, record: note.id, note: said })}
        />
      )}
    </>
  )
}
