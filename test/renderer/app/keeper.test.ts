import { expect, it, vi } from 'vitest'
import { createKeeper } from '../../../renderer/app/keeper.ts'

it('hands each letter on without waiting for the one before, and that there is none any more', () => {
  const sent: [string, string | null][] = []
  const { keep } = createKeeper((name, draft) => {
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
    const { keep, whenKept } = createKeeper((_, draft) => {
      if (away) return Promise.reject(new Error('lost'))
      sent.push(draft)
      return Promise.resolve()
    })
    keep('a', 'C')
    await vi.advanceTimersByTimeAsync(60_000)
    keep('a', 'Ca')
    const kept = vi.fn()
    whenKept(kept)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toEqual([])
    expect(kept).not.toHaveBeenCalled()
    away = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toEqual(['"Ca"'])
    expect(kept).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})

it('says that all is kept only when the last letter of each is, and at once where nothing is on its way', async () => {
  const answers: (() => void)[] = []
  const { keep, whenKept } = createKeeper(() => new Promise<void>((resolve) => answers.push(resolve)))
  const kept = vi.fn()
  whenKept(kept)
  expect(kept).toHaveBeenCalledOnce()
  keep('a', 'C')
  keep('a', 'Ca')
  keep('b', 'D')
  whenKept(kept)
  for (const answer of answers.splice(0, 2)) answer()
  await Promise.resolve()
  expect(kept).toHaveBeenCalledOnce()
  answers[0]!()
  await Promise.resolve()
  expect(kept).toHaveBeenCalledTimes(2)
})
