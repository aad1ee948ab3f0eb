import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { onStop } from '../../../main/platform/process.ts'
import { atMost } from '../../../main/platform/stops.ts'
import { seconds } from '../../../shared/time.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

function processDouble() {
  const signals = new EventEmitter()
  const exit = vi.fn<(code: number) => void>()
  const target = { exit, on: signals.on.bind(signals) as unknown as NodeJS.Process['on'] }
  return { target, exit, send: (signal: NodeJS.Signals) => signals.emit(signal) }
}

it('ends with 0 once everything has stopped, however many signals one wish to stop makes', async () => {
  const { target, exit, send } = processDouble()
  const stop = vi.fn(() => Promise.resolve())
  onStop(virtualClock(), stop, target)
  send('SIGINT')
  send('SIGINT')
  send('SIGTERM')
  await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0))
  expect(stop).toHaveBeenCalledOnce()
  expect(exit).toHaveBeenCalledOnce()
})

it('ends with 1 where stopping fails', async () => {
  const { target, exit, send } = processDouble()
  onStop(virtualClock(), () => Promise.reject(new Error('no')), target)
  send('SIGTERM')
  await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(1))
})

it('ends at once at a second wish, and in any case after ten seconds', () => {
  for (const [wait, again] of [
    [seconds(1), true],
    [seconds(10), false],
  ] as const) {
    const { target, exit, send } = processDouble()
    const clock = virtualClock()
    onStop(clock, () => new Promise(() => undefined), target)
    send('SIGTERM')
    clock.advance(wait - 1)
    if (again) send('SIGTERM')
    expect(exit).not.toHaveBeenCalled()
    clock.advance(1)
    if (again) send('SIGINT')
    expect(exit).toHaveBeenCalledWith(1)
  }
})

it('waits for a part that may never stop as long as it was told to', async () => {
  const clock = virtualClock()
  const stopped = atMost(clock, seconds(2), () => new Promise(() => undefined))()
  clock.advance(seconds(2))
  await stopped
  await expect(atMost(clock, seconds(2), () => Promise.reject(new Error('no')))()).rejects.toThrow('no')
})
