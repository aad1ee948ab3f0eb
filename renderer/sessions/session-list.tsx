import { useDeferredValue } from 'react'
import { sentimentBand } from '../../shared/assessment.ts'
import type { SessionRow } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import {
  Clock, EmptyState, ErrorNotice, RowList, StudentName, TierBadge, leaveSearch, lengthText, usePagedRows, useSubscription,
} from '../controls/index.ts' // prettier-ignore
import { words } from '../words/index.ts'
import { sessionState } from './session-state.ts'

const text = words.sessions

/** Every session, newest first. */
export function SessionList(props: {
  search: string
  cursor: number
  onSearch: (text: string) => void
  onCursor: (index: number) => void
  onOpen: (row: SessionRow) => void
}) {
  const search = useDeferredValue(props.search.trim())
  const { rows, total, error, refresh } = usePagedRows<SessionRow>(search, (offset, limit) =>
    trpc.sessions.page.query({ offset, limit, ...(search ? { search } : {}) }),
  )
  useSubscription<{ at: number }>((on) => trpc.students.listChanges.subscribe(undefined, on), refresh, [])
  return (
    <section aria-label={text.list} className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-surface px-3 py-2">
        <h1 className="text-medium">{text.list}</h1>
        <input
          type="search"
          className="field max-w-64"
          aria-label={text.search}
          placeholder={text.searchHint}
          value={props.search}
          onChange={(event) => props.onSearch(event.target.value)}
          onKeyDown={leaveSearch}
        />
        <p role="status" className="text-ink-faint">
          {total === null ? words.common.loading : text.total(total)}
        </p>
      </header>
      {error && <ErrorNotice error={error} onRetry={refresh} />}
      {total === 0 && !error && (
        <EmptyState title={search ? text.none : text.empty}>{search ? text.noneHint : text.emptyHint}</EmptyState>
      )}
      {total !== null && total > 0 && (
        <RowList
          label={text.list}
          rows={rows}
          total={total}
          cursor={Math.min(props.cursor, total - 1)}
          onCursor={props.onCursor}
          onOpen={props.onOpen}
          draw={(row) => <Row row={row} />}
        />
      )}
    </section>
  )
}

function Row({ row }: { row: SessionRow }) {
  const end = row.ended_at ?? row.last_message_at
  return (
    <span className="flex min-h-7 flex-wrap items-center gap-x-4 narrow:grid narrow:grid-cols-[6.5rem_minmax(10rem,1fr)_7rem_5.5rem_6.5rem] wide:grid-cols-[6.5rem_minmax(12rem,1fr)_7rem_5.5rem_6.5rem_5rem_12rem]">
      <TierBadge tier={row.highest_tier} />
      <span className="min-w-0 truncate">
        <StudentName student={row.student} more />
      </span>
      <Clock at={row.started_at} />
      <span className={row.status === 'ended' ? 'text-ink-faint' : 'font-semibold'}>{sessionState(row)}</span>
      <span className="text-end text-ink-soft">{text.messages(row.message_count)}</span>
      <span className="hidden text-end text-ink-faint wide:inline">
        {end === null ? '' : lengthText(end - row.started_at)}
      </span>
      <span className="hidden truncate text-ink-faint wide:inline">
        {row.sentiment_average === null
          ? ''
          : text.sentiment(row.sentiment_average, text.band[sentimentBand(row.sentiment_average)])}
      </span>
    </span>
  )
}
