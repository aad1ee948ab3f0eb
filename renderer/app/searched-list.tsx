/** A screen that is one long list with a search: the caseload, the sessions. */
import type { ReactNode } from 'react'
import {
  ErrorNotice,
  RowList,
  leaveSearch,
  usePages,
  useSubscription,
  type Pages,
  type RowsPage,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { trpc } from './wire.ts'

/** The pages of such a list; asked for again whenever something of any student changed. */
export function useStudentPages<Row>(
  key: readonly unknown[],
  ask: (offset: number, limit: number, signal: AbortSignal) => Promise<RowsPage<Row>>,
): Pages<Row> {
  const rows = usePages(key, ask)
  useSubscription<{ at: number }>((on) => trpc.students.listChanges.subscribe(undefined, on), rows.refresh, [])
  return rows
}

export function SearchedList<Row>(props: {
  /** Heading, and name of the region and of the list. */
  label: string
  rows: Pages<Row>
  totalText: (total: number) => string
  search: { value: string; label: string; hint: string; onChange: (value: string) => void; className: string }
  /** More ways to narrow the list, beside the search. */
  narrowing?: ReactNode
  /** Behind the number of rows. */
  note?: ReactNode
  /** In place of a list without rows. */
  empty: ReactNode
  headings?: ReactNode
  cursor: number
  onCursor: (index: number) => void
  onOpen: (row: Row) => void
  draw: (row: Row) => ReactNode
}) {
  const { label, rows, search } = props
  const { total, error } = rows
  return (
    <section aria-label={label} className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-surface px-3 py-2">
        <h1 className="text-medium">{label}</h1>
        <input
          type="search"
          className={`field ${search.className}`}
          aria-label={search.label}
          placeholder={search.hint}
          value={search.value}
          onChange={(event) => search.onChange(event.target.value)}
          onKeyDown={leaveSearch}
        />
        {props.narrowing}
        <p role="status" className="text-ink-faint">
          {total !== null ? props.totalText(total) : error === null && words.common.loading}
        </p>
        {props.note}
      </header>
      {error && <ErrorNotice inset error={error} onRetry={rows.refresh} />}
      {total === 0 && !error && props.empty}
      {total !== null && total > 0 && (
        <>
          {props.headings}
          <RowList
            label={label}
            gutter={props.headings !== undefined}
            rows={rows}
            total={total}
            cursor={Math.min(props.cursor, total - 1)}
            onCursor={props.onCursor}
            onOpen={props.onOpen}
            draw={props.draw}
          />
        </>
      )}
    </section>
  )
}
