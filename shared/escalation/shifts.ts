/** Whose turn it is in a rota. Days and clock times are the school's own, whatever its clocks do; instants are UTC milliseconds. */
import { Temporal } from '@js-temporal/polyfill'
import type { Policy } from '../policy.ts'
import type { Rota } from '../on-call.ts'

/** A stretch of time in which one person, or nobody, has a rota. */
export interface Shift {
  /** Person id; null = the rota counts and nobody can be told. */
  person: string | null
  /** UTC milliseconds; `to` is the first instant after it. */
  from: number
  to: number
  /** Not by turn: somebody stands in. */
  override: boolean
}

type Calendar = Policy['calendar']

/**
 * Who has a rota at an instant: whoever stands in, else whose turn it is; `null` = it does not count now. A person who is
 * away has it all the same: that is for whoever tells them to see.
 */
export function onDuty(rota: Rota, calendar: Calendar, at: number): { person: string; override: boolean } | null {
  if (!countsAt(rota, calendar, at)) return null
  const wall = wallAt(at, calendar.time_zone)
  const override = rota.overrides.findLast(({ from, to }) => isWithin(wall, from, to))
  if (override) return { person: override.person, override: true }
  return { person: byTurn(rota, wall), override: false }
}

/** Whether somebody is away at an instant. */
export function isAway({ away }: Policy['on_call'], person: string, at: number, zone: string): boolean {
  const wall = wallAt(at, zone)
  return away.some((each) => each.person === person && isWithin(wall, each.from, each.to))
}

/** Whether the school is open at an instant: within its hours, and no day without school. */
export function isSchoolTime({ time_zone, closed, hours }: Calendar, at: number): boolean {
  const wall = wallAt(at, time_zone)
  const day = wall.toPlainDate().toString()
  if (closed.some(({ from, to }) => from <= day && day <= to)) return false
  const clock = clockOf(wall)
  return hours.some(({ weekday, from, to }) => weekday === wall.dayOfWeek && from <= clock && clock < to)
}

/** The instant at which the school's clocks show this; at the spring gap the first one after it, in autumn the earlier. */
export function instantOf(wall: string | Temporal.PlainDateTime, zone: string): number {
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** What the school's clocks show at an instant. */
export function wallAt(at: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime()
}

function countsAt({ hours }: Rota, calendar: Calendar, at: number): boolean {
  return hours === 'always' || (hours === 'school hours') === isSchoolTime(calendar, at)
}

/** Turns are counted in days of the calendar: one with a clock change is a day like any other. */
function byTurn({ rotation }: Rota, wall: Temporal.PlainDateTime): string {
  const { people, turn_days, starts, hands_over_at } = rotation
  const begins = Temporal.PlainDateTime.from(`${starts}T${hands_over_at}`)
  const days = Math.floor(wall.since(begins, { largestUnit: 'minute' }).minutes / (24 * 60))
  const turn = Math.floor(days / turn_days)
  const index = ((turn % people.length) + people.length) % people.length
  return people[index] as string
}

function isWithin(wall: Temporal.PlainDateTime, from: string, to: string): boolean {
  return Temporal.PlainDateTime.compare(wall, from) >= 0 && Temporal.PlainDateTime.compare(wall, to) < 0
}

const clockOf = (wall: Temporal.PlainDateTime): string => wall.toPlainTime().toString({ smallestUnit: 'minute' })
