import { afterEach, beforeEach, expect, it } from 'vitest'
import { CallFailed } from '../../../main/chat/index.ts'
import { readTranscripts, replay } from '../../../main/replay/index.ts'
import { serveIntake } from '../../../main/station/intake/index.ts'
import { crisisWords, intakeSchool, type IntakeSchool } from '../../support/intake-school.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const key = 'key-of-the-replay-01'
let at: IntakeSchool
let served: { url: string; close: () => Promise<void> }
beforeEach(async () => {
  at = await intakeSchool()
  const limited = { ...at.serverOptions(key), rateLimit: { perSecond: 1, burst: 30 } }
  served = await serveIntake(limited, { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await served.close()
  await at.close()
})

const start = Date.UTC(2026, 0, 20, 8)
const session = (id: string, ...turns: [minute: number, text: string][]) =>
  JSON.stringify({
    session_id: id,
    student: `student-${id}`,
    turns: turns.map(([minute, text]) => ({ role: 'student', text, at: start + minute * 60_000 })),
  })

const run = (lines: string[], more: Partial<Parameters<typeof replay>[1]> = {}) =>
  replay(readTranscripts(lines), {
    target: () => ({ url: served.url, key }),
    speed: 0,
    parallel: 4,
    clock: at.clock,
    signal: new AbortController().signal,
    ...more,
  })
const messages = async () => (await at.events()).filter(({ event_type }) => event_type === 'MESSAGE_ANALYZED').length
const ended = async () => (await at.events()).filter(({ event_type }) => event_type === 'SESSION_ENDED').length

it('sends every session through, skips bad lines, and counts what it did', async () => {
  const figures = await run([
    session('a', [0, 'hi'], [1, crisisWords]),
    'no',
    session('b', [0, 'x'.repeat(20_000)], [9, 'bye']),
  ])
  expect(figures).toMatchObject({
    sessions: 2,
    messages: 3,
    tiers: { ok: 2, caution: 0, high: 0, crisis: 1 },
    refused: { 413: 1 },
    bad_lines: [{ line: 2 }],
    cancelled: false,
  })
  expect([await messages(), await ended()]).toEqual([3, 2])
})

it('keeps the pauses of a session, divided by the speed', async () => {
  const clock = virtualClock()
  let answered = 0
  const onProgress = (figures: { messages: number }) => void (answered = figures.messages)
  const done = run([session('a', [0, 'one'], [10, 'two'])], { speed: 60, clock, onProgress })
  // The pause begins with the answer, a little after the message is taken in.
  await expect.poll(() => answered).toBe(1)
  clock.advance(9_999)
  // A real round trip for a message that must not have been sent.
  await fetch(`${served.url}/health`)
  expect(await messages()).toBe(1)
  clock.advance(1)
  await done
  expect(await messages()).toBe(2)
})

it('waits when the intake has had too many, and sends the same message again', async () => {
  const clock = virtualClock()
  const turns = Array.from({ length: 35 }, (_, index): [number, string] => [index, `turn ${index}`])
  const done = run([session('a', ...turns)], { clock })
  let finished = false
  const settled = done.finally(() => (finished = true))
  await expect
    .poll(
      () => {
        at.clock.advance(1000)
        clock.advance(1000)
        return finished
      },
      { timeout: 5000 },
    )
    .toBe(true)
  expect(await settled).toMatchObject({ messages: 35, refused: {} })
  expect(await messages()).toBe(35)
})

it('cancelled, stops sending and ends the sessions it began', async () => {
  const cancel = new AbortController()
  const clock = virtualClock()
  const done = run([session('a', [0, 'one'], [10, 'two']), session('b', [0, 'one'], [10, 'two'])], {
    speed: 1,
    parallel: 1,
    clock,
    signal: cancel.signal,
  })
  await expect.poll(messages).toBe(1)
  cancel.abort()
  expect(await done).toMatchObject({ cancelled: true, messages: 1, sessions: 0 })
  expect([await messages(), await ended()]).toEqual([1, 1])
})

it('says so when the key is refused or nobody answers', async () => {
  await expect(
    run([session('a', [0, 'one'])], { target: () => ({ url: served.url, key: 'wrong-key' }) }),
  ).rejects.toThrow(CallFailed)
  const clock = virtualClock()
  await served.close()
  let failed = false
  const settled = expect(run([session('a', [0, 'one'])], { clock }).finally(() => (failed = true))).rejects.toThrow(
    CallFailed,
  )
  await expect.poll(() => (clock.advance(1000), failed)).toBe(true)
  await settled
})
