import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { applyInboxChange, belongs, countsKey, detailKey, listKey } from '../../../renderer/alerts/inbox-cache.ts'
import { cachedPages, pageSize, type RowsPage } from '../../../renderer/controls/pages.ts'
import { compareInbox } from '../../../shared/inbox-order.ts'
import type { AlertCounts, AlertRow, InboxChange, InboxItem } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

const filters = ['open', 'mine', 'all'] as const
type Filter = (typeof filters)[number]
const me = { id: 'me', name: 'I' }
let clients: QueryClient[] = []
afterEach(() => {
  for (const client of clients) client.clear()
  clients = []
  vi.useRealTimers()
})

/** The inbox as main has it, and a window that has read some of its pages. */
function inbox(rows: AlertRow[], heldPages: readonly number[]) {
  const client = new QueryClient()
  clients.push(client)
  const listOf = (filter: Filter) => rows.filter((row) => belongs(row, filter, 'me')).sort(compareInbox)
  const pageOf = (filter: Filter, page: number): RowsPage<InboxItem> => ({
    total: listOf(filter).length,
    rows: listOf(filter)
      .slice(page * pageSize, (page + 1) * pageSize)
      .map((row): InboxItem => ({ kind: 'alert', ...row })),
  })
  for (const filter of filters)
    for (const page of heldPages) client.setQueryData([...listKey(filter, ''), page], pageOf(filter, page))
  const counts = (): AlertCounts => ({
    open: listOf('open').length, mine: listOf('mine').length, all: rows.length, watch: 0, unacknowledged: 0, handed: 0,
  }) // prettier-ignore
  return {
    client,
    pageOf,
    /** Changes what main has, and pushes it. */
    push(change: Partial<InboxChange> & { rows: AlertRow[] }) {
      const gone = new Set([...change.rows.map(({ key }) => key), ...(change.removed ?? [])])
      rows = rows.filter(({ key }) => !gone.has(key)).concat(change.rows)
      const full = { removed: [], announce: [], counts: counts(), calls: [], everything: false, ...change }
      applyInboxChange(client, full, 'me')
    },
    held: (filter: Filter, page: number) => client.getQueryData<RowsPage<InboxItem>>([...listKey(filter, ''), page]),
    isOld: (filter: Filter, page: number) =>
      client.getQueryState([...listKey(filter, ''), page])?.isInvalidated === true,
  }
}
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => alertRowAt(1000 + at, { key: String(at).padStart(4, '0') }))

