import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce, hush, saidNow, tell } from '../../../renderer/app/announcer.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  hush()
})
afterEach(() => {
  hush()
  vi.useRealTimers()
})

it('what is over is taken back, and what was said with it stays', () => {
  const takeBack = tell('It is your turn.', 'assertive')
  announce('New crisis alert.', 'assertive')
  expect(saidNow().assertive).toBe('It is your turn. New crisis alert.')
  takeBack()
  expect(saidNow().assertive).toBe('New crisis alert.')
})

it('what was said since is not taken back with it', () => {
  const takeBack = tell('It is your turn.', 'assertive')
  vi.advanceTimersByTime(5000)
  announce('New crisis alert.', 'assertive')
  takeBack()
  expect(saidNow().assertive).toBe('New crisis alert.')
})
