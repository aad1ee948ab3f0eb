/** Which heartbeats never came: their numbers count without a gap, so whatever is missing went somewhere else. */
import { gapShownAfter, gapShownFor } from '../../shared/thresholds.ts'
import { minutes } from '../../shared/time.ts'

/** One heartbeat's number. Times are UTC milliseconds. */
export interface Beat {
  school_id: string
  number: number
  /** When it was made, by its station's clock. */
  at: number
  received_at: number
}

/** Heartbeats of these numbers, both ends included, have not come. */
export interface Gap {
  from: number
  to: number
  /** When a later one came without them, UTC milliseconds. */
  noticed_at: number
}

export interface HeartbeatGaps {
  heard(beat: Beat): void
  /** Those of a school that are named now, oldest numbers first; what was noticed a moment ago may still come. */
  named(schoolId: string, now: number): Gap[]
}

/** Numbers that count one after the other. A school has one such line; a second begins where its count does anew. */
interface Line {
  highest: number
  /** The latest time of any of its heartbeats. */
  latest: number
  missing: Gap[]
}

/** So many lines of a school are followed: the one that goes on, and what it may have begun anew from. */
const mostLines = 4
/** So many gaps are held: whoever loses more knows by these. */
const mostGaps = 50
/** How far the clocks of two stations may be apart. */
const clocksApart = minutes(3)

/**
 * Follows the numbers in the order in which they came. A number that comes late closes its gap. One that goes back,
 * though it was made later, is a count that was begun anew, by a station with a new database: it misses nothing.
 */
export function followHeartbeats(): HeartbeatGaps {
  /** By school; the line that was heard of last stands first. */
  const schools = new Map<string, Line[]>()

  return {
    heard({ school_id, number, at: made, received_at }) {
      const at = Math.min(made, received_at)
      const lines = schools.get(school_id) ?? []
      const line = lineOf(lines, number, at)
      if (line === null) return
      if (number > line.highest + 1)
        line.missing.push({ from: line.highest + 1, to: number - 1, noticed_at: received_at })
      else if (number <= line.highest) line.missing = line.missing.flatMap((gap) => without(gap, number))
      line.missing = line.missing.slice(-mostGaps)
      line.highest = Math.max(line.highest, number)
      line.latest = Math.max(line.latest, at)
      schools.set(school_id, [line, ...lines.filter((other) => other !== line)].slice(0, mostLines))
    },
    named: (schoolId, now) =>
      (schools.get(schoolId) ?? [])
        .flatMap(({ missing }) => missing)
        .filter(({ noticed_at }) => {
          // A clock that was set says nothing of an age.
          const age = Math.abs(now - noticed_at)
          return age >= gapShownAfter && age <= gapShownFor
        })
        .sort((a, b) => a.from - b.from),
  }
}

/** The line in which a number belongs, a new one where it begins one; null where it says nothing new. */
function lineOf(lines: readonly Line[], number: number, at: number): Line | null {
  const closing = lines.find(
    ({ missing, latest }) =>
      at <= latest + clocksApart && missing.some(({ from, to }) => from <= number && number <= to),
  )
  const below = lines.filter(({ highest }) => highest < number).sort((a, b) => b.highest - a.highest)[0]
  // The next one of a line goes before what another may have missed.
  if (below && below.highest + 1 === number) return below
  if (closing) return closing
  // It has come before, or is told late.
  if (lines.some(({ highest, latest }) => number <= highest && at <= latest)) return null
  if (below) return below
  return { highest: number, latest: at, missing: [] }
}

function without(gap: Gap, number: number): Gap[] {
  const { from, to } = gap
  if (number < from || number > to) return [gap]
  return [
    { ...gap, to: number - 1 },
    { ...gap, from: number + 1 },
  ].filter((part) => part.from <= part.to)
}
