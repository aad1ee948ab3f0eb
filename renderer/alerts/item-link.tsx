import { memo, use, useCallback } from 'react'
import type { AlertRow, InboxItem, WatchedSession } from '../../shared/views.ts'
import { Age, ReceivedAge, lengthText, OverdueMark, StudentName, TierBadge, useTicking } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { EscalatesContext } from './escalates.ts'
import { stepText } from './ladder-text.ts'
import { countdown, holderText, reopenedText, whyText } from './row-text.ts'
import { itemId } from './use-inbox.ts'
import { ViewedInRow } from './viewed-by.tsx'

/** One row of the inbox. */
export const ItemLink = memo(function ItemLink(props: {
  item: InboxItem
  selected: boolean
  me: string
  compact: boolean
  tabIndex: number
  onOpen: (item: InboxItem) => void
}) {
  const { item, selected } = props
  return (
    <a
      href="#/alerts"
      draggable={false}
      data-alert={itemId(item)}
      aria-current={selected || undefined}
      tabIndex={props.tabIndex}
      onClick={(event) => {
        event.preventDefault()
        props.onOpen(item)
      }}
      className={`block w-full border-b contain-content px-3 text-start ${props.compact ? 'py-1' : 'py-2'} ${selected ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      {item.kind === 'alert' ? <AlertLines row={item} me={props.me} /> : <WatchedLines session={item} />}
    </a>
  )
})

/** Who and how urgent, why, and who holds it or how long it waits. */
function AlertLines({ row, me }: { row: AlertRow; me: string }) {
  return (
    <>
      <span className="flex items-center gap-2">
        <TierBadge tier={row.tier} />
        <span className="min-w-0 flex-1 truncate">
          <StudentName student={row.student} more />
        </span>
        <span className="text-small text-ink-soft">
          <ReceivedAge at={row.opened_at} received_at={row.received_at} />
        </span>
      </span>
      <span className="block truncate">
        {row.late_by_ms !== null && (
          <strong className="font-semibold">{words.alerts.row.late(lengthText(row.late_by_ms))} · </strong>
        )}
        {whyText(row)}
      </span>
      <span className="flex min-h-4 items-baseline gap-2 text-small text-ink-soft">
        <State row={row} me={me} />
        {row.again_count > 0 && <span className="ms-auto shrink-0">{words.alerts.row.again(row.again_count)}</span>}
      </span>
    </>
  )
}

/** Caution has no clock and nobody who holds it. */
function WatchedLines({ session }: { session: WatchedSession }) {
  return (
    <>
      <span className="flex items-center gap-2">
        <TierBadge tier="caution" />
        <span className="min-w-0 flex-1 truncate">
          <StudentName student={session.student} more />
        </span>
        <span className="text-small text-ink-soft">
          <Age at={session.last_message_at} />
        </span>
      </span>
      <span className="block truncate">{words.alerts.watched.row(session.message_count)}</span>
      <span className="block min-h-4" />
    </>
  )
}

function State({ row, me }: { row: AlertRow; me: string }) {
  const escalates = use(EscalatesContext)
  const clock = useTicking(useCallback(() => countdown(row, Date.now())?.text ?? '', [row]))
  const holder = useTicking(useCallback(() => holderText(row, me, Date.now()) ?? '', [row, me]))
  const step = useTicking(useCallback(() => stepText(row, Date.now(), escalates) ?? '', [row, escalates]))
  const rest = [holder, step, row.reopened === null ? '' : reopenedText(row.reopened.reason)]
    .filter((part) => part !== '')
    .join(' · ')
  const over = clock !== '' && (countdown(row, Date.now())?.over ?? false)
  return (
    <span className="min-w-0 truncate">
      {clock !== '' && (over ? <OverdueMark text={clock} /> : <span className="text-ink">{clock}</span>)}
      {clock !== '' && rest !== '' && ' · '}
      {rest}
      <ViewedInRow alertKey={row.key} />
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
