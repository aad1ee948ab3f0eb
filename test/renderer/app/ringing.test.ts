import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRinger, firstRing, loudestRing, waits, type Ring } from '../../../renderer/app/ringing.ts'
import { announcedAfter, newsOf, waitingAfter, type Heard } from '../../../renderer/app/arrivals.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { AlertRow } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

const start = 1_000_000
const row = (change: Partial<AlertRow> = {}) => alertRowAt(start, { tier: 'crisis', reopened: null, ...change })
const me = 'me'
const handedTo = (id: string): Partial<AlertRow> => ({
  state: 'acknowledged',
  owner: { id: 'other', name: 'Other' },
  hand_off_to: { id, name: id, urgent: false },
})

describe('what waits', () => {
  it('is what nobody holds, and what was handed to me and not accepted yet', () => {
    expect(waits(row(), me)).toBe(true)
    expect(waits(row({ state: 'acknowledged', owner: { id: me, name: me } }), me)).toBe(false)
    expect(waits(row(handedTo(me)), me)).toBe(true)
    expect(waits(row(handedTo('another')), me)).toBe(false)
    expect(waits(row({ state: 'resolved' }), me)).toBe(false)
  })

  it('follows each change; what a change alone does not tell is asked for', () => {
    const change = (rows: AlertRow[], announce: string[] = [], removed: string[] = []) => ({
      rows,
      announce,
      removed,
      everything: false,
    })
    const known = [row()]
    expect(waitingAfter(known, change([row({ state: 'acknowledged' })]), me)).toEqual([])
    expect(waitingAfter(known, change([], [], ['k']), me)).toEqual([])
    expect(waitingAfter(known, change([row({ key: 'b' })], ['b']), me)?.map(({ key }) => key)).toEqual(['b', 'k'])
    expect(waitingAfter(known, change([row({ key: 'b', ...handedTo(me) })]), me)).toHaveLength(2)
    expect(waitingAfter(known, change([row({ key: 'b', state: 'resolved' })]), me)).toBe(known)
    expect(waitingAfter(known, change([row({ key: 'b' })]), me)).toBeNull()
    expect(waitingAfter(known, { ...change([]), everything: true }, me)).toBeNull()
  })
})

describe('a hand-off to me', () => {
  const heard = (change: Partial<AlertRow>) => loudestRing([row({ ...handedTo(me), ...change })], start + minutes(2))

  it('rings until it is answered where it is a crisis or urgent, and is said once otherwise', () => {
    expect(heard({ tier: 'crisis' })).not.toBeNull()
    expect(heard({ tier: 'high' })).toBeNull()
    expect(heard({ tier: 'high', hand_off_to: { id: me, name: me, urgent: true } })).not.toBeNull()
  })

  it('is news although the alert was heard before it was handed on', () => {
    const heardBefore: Heard = new Map()
    const told = (change: Partial<AlertRow>) =>
      newsOf(heardBefore, { rows: [row({ tier: 'high', ...change })], announce: ['k'] })
    expect(told({})).toHaveLength(1)
    expect(told({})).toHaveLength(0)
    expect(told(handedTo(me))).toHaveLength(1)
  })
})

describe('how it is heard', () => {
  const at = (after: number, change: Partial<AlertRow> = {}) => loudestRing([row(change)], start + after)!

  it('comes sooner, higher and louder the longer nobody holds it, up to a bound', () => {
    const times = [0, minutes(2), minutes(5), minutes(7), minutes(10), minutes(600)]
    const rings = times.map((after) => at(after))
    for (const [index, ring] of rings.entries()) {
      const before = rings[index - 1]
      if (!before) continue
      expect(ring.every).toBeLessThanOrEqual(before.every)
      expect(ring.pitch).toBeGreaterThanOrEqual(before.pitch)
      expect(ring.loudness).toBeGreaterThanOrEqual(before.loudness)
    }
    expect(rings[0]).toMatchObject({ every: seconds(20), pitch: 1, loudness: 1 })
    expect(rings.at(-1)?.every).toBe(seconds(5))
  })

  it('is slower for an alert of the high tier, and begins anew when one is opened again', () => {
    expect(at(minutes(60), { tier: 'high' }).every).toBeGreaterThan(at(0).every)
    expect(at(minutes(60), { reopened: { at: start + minutes(60), reason: 'due time passed' } }).every).toBe(
      seconds(20),
    )
  })

  it('is one voice, the most urgent’s', () => {
    const rows = [row({ tier: 'high' }), row({ received_at: start - minutes(20) }), row()]
    expect(loudestRing(rows, start)).toEqual(loudestRing(rows.slice(1, 2), start))
    expect(loudestRing([], start)).toBeNull()
  })
})