describe('a pushed change', () => {
  it('paints a new crisis above all that is less urgent, without another question', () => {
    const waiting = many(250).map((row) => ({ ...row, tier: 'high' as const }))
    const { push, held, pageOf, isOld } = inbox(waiting, [0])
    push({ rows: [alertRowAt(9000, { key: 'new' })] })
    expect(held('open', 0)?.rows[0]).toMatchObject({ kind: 'alert', key: 'new' })
    expect(held('open', 0)).toEqual(pageOf('open', 0))
    expect(isOld('open', 0)).toBe(false)
  })

  it('paints it below those that have waited longer, and above what somebody holds', () => {
    const rows = many(4).map((row, at) => (at === 3 ? { ...row, state: 'acknowledged' as const, owner: me } : row))
    const { push, held } = inbox(rows, [0])
    push({ rows: [alertRowAt(9000, { key: 'new' })] })
    expect(held('open', 0)?.rows).toMatchObject(['0000', '0001', '0002', 'new', '0003'].map((key) => ({ key })))
  })

  it('leaves the pages read as they are where it waits behind them all, and counts it', () => {
    const { push, held, pageOf, isOld } = inbox(many(250), [0])
    const before = held('open', 0)?.rows
    push({ rows: [alertRowAt(9000, { key: 'new' })] })
    expect(held('open', 0)).toEqual({ total: 251, rows: before })
    expect(held('open', 0)).toEqual(pageOf('open', 0))
    expect(isOld('open', 0)).toBe(false)
  })

  it('moves a row that was taken into “Mine”, and takes a resolved one out of “Open” into the end of “All”', () => {
    const rows = many(5)
    const { push, held } = inbox(rows, [0])
    push({ rows: [{ ...rows[2]!, state: 'acknowledged', owner: me }] })
    expect(held('mine', 0)).toMatchObject({ total: 1, rows: [{ key: '0002' }] })
    push({ rows: [{ ...rows[4]!, state: 'resolved' }] })
    expect(held('open', 0)?.rows.map((item) => item.kind === 'alert' && item.key)).toEqual([
      '0000',
      '0001',
      '0003',
      '0002',
    ])
    expect(held('all', 0)?.rows.at(-1)).toMatchObject({ key: '0004' })
  })

  it('takes out what was merged away', () => {
    const { push, held } = inbox(many(3), [0])
    push({ rows: [], removed: ['0001'] })
    expect(held('all', 0)).toMatchObject({ total: 2, rows: [{ key: '0000' }, { key: '0002' }] })
  })

  it('asks again where it cannot know which row follows, and for pages below a gap', async () => {
    const { push, isOld } = inbox(many(450), [0, 3])
    push({ rows: [], removed: ['0449'] })
    await vi.waitFor(() => expect([isOld('open', 0), isOld('open', 3)]).toEqual([true, true]))
  })

  it('asks for everything again when too much changed to be told', async () => {
    const { push, isOld } = inbox(many(5), [0])
    push({ rows: [], everything: true })
    await vi.waitFor(() => expect(filters.map((filter) => isOld(filter, 0))).toEqual([true, true, true]))
  })

  it('asks for a search and the watch list again: what belongs there only main knows', async () => {
    const { client, push, isOld } = inbox(many(3), [0])
    const others = [listKey('open', 'rivera'), listKey('watch', '')].map((key) => [...key, 0])
    for (const key of others) client.setQueryData(key, { total: 0, rows: [] })
    push({ rows: [alertRowAt(9000, { key: 'new' })] })
    await vi.waitFor(() => expect(others.every((key) => client.getQueryState(key)?.isInvalidated)).toBe(true))
    expect(isOld('open', 0)).toBe(false)
  })

  it('brings the counts, and makes old the one alert that is open, whichever of its keys it was opened by', () => {
    const { client, push } = inbox(many(3), [0])
    client.setQueryData(detailKey('alias'), { key: '0001', aliases: ['0001', 'alias'] })
    client.setQueryData(detailKey('0002'), { key: '0002', aliases: ['0002'] })
    push({ rows: [alertRowAt(9000, { key: '0001' })] })
    expect(client.getQueryData(countsKey)).toMatchObject({ all: 3 })
    expect(client.getQueryState(detailKey('alias'))?.isInvalidated).toBe(true)
    expect(client.getQueryState(detailKey('0002'))?.isInvalidated).toBe(false)
  })
})

it('leaves the top of every list as main would give it, or known to be old', () => {
  const anyRow = fc
    .record({
      key: fc.integer({ min: 0, max: 400 }),
      tier: fc.constantFrom('high', 'crisis'),
      state: fc.constantFrom('open', 'acknowledged', 'resolved'),
      at: fc.integer({ min: 0, max: 50 }),
      mine: fc.boolean(),
    } as const)
    .map(({ key, tier, state, at, mine }) =>
      alertRowAt(at, { key: String(key).padStart(4, '0'), tier, state, owner: mine ? me : null }),
    )
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRow, { selector: ({ key }) => key, minLength: 0, maxLength: 300 }),
      fc.array(fc.uniqueArray(anyRow, { selector: ({ key }) => key, maxLength: 5 }), { maxLength: 6 }),
      fc.subarray([0, 1, 2], { minLength: 1 }),
      (rows, changes, pages) => {
        const { client, push, pageOf } = inbox(rows, pages)
        for (const changed of changes) {
          const before = new Map(filters.map((filter) => [filter, refreshed(client, filter)]))
          push({ rows: changed })
          for (const filter of filters) {
            if (before.get(filter) || refreshed(client, filter)) continue
            for (const [page, { total, rows: held }] of cachedPages<InboxItem>(client, listKey(filter, '')))
              expect({ total, rows: held }).toEqual(pageOf(filter, page))
          }
        }
      },
    ),
  )
})

/** Whether a list is being asked for again. Its pages are marked in a later turn, so the refresh itself is looked for. */
const marks = new WeakMap<QueryClient, Set<string>>()
vi.mock(import('../../../renderer/controls/pages.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    refreshPages(key, client) {
      if (client) marks.set(client, (marks.get(client) ?? new Set()).add(JSON.stringify(key)))
      real.refreshPages(key, client)
    },
  }
})
const refreshed = (client: QueryClient, filter: Filter) =>
  marks.get(client)?.has(JSON.stringify(listKey(filter, ''))) === true
