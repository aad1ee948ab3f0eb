import { Temporal } from '@js-temporal/polyfill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf, onDuty, shiftsBetween } from '../../../shared/escalation/index.ts'
import type { Rota } from '../../../shared/on-call.ts'
import type { Policy } from '../../../shared/policy.ts'
import { days, hours, minutes } from '../../../shared/time.ts'
import { anyOnCall, policyOnCall, rotaOf, zones } from '../../support/on-call.ts'
import { listed } from '../../support/policies.ts'

const people = ['p1', 'p2', 'p3'].map((id) => listed(id))

function shifts(
  rota: Rota,
  { zone, from, to, ...parts }: { zone: string; from: string; to: string } & Partial<Policy>,
) {
  const policy = policyOnCall({ rotas: [rota], ...parts.on_call }, { people, time_zone: zone, ...parts })
  const found = shiftsBetween(policy, instantOf(from, zone), instantOf(to, zone))[0]?.shifts ?? []
  const wall = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' })
  return found.map(
    ({ person, absent, override, ...each }) =>
      `${wall(each.from)} ${wall(each.to)} ${person ?? `nobody, ${absent} is missing`}${override ? ' stands in' : ''}`,
  )
}

describe('the shifts of a rota', () => {
  it.each(zones)('pass on weekly at the same clock time whatever the clocks do in %s', (zone) => {
    const weeks = shifts(rotaOf(['p1', 'p2', 'p3'], { starts: '2026-09-07' }), {
      zone,
      from: '2026-09-28T00:00',
      to: '2026-11-16T00:00',
    })
    expect(weeks).toEqual([
      '2026-09-28T00:00 2026-09-28T08:00 p3',
      '2026-09-28T08:00 2026-10-05T08:00 p1',
      '2026-10-05T08:00 2026-10-12T08:00 p2',
      '2026-10-12T08:00 2026-10-19T08:00 p3',
      '2026-10-19T08:00 2026-10-26T08:00 p1',
      '2026-10-26T08:00 2026-11-02T08:00 p2',
      '2026-11-02T08:00 2026-11-09T08:00 p3',
      '2026-11-09T08:00 2026-11-16T00:00 p1',
    ])
  })

  it('are of whoever stands in, across midnight and a handover too', () => {
    const rota = rotaOf(['p1', 'p2'], {
      overrides: [{ person: 'p3', from: '2026-11-08T22:00', to: '2026-11-09T10:00' }],
    })
    expect(shifts(rota, { zone: 'America/New_York', from: '2026-11-08T00:00', to: '2026-11-10T00:00' })).toEqual([
      '2026-11-08T00:00 2026-11-08T22:00 p1',
      '2026-11-08T22:00 2026-11-09T10:00 p3 stands in',
      '2026-11-09T10:00 2026-11-10T00:00 p2',
    ])
  })

  it('are of nobody while whoever has the turn is away, or has left the directory', () => {
    const policy = policyOnCall(
      {
        rotas: [rotaOf(['p1', 'gone'])],
        away: [{ person: 'p1', from: '2026-11-07T12:00', to: '2026-11-08T12:00' }],
      },
      { people },
    )
    const { shifts: found = [] } =
      shiftsBetween(
        policy,
        instantOf('2026-11-07T00:00', 'America/New_York'),
        instantOf('2026-11-10T00:00', 'America/New_York'),
      )[0] ?? {}
    expect(found.map(({ person, absent }) => [person, absent])).toEqual([
      ['p1', null],
      [null, 'p1'],
      ['p1', null],
      [null, 'gone'],
    ])
  })

  it('rest outside the hours of the rota, and on days without school', () => {
    const calendar: Policy['calendar'] = {
      time_zone: 'America/New_York',
      closed: [{ name: 'Thanksgiving', from: '2026-11-26', to: '2026-11-27' }],
      periods: [],
      hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: '08:00', to: '16:00' })),
    }
    const between = { zone: 'America/New_York', from: '2026-11-25T00:00', to: '2026-11-28T00:00', calendar }
    expect(shifts(rotaOf(['p1'], { hours: 'school hours' }), between)).toEqual(['2026-11-25T08:00 2026-11-25T16:00 p1'])
    expect(shifts(rotaOf(['p1'], { hours: 'after hours' }), between)).toEqual([
      '2026-11-25T00:00 2026-11-25T08:00 p1',
      '2026-11-25T16:00 2026-11-28T00:00 p1',
    ])
  })

  it('are a day of 23 or 25 hours where the clocks are set in between', () => {
    const rota = rotaOf(['p1', 'p2'], { turn_days: 1, hands_over_at: '00:00' })
    const policy = policyOnCall({ rotas: [rota] }, { people })
    const begins = instantOf('2026-11-01T00:00', 'America/New_York')
    const found = shiftsBetween(policy, begins, begins + days(3))[0]?.shifts ?? []
    expect(found[0]).toMatchObject({ from: begins, to: begins + hours(25) })
    expect(found[1]).toMatchObject({ to: begins + hours(49) })
  })

  it('say at any instant who is on duty, as Temporal has it', () => {
    fc.assert(
      fc.property(
        anyOnCall,
        fc.integer({ min: Date.UTC(2026, 8, 25), max: Date.UTC(2026, 11, 10) }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 10, maxLength: 10 }),
        (policy, from, places) => {
          const to = from + days(14)
          for (const { rota, shifts: found } of shiftsBetween(policy, from, to)) {
            for (const [index, shift] of found.entries()) {
              expect(shift.from).toBeLessThan(shift.to)
              if (index > 0) expect(shift.from).toBeGreaterThanOrEqual(found[index - 1]?.to ?? 0)
            }
            for (const place of places) {
              const at = from + Math.floor(place * days(14))
              const shift = found.find((each) => each.from <= at && at < each.to)
              const duty = byTemporal(rota, policy.calendar, at)
              expect(onDuty(rota, policy.calendar, at)).toEqual(duty)
              expect(shift && { person: shift.person ?? shift.absent, override: shift.override }).toEqual(
                duty ?? undefined,
              )
            }
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it('change only where clocks show a full or half hour, if everything about them does', () => {
    fc.assert(
      fc.property(anyOnCall, (policy) => {
        const from = Date.UTC(2026, 9, 20)
        for (const { shifts: found } of shiftsBetween(policy, from, from + days(28)))
          for (const shift of found) expect(shift.from % minutes(30)).toBe(0)
      }),
      { numRuns: 25 },
    )
  })
})

/** The same by Temporal alone: slow, and plain to read. */
function byTemporal(rota: Rota, calendar: Policy['calendar'], at: number) {
  const { PlainDateTime } = Temporal
  const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(calendar.time_zone).toPlainDateTime()
  const day = wall.toPlainDate()
  const isClosed = calendar.closed.some(
    ({ from, to }) => Temporal.PlainDate.compare(from, day) <= 0 && Temporal.PlainDate.compare(day, to) <= 0,
  )
  const isOpen =
    !isClosed &&
    calendar.hours.some(
      ({ weekday, from, to }) =>
        weekday === wall.dayOfWeek &&
        Temporal.PlainTime.compare(from, wall.toPlainTime()) <= 0 &&
        Temporal.PlainTime.compare(wall.toPlainTime(), to) < 0,
    )
  if (rota.hours !== 'always' && (rota.hours === 'school hours') !== isOpen) return null
  const override = rota.overrides.findLast(
    ({ from, to }) => PlainDateTime.compare(from, wall) <= 0 && PlainDateTime.compare(wall, to) < 0,
  )
  if (override) return { person: override.person, override: true }
  const { people: turns, starts, hands_over_at, turn_days } = rota.rotation
  const since = wall.since(PlainDateTime.from(`${starts}T${hands_over_at}`), { largestUnit: 'millisecond' })
  const turn = Math.floor(since.total('hours') / 24 / turn_days)
  return { person: turns.at(turn % turns.length), override: false }
}
