import { expect, it, vi } from 'vitest'
import { createKeeper } from '../../../renderer/app/keeper.ts'

it('hands each letter on without waiting for the one before, and that there is none any more', () => {
  const sent: [string, string | null][] = []
  const keep = createKeeper((name, draft) => {
    sent.push([name, draft])
    return new Promise(() => undefined)
  })
  keep('a', 'C')
  keep('a', 'Ca')
  keep('b', { to: 'x' })
  keep('a', undefined)
  expect(sent).toEqual([
    ['a', '"C"'],
    ['a', '"Ca"'],
    ['b', '{"to":"x"}'],
    ['a', null],
  ])
})

it('goes on trying while the program is away, and then hands on the newest', async () => {
  vi.useFakeTimers()
  try {
    let away = true
    const sent: (string | null)[] = []
    const keep = createKeeper((_, draft) => {
      if (away) return Promise.reject(new Error('lost'))
      sent.push(draft)
      return Promise.resolve()
    })
    keep('a', 'C')
    await vi.advanceTimersByTimeAsync(60_000)
    keep('a', 'Ca')
    expect(sent).toEqual([])
    away = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toEqual(['"Ca"'])
  } finally {
    vi.useRealTimers()
  }
})
