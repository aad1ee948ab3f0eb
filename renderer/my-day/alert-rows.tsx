/** Alerts of My day: those a person holds, and those that wait for them to accept or decline. */
import type { AlertDetail, AlertRow } from '../../shared/views.ts'
import { holderText, whyText } from '../alerts/index.ts'
import { announce, goTo, trpc, useMe } from '../app/index.ts'
import { Button, studentName, StudentName, TierBadge, useAction, useQuery, useTicking } from '../controls/index.ts'
import { focusRow, SettledText, useSettled, type Settled } from '../student-records/index.ts'
import { words } from '../words/index.ts'

const text = words.myDay

export interface HandedActions {
  rows: AlertRow[]
  settledOf: (key: string) => Settled<AlertRow> | undefined
  accept: (key: string | null) => boolean
  decline: (row: AlertRow) => void
  undo: (one: Settled<AlertRow>) => void
  undoOf: (key: string | null) => boolean
  error: ReturnType<typeof useAction>['error']
}

/** What was handed to the person, with what they answered a moment ago. */
export function useHandedActions(handed: readonly AlertRow[]): HandedActions {
  const settled = useSettled<AlertRow>(handed, ({ key }) => key)
  const answer = useAction(
    async ({ row, accept }: { row: AlertRow; accept: boolean }) => {
      const { key } = row
      if (!accept) return trpc.alerts.declineHandOff.mutate({ key })
      // Only what is in the alert as this row shows it: what came since was not seen.
      const { triggers } = await shownAlert(row)
      const trigger_ids = triggers.filter(({ at }) => at <= row.last_trigger_at).map(({ id }) => id)
      return trpc.alerts.acceptHandOff.mutate({ key, trigger_ids })
    },
    ({ ack_id }, { row, accept }) => {
      const { key } = row
      const said = accept ? text.said.accepted : text.said.declined
      settled.add({ key, item: row, said, undo: () => trpc.alerts.withdraw.mutate({ key, record: ack_id }) })
      announce(said)
    },
  )
  return {
    rows: settled.items,
    settledOf: settled.of,
    accept(key) {
      const row = handed.find((one) => one.key === key)
      if (!row || settled.of(key) || answer.busy) return false
      void answer.run({ row, accept: true })
      return true
    },
    decline: (row) => void answer.run({ row, accept: false }),
    undo: settled.undo,
    undoOf(key) {
      const one = settled.of(key)
      if (one) settled.undo(one)
      return one !== undefined
    },
    error: answer.error ?? settled.error,
  }
}

function shownAlert({ key }: AlertRow): Promise<AlertDetail> {
  return trpc.alerts.detail.query({ key })
}

export function HandedRow({ row, actions }: { row: AlertRow; actions: HandedActions }) {
  const settled = actions.settledOf(row.key)
  const student = studentName(row.student)
  const detail = useQuery<AlertDetail>(['my-day', 'handed', row.key, row.last_trigger_at], () => shownAlert(row))
  const note = detail.data?.actions.findLast(({ kind }) => kind === 'handed_off')?.note
  const from = detail.data?.hand_off?.by_name ?? row.owner?.name
  return (
    <AlertLine
      row={row}
      more={[from === undefined ? '' : text.from(from), note ?? ''].filter(Boolean).join(': ')}
      aside={
        settled ? (
          <SettledText said={settled.said} student={student} onUndo={() => actions.undo(settled)} />
        ) : (
          <span className="flex gap-1 py-1">
            <Button
              aria-label={text.declineOf(student)}
              onClick={(event) => {
                focusRow(event.currentTarget)
                actions.decline(row)
              }}
            >
              {text.decline}
            </Button>
            <Button
              look="primary"
              shortcut="acknowledge"
              onClick={(event) => {
                focusRow(event.currentTarget)
                actions.accept(row.key)
              }}
            >
              {/* No `aria-label`: the key beside the words is seen, and would not be part of such a name. */}
              <span aria-hidden="true">{text.accept}</span>
              <span className="sr-only">{text.acceptOf(student)}</span>
            </Button>
          </span>
        )
      }
    />
  )
}

export function HeldRow({ row }: { row: AlertRow }) {
  const me = useMe().person.id
  const holder = useTicking(() => holderText(row, me, Date.now()) ?? '')
  return <AlertLine row={row} more={holder} />
}

function AlertLine({ row, more, aside }: { row: AlertRow; more: string; aside?: React.ReactNode }) {
  return (
    <li data-day-item={row.key} className="flex flex-wrap items-center gap-x-2 border-b pe-2 last:border-b-0">
      <button
        type="button"
        data-day-row
        onClick={() => goTo('alerts', row.key)}
        className="ring-inside flex min-w-48 flex-1 flex-wrap items-baseline gap-x-3 px-3 py-1.5 text-start hover:bg-hover focus-visible:bg-selected"
      >
        <span className="w-36 shrink-0">
          <TierBadge tier={row.tier} />
        </span>
        <span className="min-w-0 flex-1">
          <StudentName student={row.student} />
          {' · '}
          {whyText(row)}
          {more !== '' && <span className="text-ink-soft"> · {more}</span>}
        </span>
      </button>
      {aside}
    </li>
  )
}
