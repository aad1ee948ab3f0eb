/** Where the time axis is labelled: round local times, at most as many as there is room for. */
import { fromWall, startOfDay, zoneOffset } from '../../shared/zone.ts'

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

/** Ticks for [from, to] (UTC milliseconds): the finest round step that gives at most `most` of them. */
export function timeTicks(from: number, to: number, most: number, zone: string): TimeTicks {
  const span = to - from
  if (!(span > 0) || most < 1) return { at: [], step: 0 }
  const short = shortSteps.find((step) => span / step <= most)
  if (short !== undefined) return { at: shortTicks(from, to, short, zone), step: short }
  const days = daySteps.find((step) => span / (step * day) <= most) ?? Math.ceil(span / day / most)
  const at: number[] = []
  let start = startOfDay(from, zone)
  if (start < from) start = startOfDay(from, zone, 1)
  for (let index = 0; ; index += days) {
    const tick = startOfDay(start, zone, index)
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