describe('the ringer', () => {
  let rows: AlertRow[]
  let played: Ring[]
  let ringer: ReturnType<typeof createRinger>
  beforeEach(() => {
    vi.useFakeTimers({ now: start })
    rows = []
    played = []
    ringer = createRinger({
      ring: () => loudestRing(rows, Date.now()),
      play: (ring) => played.push(ring),
      now: () => Date.now(),
    })
  })
  afterEach(() => {
    ringer.stop()
    vi.useRealTimers()
  })

  it('goes on until somebody holds the alert, and is silent then', () => {
    rows = [row()]
    ringer.strike(firstRing('crisis'))
    ringer.changed()
    vi.advanceTimersByTime(minutes(5))
    const untilTheTarget = played.length
    expect(untilTheTarget).toBeGreaterThan(15)
    vi.advanceTimersByTime(minutes(5))
    expect(played.length - untilTheTarget).toBeGreaterThan(untilTheTarget)
    rows = []
    ringer.changed()
    const held = played.length
    vi.advanceTimersByTime(minutes(30))
    expect(played).toHaveLength(held)
  })

  it('sounds at once where something waits already when the window opens', () => {
    rows = [row({ received_at: start - minutes(9) })]
    ringer.changed()
    vi.advanceTimersByTime(0)
    expect(played).toHaveLength(1)
  })

  it('never sounds twice within a moment, whatever comes', () => {
    rows = [row()]
    ringer.changed()
    for (let come = 0; come < 50; come += 1) {
      ringer.strike(firstRing('crisis'))
      rows = [...rows, row({ key: String(come) })]
      ringer.changed()
      vi.advanceTimersByTime(20)
    }
    expect(played).toHaveLength(1)
  })
})

it('a new crisis is announced until it was opened, is held, or is gone; nothing lesser is', () => {
  const keys = (crises: readonly AlertRow[]) => crises.map(({ key }) => key)
  const none = { rows: [], removed: [] }
  const one = announcedAfter([], [row(), row({ key: 'high', tier: 'high' })], none, 'me')
  expect(keys(one)).toEqual(['k'])
  const two = announcedAfter(one, [row({ key: 'b' })], none, 'me')
  expect(keys(two)).toEqual(['b', 'k'])
  expect(keys(announcedAfter(two, [], { rows: [row({ state: 'acknowledged' })], removed: [] }, 'me'))).toEqual(['b'])
  expect(keys(announcedAfter(two, [], { rows: [], removed: ['b'] }, 'me'))).toEqual(['k'])
  const handed = (id: string) => row({ state: 'acknowledged', hand_off_to: { id, name: 'K. Osei', urgent: false } })
  expect(keys(announcedAfter([], [handed('me')], none, 'me'))).toEqual(['k'])
  expect(keys(announcedAfter(one, [], { rows: [handed('somebody else')], removed: [] }, 'me'))).toEqual([])
})

describe('where a clock is set, or the machine slept', () => {
  it('what waits rings on, never more often than every five seconds and never less than every minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -minutes(60 * 48), max: minutes(60 * 48) }),
        fc.constantFrom('crisis' as const, 'high' as const),
        fc.option(fc.integer({ min: -minutes(60 * 48), max: minutes(60 * 48) }), { nil: null }),
        (jump, tier, reopened) => {
          const waiting = row({
            tier,
            ...(reopened !== null && { reopened: { at: start + reopened, reason: 'worse' } }),
          })
          const ring = loudestRing([waiting], start + jump)
          expect(ring?.every).toBeGreaterThanOrEqual(seconds(5))
          expect(ring?.every).toBeLessThanOrEqual(minutes(1))
          expect(ring?.pitch).toBeGreaterThanOrEqual(1)
          expect(ring?.loudness).toBeGreaterThan(0)
        },
      ),
    )
  })
})
