/** Where the time axis is labelled: round local times, at most as many as there is room for. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Steps shorter than a day, in milliseconds. */
const shortSteps = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour]
/** Steps of whole local days. */
const daySteps = [1, 2, 7, 14, 28, 56, 112, 365]

export interface TimeTicks {
  /** UTC milliseconds, ascending, inside [from, to]. */
  at: number[]
  /** Distance between two ticks in milliseconds (a day counts 24 h). */
  step: number
}

/** Difference of the zone's wall clock to UTC at an instant, in milliseconds. */
export function zoneOffset(at: number, zone: string): number {
  const parts = formatter(zone).formatToParts(at)
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === name)?.value ?? 0)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wall - Math.floor(at / 1000) * 1000
}

/** Start of the local day that `at` falls in, shifted by whole local days. */
export function localDay(at: number, zone: string, shift = 0): number {
  const wall = Math.floor((at + zoneOffset(at, zone)) / day + shift) * day
  return fromWall(wall, zone)
}

/** Ticks for [from, to] (UTC milliseconds): the finest round step that gives at most `most` of them. */
export function timeTicks(from: number, to: number, most: number, zone: string): TimeTicks {
  const span = to - from
  if (!(span > 0) || most < 1) return { at: [], step: 0 }
  const short = shortSteps.find((step) => span / step <= most)
  if (short !== undefined) return { at: shortTicks(from, to, short, zone), step: short }
  const days = daySteps.find((step) => span / (step * day) <= most) ?? Math.ceil(span / day / most)
  const at: number[] = []
  let start = localDay(from, zone)
  if (start < from) start = localDay(from, zone, 1)
  for (let index = 0; ; index += days) {
    const tick = localDay(start, zone, index)
    if (tick > to) break
    at.push(tick)
  }
  return { at, step: days * day }
}

function shortTicks(from: number, to: number, step: number, zone: string): number[] {
  const at: number[] = []
  // Aligned on the wall clock, so that 6-hour ticks stand at 0, 6, 12 and 18 local time.
  let wall = Math.ceil((from + zoneOffset(from, zone)) / step) * step
  for (; ; wall += step) {
    const tick = fromWall(wall, zone)
    if (tick > to) return at
    // An hour that is skipped or comes twice would give a tick twice or out of order.
    if (tick >= from && tick > (at.at(-1) ?? -Infinity)) at.push(tick)
  }
}

function fromWall(wall: number, zone: string): number {
  const guess = wall - zoneOffset(wall, zone)
  return wall - zoneOffset(guess, zone)
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string): Intl.DateTimeFormat {
  let known = formatters.get(zone)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit',
      hour: '2-digit', minute: '2-digit', second: '2-digit',
    }) // prettier-ignore
    formatters.set(zone, known)
  }
  return known
}
