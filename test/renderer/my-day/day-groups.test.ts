import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byDay } from '../../../renderer/my-day/day-groups.ts'
import { hours } from '../../../shared/time.ts'

const newYork = 'America/New_York'
const at = (iso: string) => ({ due_at: Date.parse(iso) })
const shown = (items: { due_at: number }[]) => items.map(({ due_at }) => new Date(due_at).toISOString())

describe('My day', () => {
  it('goes by the days of the school, not by those of UTC', () => {
    // 20:00 in New York; midnight UTC is an hour before it.
    const now = Date.parse('2026-11-18T01:00:00Z')
    const groups = byDay(
      [at('2026-11-18T04:59:59Z'), at('2026-11-18T05:00:00Z'), at('2026-11-18T00:30:00Z'), at('2026-11-20T14:00:00Z')],
      now,
      newYork,
    )
    expect(shown(groups.overdue)).toEqual(['2026-11-18T00:30:00.000Z'])
    expect(shown(groups.today)).toEqual(['2026-11-18T04:59:59.000Z'])
    expect(groups.later).toEqual([
      { day: Date.parse('2026-11-18T05:00:00Z'), isTomorrow: true, items: [at('2026-11-18T05:00:00Z')] },
      { day: Date.parse('2026-11-20T05:00:00Z'), isTomorrow: false, items: [at('2026-11-20T14:00:00Z')] },
    ])
  })

  it('is 25 hours long where the clocks are set back, and 23 where they are set forward', () => {
    const long = Date.parse('2026-11-01T04:00:00Z')
    expect(byDay([{ due_at: long + hours(25) - 1 }], long, newYork).today).toHaveLength(1)
    expect(byDay([{ due_at: long + hours(25) }], long, newYork).later[0]).toMatchObject({ isTomorrow: true })
    const short = Date.parse('2026-03-08T05:00:00Z')
    expect(byDay([{ due_at: short + hours(23) - 1 }], short, newYork).today).toHaveLength(1)
    expect(byDay([{ due_at: short + hours(23) }], short, newYork).later[0]).toMatchObject({ isTomorrow: true })
  })

  it('holds every item once, due first before, in every zone', () => {
    const times = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') })
    const zones = fc.constantFrom(newYork, 'America/Santiago', 'Asia/Beirut', 'Australia/Lord_Howe', 'UTC')
    fc.assert(
      fc.property(fc.array(times, { maxLength: 20 }), times, zones, (due, now, zone) => {
        const { overdue, today, later } = byDay(
          due.map((due_at) => ({ due_at })),
          now,
          zone,
        )
        const all = [...overdue, ...today, ...later.flatMap(({ items }) => items)].map(({ due_at }) => due_at)
        expect(all).toEqual(due.toSorted((a, b) => a - b))
        expect(overdue.every(({ due_at }) => due_at <= now)).toBe(true)
        expect(later.map(({ day }) => day)).toEqual(later.map(({ day }) => day).toSorted((a, b) => a - b))
      }),
    )
  })
})
