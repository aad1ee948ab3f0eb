/** The frame of what is done about an alert: a form in a dialog that names the student. */
import type { ReactNode } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import type { AlertDetail, StudentLabel } from '../../shared/views.ts'
import { Button, Dialog, ErrorNotice, Field, studentName, useKept } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** Under which name an alert’s drafts are kept. */
export function draftOf({ key }: Pick<AlertDetail, 'key'>): string {
  return `alert ${key}`
}

/** A dialog about one student, with a form in it. */
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
  return (
    <Dialog title={words.case.about(props.title, studentName(props.student))} onClose={props.onClose}>
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
export function useNote(draft: string): Note {
  const [typed, set] = useKept(`${draft} note`, '')
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
