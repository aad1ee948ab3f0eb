/** The caseload: every student by current risk and trend. */
import { useDeferredValue } from 'react'
import type { RiskTier } from '../../shared/risk.ts'
import type { StudentRow } from '../../shared/views.ts'
import { SearchedList, trpc, useStudentPages } from '../app/index.ts'
import { Sparkline } from '../charts/index.ts'
import { Age, EmptyState, Select, StudentName, TierBadge } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { trendText } from './trend-text.ts'

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
  const rows = useStudentPages<StudentRow>(['students', tier, search], (offset, limit, signal) =>
    trpc.students.page.query(
      { offset, limit, ...(search ? { search } : {}), ...(tier === 'any' ? {} : { tier }) },
      { signal },
    ),
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
        className: 'w-72 max-w-full shrink-0',
      }}
      narrowing={<Select label={text.tierLabel} labelHidden value={tier} choices={tiers} onChange={props.onTier} />}
      note={<p className="text-ink-faint">{text.order}</p>}
      empty={<NoStudents filtered={search !== '' || tier !== 'any'} />}
      headings={<Headings />}
      cursor={props.cursor}
      onCursor={props.onCursor}
      onOpen={props.onOpen}
      draw={(row) => <Row row={row} />}
    />
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
      className={`scroll-gutter hidden gap-x-4 overflow-hidden border-b bg-surface px-3 py-1 text-small text-ink-faint ${columns}`}
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
      <span className="whitespace-nowrap text-ink-soft">{trendText(row)}</span>
      <span className="truncate text-end text-ink-faint">
        {row.last_message_at === null ? text.noMessage : <Age at={row.last_message_at} />}
      </span>
      <span className="hidden text-end text-ink-faint wide:inline">
        {row.score === null || row.tier === 'ok' ? '' : text.score(row.score)}
      </span>
      <span className="hidden text-end text-ink-faint wide:inline">{text.sessions(row.sessions)}</span>
      <span className="hidden min-w-0 truncate text-ink-faint wide:inline">{row.counselor ?? ''}</span>
    </span>
  )
}
