/** The frame of what is done about an alert: a form in a dialog that names the student. */
import { useState, type ReactNode } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import type { AlertDetail, StudentLabel } from '../../shared/views.ts'
import { tell } from '../app/index.ts'
import { Button, Dialog, ErrorNotice, Field, forget, hasDraft, studentName, useDraft } from '../controls/index.ts'
import { words } from '../words/index.ts'

/**
 * Under which name an alert’s drafts are kept: of the keys it has been known by, the one that holds some.
 * An earlier message that arrives late gives the alert another key, and takes nobody’s note away.
 */
export function draftOf({ key, aliases }: Pick<AlertDetail, 'key' | 'aliases'>): string {
  const known = [key, ...aliases].find((alias) => hasDraft(`alert ${alias} `))
  return `alert ${known ?? key}`
}

/** Under which name it is kept which form of an alert is open. */
export const openForm = (draft: string): string => `open ${draft}`
export const forgetOpenForm = (): void => forget('open ')

/** What stood before the person when the form was opened: what comes while it covers the alert was not seen. */
export function useSeenTriggers(alert: AlertDetail): string[] {
  const [seen] = useState(() => alert.triggers.map(({ id }) => id))
  return seen
}

/** A dialog about one student, with a form in it. Leaving it keeps what was typed as a draft, and says so. */
export function ActionForm(props: {
  title: string
  student: StudentLabel
  /** Under which name what is typed is kept. */
  draft: string
  action: string
  busy: boolean
  disabled?: boolean
  error: PersonalError | null
  onClose: () => void
  onSubmit: () => void
  children: ReactNode
}) {
  const student = studentName(props.student)
  const leave = () => {
    if (hasDraft(`${props.draft} `)) tell(words.attention.draft.kept(student))
    props.onClose()
  }
  const discard = () => {
    forget(`${props.draft} `)
    props.onClose()
  }
  return (
    <Dialog title={props.title} student={student} onClose={leave}>
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
          {hasDraft(`${props.draft} `) && (
            <Button look="quiet" className="me-auto" onClick={discard}>
              {words.attention.draft.discard}
            </Button>
          )}
          <Button onClick={leave}>{words.common.cancel}</Button>
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
export function useNote(draft: string): Note {
  const [typed, set] = useDraft(`${draft} note`, '')
  return { typed, text: typed.trim(), set }
}

export function NoteField(props: {
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
