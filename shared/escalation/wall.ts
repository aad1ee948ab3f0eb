/**
 * What the clocks of a school show. Temporal says when a zone sets its clocks; between two such changes they run evenly,
 * so that thousands of instants of some weeks are read without asking it for each.
 */
import { Temporal } from '@js-temporal/polyfill'
import { days } from '../time.ts'

/** A day and a clock time of a school, in the forms in which policies name them: they compare as text. */
export interface Wall {
  /** “2026-03-08T16:30”. */
  text: string
  /** “2026-03-08”. */
  day: string
  /** “16:30”. */
  clock: string
  /** Monday is 1. */
  weekday: number
  /** Whole days since January 1, 1970. */
  number: number
}

/** The clocks of a school over some weeks. Instants are UTC milliseconds. */
export interface WallClock {
  wallAt(at: number): Wall
  /** When the clocks show this (“2026-03-08T16:30”): not at all where they skip it, twice where they go back over it. */
  instantsOf(wall: string): number[]
  /** When they are set, within these weeks. */
  changes: readonly number[]
}

/** What the clocks of a zone show at an instant (UTC milliseconds). */
export function wallOf(at: number, zone: string): Wall {
  return shown(at + offsetAt(at, zone))
}

/** The clocks of a zone for instants from `from` until `to`. */
export function wallClock(zone: string, from: number, to: number): WallClock {
  const spans = spansOf(zone, from, to)
  return {
    wallAt(at) {
      const span = spans.findLast((each) => each.from <= at) ?? spans[0]
      return shown(at + (span?.offset ?? 0))
    },
    instantsOf(wall) {
      const local = Date.parse(`${wall}Z`)
      return spans.flatMap((span) => {
        const at = local - span.offset
        return span.from <= at && at < span.to ? at : []
      })
    },
    changes: spans.slice(1).map((span) => span.from),
  }
}

/** The day (“2026-03-08”) some days later, or earlier. */
export function dayAfter(day: string, count = 1): string {
  return new Date(Date.parse(day) + days(count)).toISOString().slice(0, 10)
}

/** Whole days since January 1, 1970. */
export const dayNumber = (day: string): number => Math.floor(Date.parse(day) / days(1))

/** Of a day by its number; Monday is 1. January 1, 1970 was a Thursday. */
export const weekdayOf = (number: number): number => ((((number + 3) % 7) + 7) % 7) + 1

interface Span {
  from: number
  to: number
  /** Of the clocks to UTC, milliseconds. */
  offset: number
}

function spansOf(zone: string, from: number, to: number): Span[] {
  const spans: Span[] = []
  let zoned: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
  while (zoned && zoned.epochMilliseconds < to) {
    const next: Temporal.ZonedDateTime | null = zoned.getTimeZoneTransition('next')
    spans.push({
      from: zoned.epochMilliseconds,
      to: Math.min(next?.epochMilliseconds ?? to, to),
      offset: zoned.offsetNanoseconds / 1e6,
    })
    zoned = next
  }
  return spans
}

function offsetAt(at: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
}

/** `local`: what the clocks show, as milliseconds of a clock in UTC. */
function shown(local: number): Wall {
  const text = new Date(local).toISOString().slice(0, 16)
  const number = Math.floor(local / days(1))
  return { text, day: text.slice(0, 10), clock: text.slice(11), weekday: weekdayOf(number), number }
}
