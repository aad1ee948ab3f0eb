import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { followHeartbeats, type Beat } from '../../../main/console/heartbeat-gaps.ts'
import { days, hours, minutes, seconds } from '../../../shared/time.ts'
import { noon, school } from '../../support/wire.ts'

/** A heartbeat that was made in the minute of its number, and received then. */
const beat = (number: number, changes: Partial<Beat> = {}): Beat => {
  const at = noon + minutes(number)
  return { school_id: school, number, at, received_at: at, ...changes }
}
/** What is named an hour after these came, in this order. */
const namedAfter = (
  beats: readonly Beat[],
  now = Math.max(...beats.map(({ received_at }) => received_at)) + hours(1),
) => {
  const gaps = followHeartbeats()
  beats.forEach((each) => gaps.heard(each))
  return gaps.named(school, now).map(({ from, to }) => [from, to])
}

describe('numbers of heartbeats', () => {
  it('that come without a gap, or from any first number on, miss nothing', () => {
    expect(namedAfter([beat(400), beat(401), beat(402)])).toEqual([])
  })

  it('that are missing are named from 2 minutes after that was noticed, for a day', () => {
    const beats = [beat(1), beat(4)]
    const noticed = noon + minutes(4)
    expect(namedAfter(beats, noticed + minutes(2) - 1)).toEqual([])
    expect(namedAfter(beats, noticed + minutes(2))).toEqual([[2, 3]])
    expect(namedAfter(beats, noticed + days(1))).toEqual([[2, 3]])
    expect(namedAfter(beats, noticed + days(1) + 1)).toEqual([])
  })

  it('of another school say nothing of this one', () => {
    expect(
      namedAfter([beat(1), beat(9, { school_id: 'another' }), beat(2), beat(12, { school_id: 'another' })]),
    ).toEqual([])
  })

  it('miss nothing in whatever order they come, and however often', () => {
    const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { minLength: 10 })
    fc.assert(
      fc.property(order, fc.array(fc.integer({ min: 1, max: 10 })), (numbers, again) => {
        const last = noon + minutes(10)
        const beats = [...numbers, ...again].map((number) => beat(number, { received_at: last }))
        expect(namedAfter(beats)).toEqual([])
      }),
    )
  })

  it('miss exactly what lies between those that came', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (numbers) => {
        const [first = 0] = numbers
        const came = numbers.filter((number) => number >= first)
        const missing = new Set(
          namedAfter(came.map((number) => beat(number))).flatMap(([from = 0, to = 0]) =>
            Array.from({ length: to - from + 1 }, (_, index) => from + index),
          ),
        )
        const expected = new Set<number>()
        for (let number = first; number < Math.max(...came); number++) if (!came.includes(number)) expected.add(number)
        expect(missing).toEqual(expected)
      }),
    )
  })

  it('that begin anew, with a new database or an older copy of it, miss nothing', () => {
    const later = (number: number, minute: number) =>
      beat(number, { at: noon + minutes(minute), received_at: noon + minutes(minute) })
    expect(namedAfter([beat(400), beat(401), later(1, 402), later(2, 403), later(3, 404)])).toEqual([])
    expect(namedAfter([beat(400), beat(401), later(350, 402), later(351, 403)])).toEqual([])
    expect(namedAfter([beat(400), beat(401), later(1, 402), later(4, 405)])).toEqual([[2, 3]])
  })

  it('of two stations that each count for themselves miss only what is missing', () => {
    const other = (number: number, minute: number) =>
      beat(number, { at: noon + minutes(minute) + 1, received_at: noon + minutes(minute) + 1 })
    const both = [500, 501, 502, 503].flatMap((number) => [beat(number), other(number - 488, number)])
    expect(namedAfter(both)).toEqual([])
    expect(namedAfter(both.filter(({ number }) => number !== 14))).toEqual([[14, 14]])
    expect(namedAfter(both.filter(({ number }) => number !== 502))).toEqual([[502, 502]])
  })

  it('of two stations whose clocks are two minutes apart miss nothing', () => {
    const skewed = [1, 2, 3, 4, 5, 6].map((number) =>
      beat(number, { at: noon + minutes(number) - (number % 2) * minutes(2) }),
    )
    expect(namedAfter(skewed)).toEqual([])
    expect(namedAfter([...skewed, ...skewed])).toEqual([])
  })

  it('that nothing can have counted to hide no loss after them, and are told as a fault for a day', () => {
    const forged = beat(9_000_000, { at: noon + minutes(2), received_at: noon + minutes(2) })
    const gaps = followHeartbeats()
    for (const each of [beat(1), beat(2), forged, forged, beat(3), beat(6)]) gaps.heard(each)
    const now = noon + minutes(10)
    expect(gaps.named(school, now).map(({ from, to }) => [from, to])).toEqual([[4, 5]])
    expect(gaps.unlikely(school, now)).toEqual({ number: 9_000_000, noticed_at: noon + minutes(2) })
    expect(gaps.unlikely('another', now)).toBeNull()
    expect(gaps.unlikely(school, noon + minutes(2) + days(1) + 1)).toBeNull()
  })

  it('that go on from such a one are a count again, whose losses are named', () => {
    const jumped = (number: number, minute: number) =>
      beat(number, { at: noon + minutes(minute), received_at: noon + minutes(minute) })
    expect(namedAfter([beat(1), beat(2), jumped(7000, 3), jumped(7001, 4), jumped(7004, 7)])).toEqual([
      [3, 6999],
      [7002, 7003],
    ])
  })

  it('that come out of turn, as a directory is saved, are believed, and the lost ones among them named', () => {
    const soon = (number: number, second: number) =>
      beat(number, { at: noon + seconds(second), received_at: noon + seconds(second) })
    expect(namedAfter([soon(100, 0), soon(141, 60), soon(142, 70)])).toEqual([[101, 140]])
  })

  it('are no fault any more once stations go on from there', () => {
    const gaps = followHeartbeats()
    const jumped = (number: number, minute: number) =>
      beat(number, { at: noon + minutes(minute), received_at: noon + minutes(minute) })
    for (const each of [beat(1), jumped(7000, 3)]) gaps.heard(each)
    expect(gaps.unlikely(school, noon + minutes(3))).toMatchObject({ number: 7000 })
    gaps.heard(jumped(7001, 4))
    expect(gaps.unlikely(school, noon + minutes(4))).toBeNull()
  })

  it('are believed after a weekend off, in whatever order they come, and after a station that was started often', () => {
    const monday = noon + days(3)
    const backlog = [4000, 3000, 2000, 4001].map((number) => beat(number, { received_at: monday }))
    const gaps = followHeartbeats()
    for (const each of [beat(400), ...backlog]) gaps.heard(each)
    expect(gaps.unlikely(school, monday)).toBeNull()
    const often = followHeartbeats()
    for (const each of [beat(1), beat(15, { at: noon + minutes(2), received_at: noon + minutes(2) })]) often.heard(each)
    expect(often.unlikely(school, noon + minutes(3))).toBeNull()
  })

  it('miss exactly what was lost, whatever impossible ones come between', () => {
    const arriving = fc.record({
      lost: fc.boolean(),
      forged: fc.option(fc.integer({ min: 1, max: 9_000 }), { freq: 3, nil: null }),
      late: fc.nat({ max: minutes(1) }),
    })
    fc.assert(
      fc.property(fc.array(arriving, { minLength: 1, maxLength: 60 }), (minutesOf) => {
        const gaps = followHeartbeats()
        gaps.heard(beat(1))
        const lost = new Set<number>()
        let last = 1
        let forgeries = 0
        for (const [index, { lost: isLost, forged, late }] of minutesOf.entries()) {
          const number = index + 2
          const real = beat(number)
          const received_at = real.received_at + late
          if (isLost) lost.add(number)
          else {
            gaps.heard({ ...real, received_at })
            last = number
          }
          if (forged === null) continue
          forgeries++
          // So far apart that no two of them are one count.
          gaps.heard(beat(forged * 1_000, { at: received_at, received_at }))
        }
        const now = noon + minutes(100)
        const named = gaps
          .named(school, now)
          .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
        expect(named).toEqual([...lost].filter((number) => number < last))
        expect(gaps.unlikely(school, now) !== null).toBe(forgeries > 0)
      }),
    )
  })
})
