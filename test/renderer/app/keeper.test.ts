import { expect, it, vi } from 'vitest'
import { createKeeper } from '../../../renderer/app/keeper.ts'

it('hands the newest on as soon as the one before has arrived, and each name by itself', async () => {
  const sent: [string, string | null][] = []
  let arrive: () => void = () => undefined
  const keep = createKeeper((name, draft) => {
    sent.push([name, draft])
    return new Promise<void>((done) => (arrive = done))
  })
  keep('a', 'C')
  keep('a', 'Ca')
  keep('a', 'Cal')
  expect(sent).toEqual([['a', '"C"']])
  const first = arrive
  keep('b', { to: 'x' })
  expect(sent.at(-1)).toEqual(['b', '{"to":"x"}'])
  first()
  await expect.poll(() => sent.at(-1)).toEqual(['a', '"Cal"'])
  keep('a', undefined)
  arrive()
  await expect.poll(() => sent.at(-1)).toEqual(['a', null])
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
