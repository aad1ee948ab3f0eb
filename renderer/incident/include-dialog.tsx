/** Asks why something that is no part of the record by itself is to stand in it. */
import { Button, Dialog, ErrorNotice, Field, forget, useAction, useDraft } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.incident.include

export function IncludeDialog<Included>(props: {
  title: string
  /** Whom it is about. */
  student: string
  /** Under which name what is typed is kept. */
  draft: string
  label: string
  include: (reason: string) => Promise<Included>
  onIncluded: (included: Included) => void
  onClose: () => void
}) {
  const [reason, setReason] = useDraft(`${props.draft} reason`, '')
  const include = useAction(props.include, (included) => {
    forget(`${props.draft} `)
    props.onIncluded(included)
  })
  const given = reason.trim()
  return (
    <Dialog title={props.title} student={props.student} onClose={props.onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (given) void include.run(given)
        }}
      >
        <Field label={props.label} hint={text.reasonHint}>
          {(bind) => (
            <input
              {...bind}
              data-first
              className="field"
              required
              maxLength={2000}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {include.error && <ErrorNotice error={include.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{words.common.cancel}</Button>
          <Button type="submit" look="primary" busy={include.busy} disabled={!given}>
            {text.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
