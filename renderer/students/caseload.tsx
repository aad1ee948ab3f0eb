/** The caseload: every student by current risk and trend. */
import { useDeferredValue } from 'react'
import type { RiskTier } from '../../shared/risk.ts'
import type { StudentRow } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { Sparkline } from '../charts/index.ts'
import {
  Age, EmptyState, ErrorNotice, RowList, Select, StudentName, TierBadge, leaveSearch, usePagedRows, useSubscription,
} from '../controls/index.ts' // prettier-ignore
import { words } from '../words/index.ts'

const text = words.students
const tiers = (['any', 'crisis', 'high', 'caution', 'ok'] as const).map((value) => ({
  value,
  label: text.filter[value],
}))

export function Caseload(props: {
  search: string
  tier: RiskTier | 'any'
  cursor: number
  onSearch: (text: string) => void
  onTier: (tier: RiskTier | 'any') => void
  onCursor: (index: number) => void
  onOpen: (row: StudentRow) => void
}) {
  const { tier } = props
  const search = useDeferredValue(props.search.trim())
  const { rows, total, error, refresh } = usePagedRows<StudentRow>(`${tier} ${search}`, (offset, limit) =>
    trpc.students.page.query({ offset, limit, ...(search ? { search } : {}), ...(tier === 'any' ? {} : { tier }) }),
  )
  useSubscription<{ at: number }>((on) => trpc.students.listChanges.subscribe(undefined, on), refresh, [])

  return (
    <section aria-label={text.list} className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-surface px-3 py-2">
        <h1 className="text-medium">{text.list}</h1>
        <input
          type="search"
          className="field w-72 max-w-full shrink-0"
          aria-label={text.search}
          placeholder={text.searchHint}
          value={props.search}
          onChange={(event) => props.onSearch(event.target.value)}
          onKeyDown={leaveSearch}
        />
        <Select label={text.tierLabel} labelHidden value={tier} choices={tiers} onChange={props.onTier} />
        <p role="status" className="text-ink-faint">
          {total === null ? words.common.loading : text.total(total)}
        </p>
        <p className="text-ink-faint">{text.order}</p>
      </header>
      {error && <ErrorNotice error={error} onRetry={refresh} />}
      {total === 0 && !error && <NoStudents filtered={search !== '' || tier !== 'any'} />}
      {total !== null && total > 0 && <Headings />}
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

function NoStudents({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState title={text.none}>{text.noneHint}</EmptyState>
  ) : (
    <EmptyState title={text.empty}>{text.emptyHint}</EmptyState>
  )
}

const columns =
  'narrow:grid narrow:grid-cols-[6.5rem_minmax(8rem,1fr)_6.5rem_6.5rem_6.5rem_5.5rem] wide:grid-cols-[6.5rem_minmax(12rem,1fr)_6.5rem_6.5rem_6.5rem_5.5rem_5.5rem_5.5rem_7rem]'

/** Over the columns, for the eye; each row says by itself what its figures are. */
function Headings() {
  const { columns: of } = text
  return (
    <div
      aria-hidden="true"
      className={`hidden gap-x-4 border-b bg-surface px-3 py-1 text-small text-ink-faint ${columns}`}
    >
      <span>{of.tier}</span>
      <span>{of.student}</span>
      <span>{of.alerts}</span>
      <span>{of.spark}</span>
      <span>{of.trend}</span>
      <span className="text-end">{of.last}</span>
      <span className="hidden text-end wide:inline">{of.score}</span>
      <span className="hidden text-end wide:inline">{of.sessions}</span>
      <span className="hidden wide:inline">{of.counselor}</span>
    </div>
  )
}

function Row({ row }: { row: StudentRow }) {
  return (
    <span className={`flex min-h-7 flex-wrap items-center gap-x-4 ${columns}`}>
      <TierBadge tier={row.tier} />
      <span className="min-w-0 truncate">
        <StudentName student={row.student} more />
      </span>
      <span className="font-semibold whitespace-nowrap">{row.open_alerts > 0 && text.openAlerts(row.open_alerts)}</span>
      <Sparkline values={row.spark} />
      <span className="whitespace-nowrap text-ink-soft">{text.trend[row.trend]}</span>
      <span className="truncate text-end text-ink-faint">
        {row.last_message_at === null ? text.noMessage : <Age at={row.last_message_at} />}
      </span>
      <span className="hidden text-end text-ink-faint wide:inline">
        {row.score === null ? '' : text.score(row.score)}
      </span>
      <span className="hidden text-end text-ink-faint wide:inline">{text.sessions(row.sessions)}</span>
      <span className="hidden min-w-0 truncate text-ink-faint wide:inline">{row.counselor ?? ''}</span>
    </span>
  )
}
