/** Rotas and ladders as tests make them. */
import { Temporal } from '@js-temporal/polyfill'
import fc from 'fast-check'
import { usualOnCall, type OnCall, type Rota, type Rung } from '../../shared/on-call.ts'
import type { Policy } from '../../shared/policy.ts'
import { listed, somePolicy } from './policies.ts'

/** Zones that set their clocks by an hour, by half of one, no longer, and never. */
export const zones = ['America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kolkata'] as const

/** A rota of some people who take weekly turns from a Monday in November 2026, at 8 in the morning. */
export function rotaOf(people: string[], changes: Partial<Rota> & Partial<Rota['rotation']> = {}): Rota {
  const { id = 'rota-1', name = 'Crisis rota', hours = 'always', overrides = [], ...turns } = changes
  const rotation = { people, turn_days: 7, starts: '2026-11-02', hands_over_at: '08:00', ...turns }
  return { id, name, hours, rotation, overrides }
}

/** A policy with these parts of its rotas and ladders; the crisis ladder can be given by its rungs alone. */
export function policyOnCall(
  { crisis, ...parts }: Partial<OnCall> & { crisis?: Rung[] },
  changes: Partial<Policy> & { time_zone?: string } = {},
): Policy {
  const { time_zone, ...others } = changes
  const policy = somePolicy(others)
  const on_call = { ...structuredClone(usualOnCall), ...parts }
  if (crisis) on_call.ladders = { ...on_call.ladders, crisis: { rungs: crisis, repeat_minutes: 5 } }
  return { ...policy, calendar: { ...policy.calendar, ...(time_zone && { time_zone }) }, on_call }
}

/** A rung that tells these. */
export function rung(after_minutes: number, to: Rung['to'], channels: Rung['channels'] = ['desktop']): Rung {
  return { after_minutes, to, channels }
}

const two = (number: number): string => String(number).padStart(2, '0')
const date = fc
  .integer({ min: 0, max: 70 })
  .map((days) => Temporal.PlainDate.from('2026-10-01').add({ days }).toString())
const clock = fc.integer({ min: 0, max: 47 }).map((half) => `${two(Math.floor(half / 2))}:${half % 2 ? '30' : '00'}`)
const wall = fc.tuple(date, clock).map(([day, time]) => `${day}T${time}`)
const stretch = fc.tuple(wall, wall).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }))
const people = ['p1', 'p2', 'p3', 'gone']
const person = fc.constantFrom(...people)

/** Any rota; everything about it is at a full or half hour of October, November or December 2026. */
const anyRota = (id: string): fc.Arbitrary<Rota> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`Rota ${id}`),
    hours: fc.constantFrom('always' as const, 'school hours' as const, 'after hours' as const),
    rotation: fc.record({
      people: fc.array(person, { minLength: 1, maxLength: 4 }),
      turn_days: fc.integer({ min: 1, max: 10 }),
      starts: date,
      hands_over_at: clock,
    }),
    overrides: fc.array(
      fc.tuple(person, stretch).map(([who, between]) => ({ person: who, ...between })),
      { maxLength: 4 },
    ),
  })

/** Any policy with two rotas and people who go away, in one of the zones. */
export const anyOnCall: fc.Arbitrary<Policy> = fc
  .record({
    zone: fc.constantFrom(...zones),
    rotas: fc.tuple(anyRota('r1'), anyRota('r2')),
    away: fc.array(
      fc.tuple(person, stretch).map(([who, between]) => ({ person: who, ...between })),
      { maxLength: 4 },
    ),
    closed: fc.array(
      fc.tuple(date, date).map(([a, b]) => ({ name: 'Closed', from: a < b ? a : b, to: a < b ? b : a })),
      { maxLength: 2 },
    ),
    hours: fc.array(
      fc
        .tuple(fc.integer({ min: 1, max: 7 }), clock, clock)
        .map(([weekday, a, b]) => ({ weekday, from: a < b ? a : b, to: a < b ? b : a })),
      { maxLength: 7 },
    ),
    crisis: fc.array(
      fc.record({
        after_minutes: fc.constantFrom(0, 5, 30),
        to: fc.array(
          fc.oneof(
            fc.constant({ kind: 'assigned' as const }),
            fc.constantFrom('r1', 'r2').map((rota) => ({ kind: 'rota' as const, rota })),
            person.map((who) => ({ kind: 'person' as const, person: who })),
          ),
          { minLength: 1, maxLength: 2 },
        ),
        channels: fc.constantFrom<Rung['channels'][]>(['desktop'], ['sms']),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ zone, rotas, away, closed, hours, crisis }) => {
    const policy = policyOnCall(
      { rotas, away, crisis },
      {
        people: [
          listed('p1', { role: 'ADMIN' }),
          listed('p2', { channels: { sms: '+15550142777', voice: null, email: null } }),
          listed('p3'),
        ],
      },
    )
    return { ...policy, calendar: { time_zone: zone, closed, hours, periods: [] } }
  })
