import { useDeferredValue } from 'react'
import type { SessionRow } from '../../shared/views.ts'
import { SearchedList, trpc, useStudentPages } from '../app/index.ts'
import { Clock, EmptyState, StudentName, TierBadge, lengthText, sentimentText } from '../controls/index.ts'
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
  const rows = useStudentPages<SessionRow>(['sessions', search], (offset, limit, signal) =>
    trpc.sessions.page.query({ offset, limit, ...(search ? { search } : {}) }, { signal }),
  )
  return (
    <SearchedList
      label={text.list}
      rows={rows}
      totalText={text.total}
      search={{
        value: props.search,
        label: text.search,
        hint: text.searchHint,
        onChange: props.onSearch,
        className: 'max-w-64',
      }}
      empty={<EmptyState title={search ? text.none : text.empty}>{search ? text.noneHint : text.emptyHint}</EmptyState>}
      cursor={props.cursor}
      onCursor={props.onCursor}
      onOpen={props.onOpen}
      draw={(row) => <Row row={row} />}
    />
  )
}

function Row({ row }: { row: SessionRow }) {
  const end = row.ended_at ?? row.last_message_at
  return (
    <span className="flex min-h-7 flex-wrap items-center gap-x-4 narrow:grid narrow:grid-cols-[6.5rem_minmax(10rem,1fr)_9.5rem_5.5rem_6.5rem] wide:grid-cols-[6.5rem_minmax(12rem,1fr)_9.5rem_8rem_6.5rem_5rem_12rem]">
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
        {sentimentText(row.sentiment_average, row.highest_tier)}
      </span>
    </span>
  )
}
