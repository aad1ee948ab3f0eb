import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timesOf, whereNow, type Lesson, type Lessons } from '../../shared/timetable.ts'
import type { Policy } from '../../shared/policy.ts'

const zone = 'America/Chicago'
const calendar: Policy['calendar'] = {
  time_zone: zone,
  closed: [{ name: 'Winter break', from: '2026-12-21', to: '2027-01-01' }],
  periods: [
    { name: 'Period 3', weekday: 2, from: '10:00', to: '10:45' },
    { name: 'Period 4', weekday: 2, from: '10:50', to: '11:35' },
  ],
  hours: [],
}
const lesson = (changes: Partial<Lesson> = {}): Lesson => ({
  ...{ weekday: 2, period: 'Period 3', from: '', to: '', subject: 'Biology', room: 'room 208' },
  ...changes,
})
const own = (...lessons: Lesson[]): Lessons => ({ own: lessons, of_class: [] })
const at = (iso: string) => Date.parse(iso)
/** Tuesday, 10:12 in Chicago in winter. */
const tuesday = at('2026-11-17T16:12:00Z')

describe('where a student is now', () => {
  it('is a lesson only within it, of its weekday, until its end', () => {
    expect(whereNow(tuesday, own(lesson()), calendar)).toEqual({
      ...{ kind: 'lesson', subject: 'Biology', room: 'room 208', period: 'Period 3' },
      ...{ until: at('2026-11-17T16:45:00Z'), changes_at: at('2026-11-17T16:45:00Z') },
    })
    expect(whereNow(at('2026-11-17T15:59:59Z'), own(lesson()), calendar)).toMatchObject({
      ...{ kind: 'no lesson', changes_at: at('2026-11-17T16:00:00Z') },
    })
    expect(whereNow(at('2026-11-17T16:45:00Z'), own(lesson()), calendar).kind).toBe('no lesson')
    expect(whereNow(at('2026-11-18T16:12:00Z'), own(lesson()), calendar).kind).toBe('no lesson')
  })

  it('is no lesson at 05:51 on a Sunday, whatever the roster calls the class', () => {
    const sunday = at('2026-11-22T11:51:00Z')
    expect(whereNow(sunday, own(lesson({ weekday: 7, period: '', from: '08:00', to: '08:45' })), calendar)).toEqual({
      ...{ kind: 'no lesson', changes_at: at('2026-11-22T14:00:00Z') },
    })
    expect(whereNow(sunday, own(), calendar).kind).toBe('unknown')
  })

  it('is nowhere at school on a day without school, by its name, until midnight there', () => {
    expect(whereNow(at('2026-12-22T16:12:00Z'), own(lesson()), calendar)).toEqual({
      ...{ kind: 'closed', name: 'Winter break', changes_at: at('2026-12-23T06:00:00Z') },
    })
    expect(whereNow(at('2027-01-02T05:59:00Z'), own(lesson()), calendar).kind).toBe('closed')
    expect(whereNow(at('2027-01-02T06:00:00Z'), own(lesson()), calendar).kind).toBe('no lesson')
  })

  it('follows the clocks of the school over the change to summer time', () => {
    const early = own(lesson({ period: '', from: '08:00', to: '08:45' }))
    expect(whereNow(at('2026-03-03T14:10:00Z'), early, calendar).kind).toBe('lesson')
    expect(whereNow(at('2026-03-10T14:10:00Z'), early, calendar).kind).toBe('no lesson')
    expect(whereNow(at('2026-03-10T13:10:00Z'), early, calendar).kind).toBe('lesson')
  })

  it('is what the student’s own line says where the class has another lesson', () => {
    const both = { own: [lesson({ subject: 'Chemistry' })], of_class: [lesson(), lesson({ period: 'Period 4' })] }
    expect(whereNow(tuesday, both, calendar)).toMatchObject({ subject: 'Chemistry' })
    expect(whereNow(at('2026-11-17T17:00:00Z'), both, calendar)).toMatchObject({ subject: 'Biology' })
  })

  it('is unknown where a lesson of the day stands in a period that the calendar does not have', () => {
    const gone = own(lesson({ period: 'Period 9' }))
    expect(whereNow(tuesday, gone, calendar).kind).toBe('unknown')
    expect(whereNow(at('2026-11-18T16:12:00Z'), gone, calendar).kind).toBe('no lesson')
  })

  it('is the same until the moment it names, in any zone and at any time of the year', () => {
    const clock = fc.integer({ min: 0, max: 24 * 60 - 1 }).map((minute) => {
      const two = (number: number) => String(number).padStart(2, '0')
      return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
    })
    const lessons = fc.array(
      fc
        .tuple(fc.integer({ min: 1, max: 7 }), clock, clock)
        .filter(([, one, other]) => one < other)
        .map(([weekday, from, to]) => lesson({ weekday, period: '', from, to })),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') }),
        fc.constantFrom(zone, 'Europe/Berlin', 'Asia/Kathmandu', 'America/Havana', 'Australia/Lord_Howe'),
        lessons,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (now, time_zone, all, share) => {
          const there = { ...calendar, time_zone }
          const answer = whereNow(now, own(...all), there)
          expect(answer.changes_at).toBeGreaterThan(now)
          const later = now + Math.floor((answer.changes_at - now - 1) * share)
          const { changes_at: _, ...said } = whereNow(later, own(...all), there)
          const { changes_at: __, ...before } = answer
          expect(said).toEqual(before)
        },
      ),
      { numRuns: 500 },
    )
  })
})

it('a period is found by its name on its day, however it is written', () => {
  expect(timesOf({ weekday: 2, period: ' period  3', from: '', to: '' }, calendar)).toEqual({
    from: '10:00',
    to: '10:45',
  })
  expect(timesOf({ weekday: 3, period: 'Period 3', from: '', to: '' }, calendar)).toEqual({ from: '', to: '' })
})
