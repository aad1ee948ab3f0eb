/** What part of time the trajectory shows. */
export const ranges = ['day', 'week', 'month', 'all'] as const
export type RangeName = (typeof ranges)[number]

export interface TimeRange {
  from: number
  to: number
}

const day = 86_400_000
const lengths: Record<Exclude<RangeName, 'all'>, number> = { day, week: 7 * day, month: 30 * day }

/** What to ask for: the end is left open so that the newest message is always in it; “all” leaves both open. */
export function askedRange(name: RangeName, zoom: TimeRange | null, now: number): { from?: number; to?: number } {
  if (zoom) return { from: Math.round(zoom.from), to: Math.round(zoom.to) }
  return name === 'all' ? {} : { from: now - lengths[name] }
}

/** A zoom never reaches past now; one that would stand wholly in the future is moved back. */
export function keptZoom(zoom: TimeRange | null, now: number): TimeRange | null {
  if (!zoom || zoom.to <= now) return zoom
  const length = zoom.to - zoom.from
  return zoom.from < now - length / 2 ? { from: zoom.from, to: now } : { from: now - length, to: now }
}

/**
 * A trajectory over the whole range that was asked for, so that quiet days show; at least an hour wide.
 * Its ends stand on a raster of one or two pixels: an axis that moved with every message would cost a
 * live chart more than the message does.
 */
export function withAskedRange<T extends TimeRange>(trajectory: T, asked: { from?: number }): T {
  const from = Math.min(asked.from ?? trajectory.from, trajectory.to - 3_600_000)
  const raster = 2 ** Math.floor(Math.log2((trajectory.to - from) / 600))
  return { ...trajectory, from: Math.floor(from / raster) * raster, to: Math.ceil(trajectory.to / raster) * raster }
}
