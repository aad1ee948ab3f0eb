import type { ReactNode } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import { Button, Dialog, ErrorNotice } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** A short form in a dialog. What was typed stays when it fails. */
export function FormDialog(props: {
  title: string
  action: string
  busy: boolean
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
          <Button type="submit" look="primary" busy={props.busy}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
