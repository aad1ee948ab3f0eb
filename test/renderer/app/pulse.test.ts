import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPulse, type PulsedSocket } from '../../../renderer/app/pulse.ts'

/** A socket whose other end is this test. */
function socket() {
  const hears = new Map<string, (event: { data?: unknown }) => void>()
  const sent: string[] = []
  return {
    sent,
    end: {
      send: (text: string) => void sent.push(text),
      addEventListener: (type: string, hear: (event: { data?: unknown }) => void) => void hears.set(type, hear),
    } satisfies PulsedSocket,
    open: () => hears.get('open')?.({}),
    close: () => hears.get('close')?.({}),
    pong: () => hears.get('message')?.({ data: 'PONG' }),
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('is red within ten seconds of the last answer, and well again with the next one', () => {
  const said: boolean[] = []
  const pulse = createPulse((silent) => said.push(silent))
  const wire = socket()
  pulse.follow(wire.end)
  wire.open()
  for (let second = 0; second < 30; second += 1) {
    wire.pong()
    vi.advanceTimersByTime(1_000)
  }
  expect(said).toEqual([])
  expect(wire.sent.length).toBeGreaterThan(5)
  vi.advanceTimersByTime(10_000)
  expect(said).toEqual([true])
  vi.advanceTimersByTime(60_000)
  wire.pong()
  expect(said).toEqual([true, false])
})

it('asks nothing more of a program that owes an answer, and nothing of a socket that closed', () => {
  const said: boolean[] = []
  const pulse = createPulse((silent) => said.push(silent))
  const [first, second] = [socket(), socket()]
  pulse.follow(first.end)
  first.open()
  vi.advanceTimersByTime(60_000)
  expect(first.sent).toEqual(['PING'])
  first.close()
  pulse.follow(second.end)
  second.open()
  second.pong()
  first.pong()
  vi.advanceTimersByTime(3_000)
  expect(second.sent).toEqual(['PING', 'PING'])
  expect(said).toEqual([true])
})

it('takes a machine that slept for no silence: it gives the program the time to answer', () => {
  const said: boolean[] = []
  let slept = 0
  const pulse = createPulse(
    (silent) => said.push(silent),
    () => performance.now() + slept,
  )
  const wire = socket()
  pulse.follow(wire.end)
  wire.open()
  slept = 3_600_000
  vi.advanceTimersByTime(1_000)
  wire.pong()
  vi.advanceTimersByTime(1_500)
  expect(said).toEqual([])
})

it('tells who asked that no answer came, once, and not where it came in time', () => {
  const late: string[] = []
  const pulse = createPulse(() => undefined)
  const wire = socket()
  pulse.follow(wire.end)
  wire.open()
  wire.pong()
  pulse.ask(5_000, () => late.push('answered'))
  wire.pong()
  pulse.ask(5_000, () => late.push('silent'))
  const stop = pulse.ask(5_000, () => late.push('given up'))
  stop()
  vi.advanceTimersByTime(20_000)
  expect(late).toEqual(['silent'])
})
