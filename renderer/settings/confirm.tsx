import type { PersonalError } from '../../shared/errors.ts'
import { Button, Dialog, ErrorNotice } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** Asks before something that others will feel. */
export function Confirm(props: {
  title: string
  text: string
  action: string
  busy: boolean
  error: PersonalError | null
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.text}</p>
      {props.error && <ErrorNotice error={props.error} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={props.onClose}>{words.common.cancel}</Button>
        <Button look="primary" busy={props.busy} onClick={props.onConfirm}>
          {props.action}
        </Button>
      </div>
    </Dialog>
  )
}
