import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cachedPages, refreshPages, watchPages, type Pages } from '../../../renderer/controls/pages.ts'

const key = ['numbers']
let client: QueryClient
beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false, networkMode: 'always' } },
  })
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

/** A list of `total` numbers in a version that goes up, each answer after `delay` ms, or held back. */
function numbers(total: number, { delay = 5, remembered }: { delay?: number; remembered?: number } = {}) {
  const asked: number[] = []
  const at = { version: 0, total, fails: false, held: null as Promise<void> | null }
  const list = watchPages<string>(
    client,
    key,
    async (offset, limit, signal) => {
      asked.push(offset)
      const { version } = at
      await (at.held ?? new Promise((done) => setTimeout(done, delay)))
      signal.throwIfAborted()
      if (at.fails) throw new Error('no')
      const count = Math.max(0, Math.min(limit, at.total - offset))
      return { total: at.total, rows: Array.from({ length: count }, (_, index) => `${offset + index} v${version}`) }
    },
    remembered,
  )
  /** Every state the screen was given, as its first row. */
  const drawn: (string | undefined)[] = []
  const stop = list.listen(() => drawn.push(list.now().rowAt(0)))
  return { at, asked, drawn, stop, now: (): Pages<string> => list.now() }
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

it('asks only for the pages in sight of fifty thousand rows', async () => {
  const { now, asked } = numbers(50_000)
  expect(now().total).toBeNull()
  await pass(10)
  expect(now().total).toBe(50_000)
  now().show(31_990, 32_010)
  // The list stays as long as it is while a page is on the way.
  expect([now().total, now().rowAt(32_005)]).toEqual([50_000, undefined])
  await pass(10)
  expect([now().rowAt(31_999), now().rowAt(32_005), now().rowAt(0)]).toEqual(['31999 v0', '32005 v0', '0 v0'])
  expect(asked).toEqual([0, 31_900, 32_000])
})

it('keeps what is on screen until its newer version has arrived', async () => {
  const { at, now, drawn } = numbers(10, { delay: 50 })
  await pass(60)
  at.version = 1
  now().refresh()
  await pass(40)
  expect(now().rowAt(3)).toBe('3 v0')
  await pass(20)
  expect(now().rowAt(3)).toBe('3 v1')
  expect(drawn).toEqual(['0 v0', '0 v1'])
})

it('asks at most ten times a second, and comes to the last state, however often something changes', async () => {
  const { at, now, asked } = numbers(10)
  await pass(10)
  for (let change = 1; change <= 200; change++) {
    at.version = change
    now().refresh()
    await pass(5)
  }
  expect(asked.length).toBeLessThanOrEqual(12)
  expect(asked.length).toBeGreaterThanOrEqual(9)
  await pass(200)
  expect(now().rowAt(0)).toBe('0 v200')
})

it('does not take the first answer where something changed while it was made', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { at, now, drawn } = numbers(10)
  at.held = promise
  client.clear()
  const second = numbers(10)
  second.at.held = promise
  second.at.version = 1
  second.now().refresh()
  await pass(1)
  second.at.version = 2
  second.now().refresh()
  resolve()
  await pass(300)
  expect(second.now().rowAt(0)).toBe('0 v2')
  expect(now().rowAt(0)).toBe('0 v2')
  expect(drawn).not.toContain('0 v0')
})

it('finishes a refresh that takes longer than the changes are apart', async () => {
  const { at, now } = numbers(10, { delay: 250 })
  await pass(300)
  const changing = setInterval(() => {
    at.version++
    now().refresh()
  }, 20)
  await pass(1000)
  expect(Number(now().rowAt(0)?.split('v')[1])).toBeGreaterThan(10)
  clearInterval(changing)
})

it('asks for a page out of sight only when it comes into sight again', async () => {
  const { at, now, asked } = numbers(1000)
  await pass(10)
  now().show(500, 520)
  await pass(10)
  at.version = 1
  refreshPages(key, client)
  await pass(10)
  expect(asked).toEqual([0, 500, 500])
  now().show(0, 20)
  // Until then, what is known of it stands there.
  expect(now().rowAt(7)).toBe('7 v0')
  await pass(10)
  expect([asked.at(-1), now().rowAt(7)]).toEqual([0, '7 v1'])
})

it('forgets pages that have long been out of sight, unless it is told to keep them', async () => {
  const { now } = numbers(50_000, { remembered: 60_000 })
  await pass(10)
  now().show(5000, 5010)
  await pass(61_000)
  expect([now().rowAt(0), now().rowAt(5000)]).toEqual([undefined, '5000 v0'])
  expect(now().total).toBe(50_000)
})

it('finds a row by what it is, wherever it stands, and gives the pages from the top', async () => {
  const { now } = numbers(300)
  await pass(10)
  now().show(150, 250)
  await pass(10)
  expect(now().findIndex((row) => row.startsWith('204 '))).toBe(204)
  expect(now().findIndex((row) => row === 'absent')).toBe(-1)
  expect([...cachedPages(client, key).keys()]).toEqual([0, 1, 2])
})

it('tells an empty list from one that could not be read, and keeps its rows when it no longer can', async () => {
  const { at, now } = numbers(0)
  at.fails = true
  await pass(10)
  expect([now().total, now().error?.happened]).toEqual([null, expect.any(String)])
  at.fails = false
  now().refresh()
  await pass(10)
  expect([now().total, now().error]).toEqual([0, null])
  at.total = 3
  now().refresh()
  await pass(150)
  at.fails = true
  now().refresh()
  await pass(150)
  expect([now().error?.happened, now().rowAt(2)]).toEqual([expect.any(String), '2 v0'])
})

it('stays silent when nothing changed', async () => {
  const { now, drawn } = numbers(10)
  await pass(10)
  now().refresh()
  await pass(150)
  expect(drawn).toHaveLength(1)
})
