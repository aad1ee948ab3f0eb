/**
 * A long list of which only the pages in sight are asked for. Rows are read by position; what is on
 * screen stays there until its newer version has arrived. The pages themselves live in the query cache.
 */
import {
  QueriesObserver,
  hashKey,
  type QueryClient,
  type QueryKey,
  type QueryObserverResult,
} from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import { queryClient } from './ask-main.ts'
import { personalErrorOf } from './personal-error.ts'

export interface RowsPage<Row> {
  total: number
  rows: Row[]
}

type Ask<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<RowsPage<Row>>

export const pageSize = 100
/** How long a page out of sight is remembered unless said otherwise (milliseconds). */
const oneMinute = 60_000
/** Two refreshes of a list never begin closer together than this (milliseconds). */
export const refreshInterval = 100

/** A list as it stands: a new one each time something of it changed. */
export interface Pages<Row> {
  /** Number of rows in all; null until the first page arrived. */
  total: number | null
  error: PersonalError | null
  /** The row at a position, or undefined while its page is on the way. */
  rowAt(index: number): Row | undefined
  /** Position of a row among the remembered pages, or −1. */
  findIndex(matches: (row: Row) => boolean): number
  /** Says which positions are in sight (inclusive); their pages are asked for. */
  show(first: number, last: number): void
  /** Something changed: asks for the pages in sight again. */
  refresh(): void
}

/** The list behind a question; pages stand in the cache under `[...key, number of the page]`. */
export function usePages<Row>(key: QueryKey, ask: Ask<Row>, options: { remembered?: number } = {}): Pages<Row> {
  const name = hashKey(key)
  // The same key is the same question: only the first `ask` is used.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const list = useMemo(() => watchPages(queryClient, key, ask, options.remembered), [name])
  return useSyncExternalStore(list.listen, list.now)
}

/** Follows the pages in sight of one list while somebody listens. */
export function watchPages<Row>(client: QueryClient, key: QueryKey, ask: Ask<Row>, remembered = oneMinute) {
  const pageQuery = (page: number) => ({
    queryKey: [...key, page],
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(page * pageSize, pageSize, signal),
    gcTime: remembered,
    // A page that comes into sight again is asked for again only when it is old.
    refetchOnMount: true,
  })
  const observer = new QueriesObserver(client, [pageQuery(0)])
  let inSight: readonly [number, number] = [0, 0]
  const dataOf = (results: readonly QueryObserverResult[]) =>
    results.map(({ data }) => data as RowsPage<Row> | undefined)
  let shown = dataOf(observer.getCurrentResult())
  let failure: unknown = null
  let total = newest(cachedPages<Row>(client, key).values())?.total ?? null

  const listAsItStands = (): Pages<Row> => ({
    total,
    error: failure === null ? null : personalErrorOf(failure),
    rowAt: (index) =>
      client.getQueryData<RowsPage<Row>>([...key, Math.floor(index / pageSize)])?.rows[index % pageSize],
    findIndex(matches) {
      for (const [page, { rows }] of cachedPages<Row>(client, key)) {
        const at = rows.findIndex(matches)
        if (at >= 0) return page * pageSize + at
      }
      return -1
    },
    show(first, last) {
      const pages = [pageOf(first), pageOf(last)] as const
      if (pages[0] === inSight[0] && pages[1] === inSight[1]) return
      inSight = pages
      observer.setQueries(Array.from({ length: pages[1] - pages[0] + 1 }, (_, at) => pageQuery(pages[0] + at)))
    },
    refresh: () => refreshPages(key, client),
  })
  let list = listAsItStands()

  return {
    now: () => list,
    listen(tell: () => void) {
      const stop = observer.subscribe((results) => {
        const data = dataOf(results)
        const failed = results.find(({ error }) => error !== null)?.error ?? null
        if (failed === failure && data.length === shown.length && data.every((page, at) => page === shown[at])) return
        shown = data
        failure = failed
        total = newest(cachedPages<Row>(client, key).values())?.total ?? total
        list = listAsItStands()
        tell()
      })
      return stop
    },
  }
}

const pageOf = (index: number) => Math.floor(Math.max(0, index) / pageSize)

interface CachedPage<Row> extends RowsPage<Row> {
  arrivedAt: number
}

/** The remembered pages of a list by number, from the top. */
export function cachedPages<Row>(client: QueryClient, key: QueryKey): Map<number, CachedPage<Row>> {
  const found = client
    .getQueryCache()
    .findAll({ queryKey: key })
    .flatMap(({ queryKey, state }): [number, CachedPage<Row>][] => {
      const page = queryKey[key.length]
      const data = state.data as RowsPage<Row> | undefined
      return typeof page === 'number' && data ? [[page, { ...data, arrivedAt: state.dataUpdatedAt }]] : []
    })
  return new Map(found.sort(([a], [b]) => a - b))
}

function newest<Row>(pages: Iterable<CachedPage<Row>>): CachedPage<Row> | undefined {
  let last: CachedPage<Row> | undefined
  for (const page of pages) if (!last || page.arrivedAt >= last.arrivedAt) last = page
  return last
}

const refreshing = new WeakMap<QueryClient, Map<string, { again: boolean }>>()

/**
 * The remembered pages of all lists under a key are old: those in sight are asked for again, at once and
 * then at most once per {@link refreshInterval}. Answers under way may have been made before the change
 * and are not taken; a refresh itself is never cut short by the next one, however many follow.
 */
export function refreshPages(key: QueryKey, client: QueryClient = queryClient): void {
  const name = hashKey(key)
  const running = refreshing.get(client) ?? new Map<string, { again: boolean }>()
  refreshing.set(client, running)
  const known = running.get(name)
  if (known) {
    known.again = true
    return
  }
  const state = { again: true }
  running.set(name, state)
  const next = async () => {
    if (!state.again) return void running.delete(name)
    state.again = false
    const earliest = performance.now() + refreshInterval
    // A first answer under way would else be taken for one made after the change.
    await client.cancelQueries({ queryKey: key, predicate: (query) => query.state.data === undefined })
    await client.invalidateQueries({ queryKey: key })
    setTimeout(() => void next(), Math.max(0, earliest - performance.now()))
  }
  void next()
}
