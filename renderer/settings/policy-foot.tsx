/** The foot of a form that edits the school's policy: what is no single field's fault, saving, and leaving it. */
import { useState } from 'react'
import { Button, ErrorNotice } from '../controls/index.ts'
import { Confirm } from './confirm.tsx'

/** A problem that is no single field's, or stands beside one; it can have the focus. Null = there is none. */
export function Fault({ text, id }: { text: string | null; id?: string }) {
  if (text === null) return null
  return (
    <p id={id} data-problem tabIndex={-1} className="font-medium text-crisis">
      {text}
    </p>
  )
}

export function PolicyFoot(props: {
  text: {
    save: string
    cancel: string
    notYet: (count: number) => string
    discard: { title: string; text: string; action: string }
  }
  save: { busy: boolean; error: Parameters<typeof ErrorNotice>[0]['error'] | null }
  fault: string | null
  /** Problems that are left. */
  problems: number
  /** Whether something would be lost by leaving; asked when somebody leaves. */
  isChanged: () => boolean
  onEnd: () => void
}) {
  const { text, save, fault, problems, isChanged, onEnd } = props
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      <div className="sticky -bottom-4 z-10 -mb-4 flex flex-col gap-2 border-t bg-ground py-3">
        {save.error && !save.busy && <ErrorNotice error={save.error} />}
        <Fault text={fault} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" busy={save.busy}>
            {text.save}
          </Button>
          <Button onClick={() => (isChanged() ? setLeaving(true) : onEnd())}>{text.cancel}</Button>
          <p role="status">{problems > 0 && text.notYet(problems)}</p>
        </div>
      </div>
      {leaving && (
        <Confirm {...text.discard} busy={false} error={null} onConfirm={onEnd} onClose={() => setLeaving(false)} />
      )}
    </>
  )
}
