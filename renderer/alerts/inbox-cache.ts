/** Puts a pushed change into the lists of the inbox that were read before. */
import { hashKey, type QueryClient } from '@tanstack/react-query'
import { compareInbox } from '../../shared/inbox-order.ts'
import type { AlertDetail, AlertFilter, AlertRow, InboxChange, InboxItem } from '../../shared/views.ts'
import { cachedPages, pageSize, refreshPages, type RowsPage } from '../controls/index.ts'

/** Under which keys the inbox's lists and counts, and each alert, stand in the query cache. */
const inboxKey = ['inbox'] as const
export const listKey = (filter: AlertFilter, search: string) => [...inboxKey, filter, search] as const
export const countsKey = ['inbox-counts'] as const
export const detailKey = (key: string | null) => ['alert', key] as const

type OrderedFilter = Exclude<AlertFilter, 'watch'>
const orderedFilters: readonly OrderedFilter[] = ['open', 'mine', 'all']

/** A changed row stands on screen without another question; only what a push cannot tell is asked for. */
export function applyInboxChange(client: QueryClient, change: InboxChange, me: string): void {
  client.setQueryData(countsKey, change.counts)
  refreshDetails(client, change)
  if (change.everything) return refreshPages(inboxKey, client)
  for (const filter of orderedFilters) putIntoList(client, filter, change, me)
  // Whether a row fits a search, and what is watched, only main knows.
  const ordered = new Set(orderedFilters.map((filter) => hashKey(listKey(filter, ''))))
  const others = new Map(
    client
      .getQueryCache()
      .findAll({ queryKey: inboxKey })
      .map(({ queryKey }) => [hashKey(queryKey.slice(0, -1)), queryKey.slice(0, -1)]),
  )
  for (const [name, key] of others) if (!ordered.has(name)) refreshPages(key, client)
}

/** An open alert is asked for again when it changed, under whichever of its keys it was opened. */
function refreshDetails(client: QueryClient, { rows, removed, everything }: InboxChange): void {
  const changed = new Set([...rows.map(({ key }) => key), ...removed])
  void client.invalidateQueries({
    predicate: ({ queryKey: [name, key], state }) => {
      if (name !== detailKey(null)[0]) return false
      const aliases = (state.data as AlertDetail | undefined)?.aliases ?? []
      return everything || changed.has(String(key)) || aliases.some((alias) => changed.has(alias))
    },
  })
}

function putIntoList(client: QueryClient, filter: OrderedFilter, change: InboxChange, me: string): void {
  const key = listKey(filter, '')
  const pages = cachedPages<InboxItem>(client, key)
  if (pages.size === 0) return
  const total = change.counts[filter]
  // From the top without a gap: there alone a row's position is known.
  let top: InboxItem[] = []
  let held = 0
  while (pages.has(held)) top = top.concat(pages.get(held++)?.rows ?? [])
  const before = pages.get(0)?.total ?? total
  const rows = putRows(
    { rows: top, complete: top.length >= before },
    { changed: change.rows.filter((row) => belongs(row, filter, me)), gone: goneKeys(change) },
  )
  let old = rows.length < Math.min(total, top.length) || (top.length >= before && rows.length !== total)
  // An answer under way may be older than the change.
  old ||= client.isFetching({ queryKey: key }) > 0
  const room = Math.max(held, 1) * pageSize
  const kept = rows.slice(0, room)
  for (let page = 0; page < held; page++)
    write(client, [...key, page], { total, rows: kept.slice(page * pageSize, (page + 1) * pageSize) })
  for (const [page, { rows: theirs }] of pages) {
    if (page < held) continue
    write(client, [...key, page], { total, rows: theirs })
    old = true
  }
  if (old) refreshPages(key, client)
}

function write(client: QueryClient, key: readonly unknown[], page: RowsPage<InboxItem>): void {
  client.setQueryData<RowsPage<InboxItem>>(key, page)
}

const goneKeys = ({ rows, removed }: InboxChange): ReadonlySet<string> =>
  new Set([...removed, ...rows.map(({ key }) => key)])

/** Whether the inbox lists an alert under a filter; the same as its query decides. */
export function belongs(row: AlertRow, filter: OrderedFilter, me: string): boolean {
  if (filter === 'all') return true
  if (row.state === 'resolved') return false
  return filter === 'open' || row.owner?.id === me || row.hand_off_to?.id === me
}

/**
 * The rows at the top of a list after a change: `gone` taken out, `changed` put where they belong. What
 * would stand below the last known row is left out unless the rows are the whole list (`complete`).
 */
function putRows(
  top: { rows: readonly InboxItem[]; complete: boolean },
  { changed, gone }: { changed: readonly AlertRow[]; gone: ReadonlySet<string> },
): InboxItem[] {
  const rows = top.rows.filter((item) => item.kind === 'watched' || !gone.has(item.key))
  for (const row of changed) {
    const item: InboxItem = { kind: 'alert', ...row }
    const at = rows.findIndex((other) => other.kind === 'alert' && compareInbox(row, other) < 0)
    if (at >= 0) rows.splice(at, 0, item)
    else if (top.complete) rows.push(item)
  }
  return rows
}
