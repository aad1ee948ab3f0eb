/** The frame of what is done about a student: a form in a dialog that names them. */
import type { ReactNode } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import type { StudentLabel } from '../../shared/views.ts'
import { Button, Dialog, ErrorNotice, forget, hasDraft, studentName, whenDraftsAreKept } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { tell } from './announcer.tsx'

const text = words.attention.draft

/** A dialog about one student, with a form in it. Leaving it keeps what was typed as a draft, and says so. */
export function ActionForm(props: {
  title: string
  student: StudentLabel
  /** Under which name what is typed is kept. */
  draft: string
  /** What is typed is the note that `n` opens. */
  isNote?: boolean
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
    if (hasDraft(`${props.draft} `)) {
      const said = props.isNote && hasDraft(`${props.draft} note`) ? text.note(student) : text.kept(student)
      whenDraftsAreKept(() => tell(said))
    }
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
              {text.discard}
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
