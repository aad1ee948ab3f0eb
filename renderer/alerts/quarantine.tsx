/** Events set aside, as they could not be read or are another school's: those that name a crisis stand above the inbox. */
import { useState } from 'react'
import type { QuarantineRow } from '../../shared/views.ts'
import { trpc, useMay } from '../app/index.ts'
import {
  Button,
  Clock,
  Dialog,
  ErrorNotice,
  Field,
  forget,
  hasDraft,
  useAction,
  useDraft,
  useQuery,
  useSubscription,
} from '../controls/index.ts'
import { numberText, words } from '../words/index.ts'
import { crisesText } from './quarantine-text.ts'

const text = words.alerts.quarantine

export function QuarantineBanner() {
  const maySee = useMay('quarantine.see')
  return maySee ? <Banner /> : null
}

function Banner() {
  const [open, setOpen] = useState(false)
  const { data, refetch } = useQuery<QuarantineRow[]>(['quarantine'], () => trpc.quarantine.list.query())
  useSubscription<number>((on) => trpc.quarantine.changes.subscribe(undefined, on), refetch, [])
  const rows = data ?? []
  const crises = rows.filter((row) => row.names_crisis)
  return (
    <>
      <div role="status">
        {rows.length > 0 && (
          <div
            className={`flex items-start gap-3 border-b px-3 py-2 ${crises.length > 0 ? 'bg-crisis-ground' : 'bg-surface'}`}
          >
            <div className="min-w-0 flex-1">
              {crises.length > 0 ? (
                <>
                  <p className="font-semibold text-crisis">{crisesText(crises)}</p>
                  <p className="text-ink-soft">{text.text}</p>
                </>
              ) : (
                <p className="text-ink-soft">{words.strip.quarantined(rows.length)}</p>
              )}
            </div>
            <Button onClick={() => setOpen(true)}>{text.look}</Button>
          </div>
        )}
      </div>
      {open && <QuarantineDialog rows={rows} onClose={() => setOpen(false)} refetch={refetch} />}
    </>
  )
}

function QuarantineDialog(props: { rows: QuarantineRow[]; onClose: () => void; refetch: () => void }) {
  return (
    <Dialog title={text.title} onClose={props.onClose} wide>
      {props.rows.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {props.rows.map((row) => (
            <Entry key={row.id} row={row} refetch={props.refetch} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Entry({ row, refetch }: { row: QuarantineRow; refetch: () => void }) {
  const mayAct = useMay('quarantine.act')
  const [dismissing, setDismissing] = useState(() => hasDraft(`quarantine ${row.id} `))
  const draft = `quarantine ${row.id}`
  const [reason, setReason] = useDraft(`${draft} reason`, '')
  const retry = useAction(() => trpc.quarantine.retry.mutate({ id: row.id }), refetch)
  const dismiss = useAction(
    (why: string) => trpc.quarantine.dismiss.mutate({ id: row.id, reason: why }),
    () => {
      forget(`${draft} `)
      refetch()
    },
  )
  const error = retry.error ?? dismiss.error
  return (
    <li className="rounded border p-3">
      <p className="font-semibold">
        {row.names_crisis && <span className="text-crisis">{text.names} · </span>}
        {row.reason}
      </p>
      <p className="break-words text-ink-soft">{row.detail}</p>
      <p className="text-small text-ink-faint">
        {text.received} <Clock at={row.received_at} /> · {numberText(row.bytes)} B · ×{row.receive_count}
      </p>
      {error && <ErrorNotice error={error} />}
      {retry.result?.accepted === false && !retry.busy && <p role="status">{text.still}</p>}
      {mayAct && !dismissing && (
        <div className="mt-2 flex gap-2">
          <Button busy={retry.busy} onClick={() => void retry.run(undefined)}>
            {text.retry}
          </Button>
          <Button onClick={() => setDismissing(true)}>{text.dismiss}</Button>
        </div>
      )}
      {dismissing && (
        <form
          className="mt-2 flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (reason.trim()) void dismiss.run(reason.trim())
          }}
        >
          <Field label={text.reason}>
            {(bind) => (
              <input
                {...bind}
                className="field"
                autoFocus
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          <div className="flex gap-2">
            <Button type="submit" busy={dismiss.busy} disabled={!reason.trim()}>
              {text.dismiss}
            </Button>
            <Button look="quiet" onClick={() => setDismissing(false)}>
              {words.common.cancel}
            </Button>
          </div>
        </form>
      )}
    </li>
  )
}
