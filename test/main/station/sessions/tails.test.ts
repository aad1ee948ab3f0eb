import { describe, expect, it } from 'vitest'
import { createTails } from '../../../../main/station/sessions/tails.ts'
import { minutes } from '../../../../shared/time.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import type { StoredMessage, StoredSession } from '../../../../main/store/station/index.ts'

const session = (changes: Partial<StoredSession> = {}): StoredSession => ({
  school_id: 'school',
  session_id: 'session-1',
  student_hash: 'hash',
  status: 'active',
  started_at: 0,
  ended_at: null,
  last_message_at: null,
  metadata: {},
  last_sequence: 0,
  message_count: 0,
  student_turns: 0,
  assistant_turns: 0,
  sentiment_average: null,
  highest_tier: 'ok',
  notes: [],
  suggested_resources: [],
  drill: false,
  ...changes,
})
const message = (sequence: number, characters = 10) =>
  ({ sequence, content: { ciphertext: 'c'.repeat(characters), encrypted_key: 'k' } }) as StoredMessage

describe('the newest messages of a session', () => {
  it('are those that were kept, as many as are asked for', () => {
    const tails = createTails(2, virtualClock())
    expect(tails.of(session())).toBeNull()
    tails.keep(session(), [], message(1))
    const one = session({ last_sequence: 1, message_count: 1 })
    expect(tails.of(one)).toEqual([message(1)])
    tails.keep(one, [message(1)], message(2))
    tails.keep(session({ last_sequence: 2, message_count: 2 }), [message(1), message(2)], message(3))
    expect(tails.of(session({ last_sequence: 3, message_count: 3 }))).toEqual([message(2), message(3)])
    expect(tails.of(session({ session_id: 'session-2', last_sequence: 3, message_count: 3 }))).toBeNull()
  })

  it.each([
    ['another station has taken a message', { last_sequence: 2, message_count: 1 }],
    ['another station has decided one', { last_sequence: 1, message_count: 2 }],
    ['the session has ended', { last_sequence: 1, message_count: 1, status: 'ended' as const }],
  ])('are read again where %s', (_why, changes) => {
    const tails = createTails(20, virtualClock())
    tails.keep(session(), [], message(1))
    expect(tails.of(session(changes))).toBeNull()
  })

  it('are read each time where they are long, and of sessions that were not heard of for long', () => {
    const tails = createTails(20, virtualClock())
    tails.keep(session(), [], message(1, 100_000))
    expect(tails.of(session({ last_sequence: 1, message_count: 1 }))).toBeNull()
    for (let number = 0; number <= 500; number++)
      tails.keep(session({ session_id: `number-${number}` }), [], message(1))
    const of = (number: number) =>
      tails.of(session({ session_id: `number-${number}`, last_sequence: 1, message_count: 1 }))
    expect(of(0)).toBeNull()
    expect(of(1)).toEqual([message(1)])
  })

  it('are held half an hour after the last of them, and not beyond the end', () => {
    const clock = virtualClock()
    const tails = createTails(20, clock)
    const one = session({ last_sequence: 1, message_count: 1 })
    tails.keep(session(), [], message(1))
    clock.advance(minutes(29))
    expect(tails.of(one)).toEqual([message(1)])
    clock.advance(minutes(1))
    expect(tails.of(one)).toBeNull()
    tails.keep(session(), [], message(1))
    tails.drop(session())
    expect(tails.of(one)).toBeNull()
  })

  it('are let go by themselves, though nobody asks for them', () => {
    const clock = virtualClock()
    const timers: number[] = []
    const after = (delay: number, work: () => void) => (timers.push(delay), clock.after(delay, work))
    const tails = createTails(20, { now: clock.now, after })
    tails.keep(session(), [], message(1))
    clock.advance(minutes(60))
    const looks = timers.length
    expect(looks).toBeGreaterThan(1)
    const stopped = createTails(20, { now: clock.now, after: () => () => void timers.push(-1) })
    stopped.keep(session(), [], message(1))
    stopped.stop()
    expect([timers.pop(), stopped.of(session({ last_sequence: 1, message_count: 1 }))]).toEqual([-1, null])
    // With nothing held there is nothing to look after.
    clock.advance(minutes(60))
    expect(timers).toHaveLength(looks)
    expect(tails.of(session({ last_sequence: 1, message_count: 1 }))).toBeNull()
  })
})
