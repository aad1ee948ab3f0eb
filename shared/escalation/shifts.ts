/** Whose turn it is in a rota. Days and clock times are the school's own, whatever its clocks do; instants are UTC milliseconds. */
import { Temporal } from '@js-temporal/polyfill'
import type { Policy } from '../policy.ts'
import type { Rota } from '../on-call.ts'
import { dayNumber, wallOf, type Wall } from './wall.ts'

type Calendar = Policy['calendar']

/** Who has a rota: by turn, or instead of whoever has the turn. */
export interface Duty {
  /** Person id. */
  person: string
  override: boolean
}

/**
 * Who has a rota at an instant: whoever stands in, else whose turn it is; `null` = it does not count now. A person who is
 * away has it all the same: that is for whoever tells them to see.
 */
export function onDuty(rota: Rota, calendar: Calendar, at: number): Duty | null {
  return dutyBy(rota, calendar, wallOf(at, calendar.time_zone))
}

/** The same by what the school's clocks show. */
export function dutyBy(rota: Rota, calendar: Calendar, wall: Wall): Duty | null {
  if (!countsBy(rota, calendar, wall)) return null
  const override = rota.overrides.findLast((each) => isWithin(wall, each))
  if (override) return { person: override.person, override: true }
  return { person: byTurn(rota, wall), override: false }
}

/** Whether somebody is away at an instant. */
export function isAway({ away }: Policy['on_call'], person: string, at: number, zone: string): boolean {
  const wall = wallOf(at, zone)
  return away.some((each) => each.person === person && isWithin(wall, each))
}

/** Whether the school is open at an instant: within its hours, and no day without school. */
export function isSchoolTime(calendar: Calendar, at: number): boolean {
  return isSchoolTimeBy(calendar, wallOf(at, calendar.time_zone))
}

/** The same by what its clocks show. */
export function isSchoolTimeBy({ closed, hours }: Calendar, { day, clock, weekday }: Wall): boolean {
  if (closed.some(({ from, to }) => from <= day && day <= to)) return false
  return hours.some((each) => each.weekday === weekday && each.from <= clock && clock < each.to)
}

/** The instant at which the school's clocks show this; at the spring gap the first one after it, in autumn the earlier. */
export function instantOf(wall: string | Temporal.PlainDateTime, zone: string): number {
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** What the school's clocks show at an instant. */
export function wallAt(at: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime()
}

/** Whether the clocks show a time of a stretch; its end is the first minute after it. */
export function isWithin({ text }: Wall, { from, to }: { from: string; to: string }): boolean {
  return from <= text && text < to
}

function countsBy({ hours }: Rota, calendar: Calendar, wall: Wall): boolean {
  return hours === 'always' || (hours === 'school hours') === isSchoolTimeBy(calendar, wall)
}

/** Turns are counted in days of the calendar: one with a clock change is a day like any other. */
function byTurn({ rotation }: Rota, { number, clock }: Wall): string {
  const { people, turn_days, starts, hands_over_at } = rotation
  const days = number - dayNumber(starts) - (clock < hands_over_at ? 1 : 0)
  const turn = Math.floor(days / turn_days)
  const index = ((turn % people.length) + people.length) % people.length
  return people[index] as string
}
