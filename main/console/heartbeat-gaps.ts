/** Which heartbeats never came: their numbers count without a gap, so whatever is missing went somewhere else. */
import { gapShownAfter, gapShownFor } from '../../shared/thresholds.ts'
import { minutes, seconds } from '../../shared/time.ts'

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
  /**
   * The newest that no station of a school can have counted to since the one before, and when it came (UTC ms): a
   * mistake, or a forgery. It is not believed, so that it hides no loss. Null = none lately.
   */
  unlikely(schoolId: string, now: number): { number: number; noticed_at: number } | null
  /**
   * How many were received since then (UTC milliseconds), and in how many places among them a few are missing, of the
   * school of which most are: many such places mean that something else receives, too.
   */
  scattered(since: number): { received: number; holes: number }
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
/** More than so many missing in one place are an outage of the station, not messages that went elsewhere. */
const longestHole = 20
/** So many arrivals of a school are remembered: more than come in the longest time that is asked for. */
const mostArrivals = 200
/** How far the clocks of two stations may be apart. */
const clocksApart = minutes(3)
/** A station makes no two heartbeats of a school closer to each other than this, however often its directory is saved, */
const closestBeats = seconds(10)
/** but for one at each start of a station: so many starts are believed to lie between two that came. */
const mostStarts = 30

/**
 * Follows the numbers in the order in which they came. A number that comes late closes its gap. One that goes back,
 * though it was made later, is a count that was begun anew, by a station with a new database: it misses nothing. One that
 * runs ahead of what can have been counted meanwhile is not believed until another goes on from it.
 */
export function followHeartbeats(): HeartbeatGaps {
  /** By school; the line that was heard of last stands first. */
  const schools = new Map<string, Line[]>()
  /** By school, when the newest came. */
  const arrivals = new Map<string, number[]>()
  /** By school, the newest that was not believed. */
  const doubted = new Map<string, Beat>()

  return {
    heard(beat) {
      const { school_id, number, received_at } = beat
      const at = Math.min(beat.at, received_at)
      const lines = schools.get(school_id) ?? []
      const line = lineOf(lines, number, at) ?? goesOnFrom(doubted.get(school_id), lines, number, at)
      if (line === 'told already') return
      if (line === null) {
        // The same again is not noticed again.
        if (doubted.get(school_id)?.number !== number) doubted.set(school_id, { ...beat, at })
        return
      }
      if (line.highest === doubted.get(school_id)?.number) doubted.delete(school_id)
      if (number > line.highest + 1)
        line.missing.push({ from: line.highest + 1, to: number - 1, noticed_at: received_at })
      else if (number <= line.highest) line.missing = line.missing.flatMap((gap) => without(gap, number))
      line.missing = line.missing.slice(-mostGaps)
      line.highest = Math.max(line.highest, number)
      line.latest = Math.max(line.latest, at)
      arrivals.set(school_id, [...(arrivals.get(school_id) ?? []), received_at].slice(-mostArrivals))
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
    unlikely(schoolId, now) {
      const { number, received_at } = doubted.get(schoolId) ?? { number: 0, received_at: -Infinity }
      return Math.abs(now - received_at) <= gapShownFor ? { number, noticed_at: received_at } : null
    },
    scattered: (since) =>
      [...schools]
        .map(([school, lines]) => ({
          received: (arrivals.get(school) ?? []).filter((at) => at > since).length,
          holes: lines
            .flatMap(({ missing }) => missing)
            .filter(({ from, to, noticed_at }) => noticed_at > since && to - from + 1 < longestHole).length,
        }))
        .sort((a, b) => b.holes - a.holes)[0] ?? { received: 0, holes: 0 },
  }
}

/** The line in which a number belongs, a new one where it begins one; null where nothing can have counted so far. */
function lineOf(lines: readonly Line[], number: number, at: number): Line | 'told already' | null {
  const closing = lines.find(
    ({ missing, latest }) =>
      at <= latest + clocksApart && missing.some(({ from, to }) => from <= number && number <= to),
  )
  const below = lines.filter(({ highest }) => highest < number).sort((a, b) => b.highest - a.highest)
  // The next one of a line goes before what another may have missed.
  if (below[0]?.highest === number - 1) return below[0]
  if (closing) return closing
  if (lines.some(({ highest, latest }) => number <= highest && at <= latest)) return 'told already'
  if (below.length > 0) return below.find((line) => canReach(line, number, at)) ?? null
  return { highest: number, latest: at, missing: [] }
}

/** Whether heartbeats can have been counted up to a number by then. */
const canReach = ({ highest, latest }: Pick<Line, 'highest' | 'latest'>, number: number, at: number): boolean =>
  number - highest <= (Math.max(0, at - latest) + clocksApart) / closestBeats + mostStarts

/**
 * A second one that goes on from one that was not believed makes a line of both: stations do count there now, or somebody
 * who forges does. What lies before them is named as missing either way, so that neither leaves no trace.
 */
function goesOnFrom(doubted: Beat | undefined, lines: readonly Line[], number: number, at: number): Line | null {
  if (doubted === undefined || number <= doubted.number) return null
  const before = Math.max(...lines.map(({ highest }) => highest).filter((highest) => highest < doubted.number))
  const gap = { from: before + 1, to: doubted.number - 1, noticed_at: doubted.received_at }
  const line = { highest: doubted.number, latest: doubted.at, missing: Number.isFinite(before) ? [gap] : [] }
  return canReach(line, number, at) ? line : null
}

function without(gap: Gap, number: number): Gap[] {
  const { from, to } = gap
  if (number < from || number > to) return [gap]
  return [
    { ...gap, to: number - 1 },
    { ...gap, from: number + 1 },
  ].filter((part) => part.from <= part.to)
}
