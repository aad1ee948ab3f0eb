import { memo, useCallback } from 'react'
import type { AlertRow } from '../../shared/views.ts'
import { Age, lengthText, StudentName, TierBadge, useTicking } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { countdown, holderText, reopenedText, whyText } from './row-text.ts'

/** One alert of the inbox: who and how urgent, why, and who holds it or how long it waits. */
export const AlertRowLink = memo(function AlertRowLink(props: {
  row: AlertRow
  selected: boolean
  me: string
  compact: boolean
  tabIndex: number
  onOpen: (row: AlertRow) => void
}) {
  const { row, selected } = props
  return (
    <a
      href="#/alerts"
      draggable={false}
      data-alert={row.key}
      aria-current={selected || undefined}
      tabIndex={props.tabIndex}
      onClick={(event) => {
        event.preventDefault()
        props.onOpen(row)
      }}
      className={`block w-full border-b contain-content px-3 text-start ${props.compact ? 'py-1' : 'py-2'} ${selected ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      <span className="flex items-center gap-2">
        <TierBadge tier={row.tier} />
        <span className="min-w-0 flex-1 truncate">
          <StudentName student={row.student} more />
        </span>
        <span className="text-small text-ink-soft">
          <Age at={row.opened_at} />
        </span>
      </span>
      <span className="block truncate">
        {row.late_by_ms !== null && (
          <strong className="font-semibold">{words.alerts.row.late(lengthText(row.late_by_ms))} · </strong>
        )}
        {whyText(row)}
      </span>
      <span className="flex min-h-4 items-baseline gap-2 text-small text-ink-soft">
        <State row={row} me={props.me} />
        {row.again_count > 0 && <span className="ms-auto shrink-0">{words.alerts.row.again(row.again_count)}</span>}
      </span>
    </a>
  )
})

function State({ row, me }: { row: AlertRow; me: string }) {
  const clock = useTicking(useCallback(() => countdown(row, Date.now())?.text ?? '', [row]))
  const holder = useTicking(useCallback(() => holderText(row, me, Date.now()) ?? '', [row, me]))
  const over = clock !== '' && (countdown(row, Date.now())?.over ?? false)
  return (
    <span className="min-w-0 truncate">
      {clock !== '' && <span className={over ? 'font-semibold text-ink' : 'text-ink'}>{clock}</span>}
      {holder !== '' && holder}
      {row.reopened_reason !== null && ` · ${reopenedText(row.reopened_reason)}`}
    </span>
  )
}

/** Holds the place of a row that is on its way. */
export function RowPlaceholder({ compact }: { compact: boolean }) {
  return (
    <div className={`border-b px-3 ${compact ? 'py-1' : 'py-2'}`} aria-hidden="true">
      <div className="my-1 h-3 w-1/2 rounded bg-hover" />
      <div className="my-2 h-3 w-3/4 rounded bg-hover" />
      <div className="my-1 h-2.5 w-1/3 rounded bg-hover" />
    </div>
  )
}
