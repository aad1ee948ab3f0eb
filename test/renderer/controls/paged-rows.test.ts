import { expect, it, vi } from 'vitest'
import { PagedRows } from '../../../renderer/controls/paged-rows.ts'

/** A list of `total` numbers that can be changed, and whose answers can be held back. */
function source(total: number) {
  const asked: number[] = []
  let version = 0
  let gate: Promise<void> = Promise.resolve()
  const rows = new PagedRows<string>(async (offset, limit) => {
    asked.push(offset)
    const now = version
    await gate
    const count = Math.max(0, Math.min(limit, total - offset))
    return { total, rows: Array.from({ length: count }, (_, at) => `${offset + at} v${now}`) }
  })
  return {
    rows,
    asked,
    change: () => version++,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

it('fetches only the pages in sight of fifty thousand rows', async () => {
  const { rows, asked } = source(50_000)
  rows.show(0, 20)
  await vi.waitFor(() => expect(rows.total).toBe(50_000))
  rows.show(31_990, 32_010)
  await vi.waitFor(() => expect(rows.rowAt(32_005)).toBe('32005 v0'))
  expect(asked).toEqual([0, 31_900, 32_000])
})

it('keeps what is on screen until its newer version has arrived', async () => {
  const { rows, change, hold } = source(10)
  rows.show(0, 9)
  await vi.waitFor(() => expect(rows.rowAt(3)).toBe('3 v0'))
  change()
  const release = hold()
  rows.refresh()
  expect(rows.rowAt(3)).toBe('3 v0')
  release()
  await vi.waitFor(() => expect(rows.rowAt(3)).toBe('3 v1'))
})

it('makes one question of many changes at once', async () => {
  const { rows, asked } = source(10)
  rows.show(0, 9)
  await vi.waitFor(() => expect(rows.total).toBe(10))
  for (let at = 0; at < 50; at++) rows.refresh()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
})

it('asks again for what changed while the answer was on its way', async () => {
  const { rows, change, hold } = source(10)
  const release = hold()
  rows.show(0, 9)
  rows.refresh()
  await vi.waitFor(() => {
    change()
    rows.refresh()
    release()
    expect(rows.rowAt(0)).toMatch(/v[1-9]/)
  })
})

it('forgets far pages, so that memory does not grow with the list', async () => {
  const { rows } = source(50_000)
  for (let page = 0; page < 40; page++) {
    rows.show(page * 100, page * 100)
    await vi.waitFor(() => expect(rows.rowAt(page * 100)).toBeDefined(), { interval: 1 })
  }
  expect(rows.rowAt(0)).toBeUndefined()
  expect(rows.rowAt(3900)).toBeDefined()
})

it('finds a row by what it is, wherever it stands', async () => {
  const { rows } = source(300)
  rows.show(100, 250)
  await vi.waitFor(() => expect(rows.findIndex((row) => row.startsWith('204 '))).toBe(204))
  expect(rows.findIndex((row) => row === 'absent')).toBe(-1)
})

it('tells an empty list from one that could not be read', async () => {
  const rows = new PagedRows<string>(() => Promise.reject(new Error('no')))
  rows.show(0, 0)
  await vi.waitFor(() => expect(rows.error?.happened).toBeTruthy())
})
