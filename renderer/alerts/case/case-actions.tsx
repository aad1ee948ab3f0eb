/** The ends of holding an alert: back to the queue, a hand-off declined or withdrawn, a resolved one opened again. */
import { useState } from 'react'
import type { AlertDetail } from '../../../shared/views.ts'
import { trpc, useMe } from '../../app/index.ts'
import { Button, ErrorNotice, useAction, useKept } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { possibleActions } from '../possible-actions.ts'
import { DeclineDialog, ReopenDialog, ReturnDialog } from './case-dialogs.tsx'
import { useDid } from './did.ts'

const text = words.case.actions

const dialogs = { return: ReturnDialog, decline: DeclineDialog, reopen: ReopenDialog }

/** Buttons for the group of actions; their dialogs come with them. */
export function CaseActions({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  const can = possibleActions(alert, useMe().person.id)
  // An earlier message that arrives late gives the alert another key, and closes nothing.
  const [first] = useState(alert.key)
  const [open, setOpen] = useKept<keyof typeof dialogs | null>(`open case ${first}`, null)
  const did = useDid(alert, refetch)
  const withdraw = useAction(() => trpc.alerts.withdrawHandOff.mutate({ key: alert.key }), did(text.did.withdrawn))
  const Dialog = open && dialogs[open]
  return (
    <>
      {can.decline && <Button onClick={() => setOpen('decline')}>{text.decline}</Button>}
      {can.withdrawHandOff && (
        <Button busy={withdraw.busy} onClick={() => void withdraw.run(undefined)}>
          {text.withdrawHandOff}
        </Button>
      )}
      {can.returnToQueue && <Button onClick={() => setOpen('return')}>{text.returnToQueue}</Button>}
      {can.reopen && <Button onClick={() => setOpen('reopen')}>{text.reopen}</Button>}
      {withdraw.error && <ErrorNotice error={withdraw.error} />}
      {Dialog && <Dialog alert={alert} refetch={refetch} onClose={() => setOpen(null)} />}
    </>
  )
}
