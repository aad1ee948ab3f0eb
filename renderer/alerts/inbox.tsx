/** The list named “Alerts”: tabs, search, and rows of which only those in sight are held. */
import { forwardRef, useMemo, type HTMLAttributes, type RefObject } from 'react'
import { Virtuoso, type Components, type VirtuosoHandle } from 'react-virtuoso'
import type { AlertCounts, AlertFilter, InboxItem } from '../../shared/views.ts'
import { Age, EmptyState, ErrorNotice, Tabs, type Pages } from '../controls/index.ts'
import { usePreferences } from '../app/index.ts'
import { words } from '../words/index.ts'
import { ItemLink, RowPlaceholder } from './item-link.tsx'
import { itemId } from './use-inbox.ts'

export interface InboxProps {
  filter: AlertFilter
  onFilter: (filter: AlertFilter) => void
  search: string
  onSearch: (search: string) => void
  counts: AlertCounts | undefined
  rows: Pages<InboxItem>
  selected: string | null
  onOpen: (item: InboxItem) => void
  me: string
  /** When the alarm was last checked, as the strip says it (UTC milliseconds); null = never. */
  checkedAt: number | null
  listRef: RefObject<VirtuosoHandle | null>
}

const filters: readonly AlertFilter[] = ['open', 'mine', 'watch', 'all']

export function Inbox(props: InboxProps) {
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <Tabs
        label={words.alerts.filterLabel}
        tabs={filters.map((id) => ({ id, label: words.alerts.filters[id], count: props.counts?.[id] }))}
        chosen={props.filter}
        onChoose={props.onFilter}
        panelClass="flex min-h-0 flex-1 flex-col"
      >
        <div className="border-b p-2">
          <input
            type="search"
            className="field"
            aria-label={words.alerts.search}
            placeholder={words.alerts.searchHint}
            value={props.search}
            onChange={(event) => props.onSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
          />
        </div>
        <Rows {...props} />
      </Tabs>
    </div>
  )
}

interface ListContext {
  total: number
}

const listParts: Components<undefined, ListContext> = {
  List: forwardRef<HTMLDivElement, HTMLAttributes<HTMLDivElement> & { context?: ListContext }>(function AlertList(
    { context: _context, ...rest },
    ref,
  ) {
    return <div {...rest} ref={ref} role="list" aria-label={words.alerts.list} />
  }),
  Item: ({ context, item: _item, ...rest }) => (
    <div {...rest} role="listitem" aria-setsize={context.total} aria-posinset={Number(rest['data-index']) + 1} />
  ),
}

function Rows(props: InboxProps) {
  const { rows, selected } = props
  const { total, error } = rows
  const compact = usePreferences()?.density === 'compact'
  const selectedAt = selected === null ? -1 : rows.findIndex((item) => itemId(item) === selected)
  const context = useMemo(() => ({ total: total ?? 0 }), [total])
  const notice = error && <ErrorNotice inset error={error} onRetry={rows.refresh} />
  if (total === null) return notice ?? <p className="p-3 text-ink-faint">{words.common.loading}</p>
  if (total === 0) return notice ?? <Nothing {...props} />
  return (
    <>
      {notice}
      <Virtuoso<undefined, ListContext>
        ref={props.listRef}
        className="ring-inside min-h-0 flex-1"
        // Its rows take the Tab key.
        tabIndex={-1}
        totalCount={total}
        context={context}
        components={listParts}
        defaultItemHeight={compact ? 61 : 69}
        increaseViewportBy={200}
        rangeChanged={({ startIndex, endIndex }) => rows.show(startIndex, endIndex)}
        computeItemKey={(index) => {
          const item = rows.rowAt(index)
          return item ? itemId(item) : index
        }}
        itemContent={(index) => {
          const item = rows.rowAt(index)
          if (!item) return <RowPlaceholder compact={compact} />
          return (
            <ItemLink
              item={item}
              selected={itemId(item) === selected}
              me={props.me}
              compact={compact}
              // One row takes the Tab key: the chosen one, else the first.
              tabIndex={index === Math.max(0, selectedAt) ? 0 : -1}
              onOpen={props.onOpen}
            />
          )
        }}
      />
    </>
  )
}

function Nothing({ search, filter, checkedAt }: InboxProps) {
  const empty = words.alerts.empty
  const which = search.trim() === '' ? filter : 'search'
  return (
    <EmptyState title={empty[which]}>
      {which === 'open' && (
        <p>
          {checkedAt === null ? (
            empty.notProven
          ) : (
            <>
              {empty.proven} <Age at={checkedAt} />.
            </>
          )}
        </p>
      )}
      <p>{empty.will[which]}</p>
    </EmptyState>
  )
}
