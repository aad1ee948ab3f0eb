/** Where a timetable and the school's calendar place a student at a minute. Pure; instants are UTC milliseconds. */
import type { Policy } from './policy.ts'
import { days, minutes } from './time.ts'
import { fromWall, startOfDay, zoneOffset } from './zone.ts'

/** One lesson of a week: in a period of the calendar, or between two clock times. */
export interface Lesson {
  /** Monday is 1, as in ISO 8601. */
  weekday: number
  /** Its name; '' = it has none. Without times it is that of a period of the calendar. */
  period: string
  /** “08:05”, in the school's time zone; '' = when its period is. */
  from: string
  /** The first minute after it. */
  to: string
  subject: string
  room: string
}

/** A student's lessons: their own lines of the timetable, which come first, and those of their class. */
export interface Lessons {
  own: readonly Lesson[]
  of_class: readonly Lesson[]
}

export type WhereNow = (
  | { kind: 'lesson'; subject: string; room: string; period: string | null; until: number }
  /** The timetable knows the student, and has no lesson at this minute. */
  | { kind: 'no lesson' }
  /** A day without school, by the name that the calendar gives it. */
  | { kind: 'closed'; name: string }
  /** No timetable says anything about this student and minute. */
  | { kind: 'unknown' }
) & {
  /** From this instant on the answer may be another. */
  changes_at: number
}

/** What the timetable says about the minute that `at` is in. Nothing is claimed that no line of it says. */
export function whereNow(at: number, { own, of_class }: Lessons, calendar: Policy['calendar']): WhereNow {
  const zone = calendar.time_zone
  const { date, weekday, clock } = wallOf(at, zone)
  const tomorrow = startOfDay(at, zone, 1)
  const closed = calendar.closed.find(({ from, to }) => from <= date && date <= to)
  if (closed) return { kind: 'closed', name: closed.name, changes_at: tomorrow }
  if (own.length + of_class.length === 0) return { kind: 'unknown', changes_at: tomorrow }

  const timed = (lessons: readonly Lesson[]) =>
    lessons
      .filter((lesson) => lesson.weekday === weekday)
      .map((lesson) => ({ ...lesson, ...timesOf(lesson, calendar) }))
  const [mine, ofClass] = [timed(own), timed(of_class)]
  const today = [...mine, ...ofClass]
  const instant = (time: string) => fromWall(Date.parse(`${date}T${time}:00Z`), zone)
  const later = today.flatMap(({ from, to }) => [from, to]).filter((time) => time > clock)
  const changes_at =
    tomorrow - startOfDay(at, zone) === days(1)
      ? Math.min(tomorrow, ...later.map(instant))
      : // Clocks are set on this day: a time of it may come twice, or not at all.
        Math.min(tomorrow, (Math.floor(at / minutes(1)) + 1) * minutes(1))
  const isNow = ({ from, to }: { from: string; to: string }) => from <= clock && clock < to
  const lesson = mine.find(isNow) ?? ofClass.find(isNow)
  if (lesson) {
    const { subject, room, period, to } = lesson
    return { kind: 'lesson', subject, room, period: period || null, until: instant(to), changes_at }
  }
  // A period that the calendar no longer has: nobody can say that it is not now.
  if (today.some(({ from }) => from === '')) return { kind: 'unknown', changes_at }
  return { kind: 'no lesson', changes_at }
}

/** When a lesson begins and ends; both '' where the calendar has no such period on its day. */
export function timesOf(
  { weekday, period, from, to }: Pick<Lesson, 'weekday' | 'period' | 'from' | 'to'>,
  calendar: Pick<Policy['calendar'], 'periods'>,
): { from: string; to: string } {
  if (from !== '') return { from, to }
  const found = calendar.periods.find((one) => one.weekday === weekday && isSameName(one.name, period))
  return { from: found?.from ?? '', to: found?.to ?? '' }
}

/** Whether two names of a period or class mean the same: capitals and blanks make none another. */
function isSameName(one: string, other: string): boolean {
  return comparableName(one) === comparableName(other)
}

/** A name as it is compared. */
export function comparableName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Day, weekday (Monday is 1) and clock time of a zone at an instant. */
function wallOf(at: number, zone: string): { date: string; weekday: number; clock: string } {
  const wall = new Date(Math.floor(at + zoneOffset(at, zone)))
  const text = wall.toISOString()
  return { date: text.slice(0, 10), weekday: wall.getUTCDay() || 7, clock: text.slice(11, 16) }
}
