/** What can be done about the alert; each button names its key. */
import { use, useEffect, useRef, useState, type MouseEvent } from 'react'
import { defaultNextAction } from '../../shared/thresholds.ts'
import type { AlertDetail } from '../../shared/views.ts'
import { tell, trpc, useMay, useMe } from '../app/index.ts'
import { Button, ErrorNotice, forget, useAction, useKept } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { possibleActions } from './possible-actions.ts'
import { HandOffDialog, NoteDialog } from './action-dialogs.tsx'
import { draftOf, openForm, useNote } from './action-form.tsx'
import { CaseActions, ResolveDialog, useDid } from './case/index.ts'
import { StandingContext, useAlertKeys } from './use-standing.ts'

const text = words.alerts.actions

export function AlertActions({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  const me = useMe().person.id
  const mayAct = useMay('alerts.act')
  const standing = use(StandingContext)
  const [draft] = useState(() => draftOf(alert))
  const [open, setOpen] = useKept<'handOff' | 'note' | 'resolve' | null>(openForm(draft), null)
  const note = useNote(draft)
  const can = possibleActions(alert, me)
  const focusAfter = useRef(false)
  const did = useDid(alert, refetch)
  const done = (what: string) => (recorded: { ack_id: string }) => {
    did(what)(recorded)
    // When the pressed button goes, focus stays with the alert.
    if (document.activeElement?.closest('[data-actions]')) focusAfter.current = true
  }
  const key = alert.key
  // Only what stands before the person: something worse that comes in the same moment stays open.
  const trigger_ids = alert.triggers.map(({ id }) => id)
  const acknowledge = useAction(
    () =>
      trpc.alerts.acknowledge.mutate({
        key,
        next_action: defaultNextAction,
        owner: me,
        trigger_ids,
      }),
    done(text.did.acknowledged),
  )
  const takeOver = useAction(() => trpc.alerts.takeOver.mutate({ key, trigger_ids }), done(text.did.tookOver))
  const accept = useAction(() => trpc.alerts.acceptHandOff.mutate({ key, trigger_ids }), done(text.did.accepted))
  const busy = acknowledge.busy || takeOver.busy || accept.busy
  useAlertKeys({
    acknowledge: mayAct && can.acknowledge && !busy ? () => void acknowledge.run(undefined) : undefined,
    handOff: mayAct && can.handOff ? () => setOpen('handOff') : undefined,
    note: mayAct ? () => setOpen('note') : undefined,
    resolve: mayAct && can.resolve ? () => setOpen('resolve') : undefined,
  })
  useEffect(() => {
    if (!focusAfter.current || document.activeElement !== document.body) return
    focusAfter.current = false
    document.getElementById('alert-heading')?.focus()
  })
  const { reset } = acknowledge
  useEffect(() => reset, [key, reset])
  const error = acknowledge.error ?? takeOver.error ?? accept.error
  // It is no longer what stood here: what it is now comes on screen beside the sentence that says so.
  const changed = error?.code === 'alert_changed'
  useEffect(() => {
    if (changed) refetch()
  }, [changed, refetch])
  if (!mayAct) return null
  const close = () => setOpen(null)
  const finished = (what: string) => (recorded: { ack_id: string }) => {
    close()
    forget(`${draft} `)
    done(what)(recorded)
  }
  /** What stood under the pointer a moment ago was another button, or another student’s. */
  const holdBack = (event: MouseEvent) => {
    if (!standing.refusesClick()) return
    event.preventDefault()
    event.stopPropagation()
    tell(words.attention.clickAgain)
  }
  const dialog = { alert, draft, onClose: close }
  return (
    <>
      {/* Behind an open dialog they are out of reach; two buttons of one name would confuse. */}
      <div
        role="group"
        aria-label={text.label}
        inert={open !== null}
        aria-hidden={open !== null}
        data-actions
        onClickCapture={holdBack}
        className="flex flex-wrap gap-2"
      >
        {can.acknowledge && (
          <Button look="primary" shortcut="acknowledge" busy={busy} onClick={() => void acknowledge.run(undefined)}>
            {text.acknowledge}
          </Button>
        )}
        {can.accept && (
          <Button look="primary" busy={busy} onClick={() => void accept.run(undefined)}>
            {text.accept}
          </Button>
        )}
        {can.takeOver && (
          <Button busy={busy} onClick={() => void takeOver.run(undefined)}>
            {text.takeOver}
          </Button>
        )}
        {can.handOff && (
          <Button shortcut="handOff" onClick={() => setOpen('handOff')}>
            {text.handOff}
          </Button>
        )}
        <Button shortcut="note" onClick={() => setOpen('note')}>
          {text.note}
        </Button>
        {can.resolve && (
          <Button shortcut="resolve" onClick={() => setOpen('resolve')}>
            {text.resolve}
          </Button>
        )}
        <CaseActions alert={alert} refetch={refetch} />
      </div>
      {error && (
        <div className="w-full">
          <ErrorNotice error={error} />
        </div>
      )}
      {open === null && note.text !== '' && <p className="w-full text-ink-soft">{words.attention.draft.unfinished}</p>}
      {open === 'handOff' && <HandOffDialog {...dialog} onDone={finished(text.did.handed)} />}
      {open === 'note' && <NoteDialog {...dialog} onDone={finished(text.did.noted)} />}
      {open === 'resolve' && (
        <ResolveDialog {...dialog} onChanged={refetch} onLeave={close} onDone={finished(text.did.resolved)} />
      )}
    </>
  )
}
