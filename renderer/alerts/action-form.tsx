/** What the forms about an alert share: the names of their drafts, and the note. */
import { useState } from 'react'
import type { AlertDetail } from '../../shared/views.ts'
import { Field, forget, hasDraft, useDraft } from '../controls/index.ts'

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
