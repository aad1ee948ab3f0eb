/** Most points that a chart draws within its 50 ms. */
export const mostPoints = 400

/**
 * Thins a series for a chart of `most` points: per column of time its lowest and highest score, and
 * every point where the tier changes to a more urgent one. Keeps order; keeps everything when it fits.
 */
export function thinSeries<T extends { at: number; score: number }>(
  series: readonly T[],
  most: number,
  tierOf: (point: T) => number,
): T[] {
  if (series.length <= most) return [...series]
  const first = series[0] as T
  const last = series.at(-1) as T
  const changes = new Set<number>()
  series.forEach((point, index) => {
    const before = series[index - 1]
    if (before && tierOf(point) > tierOf(before)) changes.add(index)
  })
  // Tier changes take at most half of the room, the most urgent first.
  const kept = new Set(
    [...changes]
      .sort((a, b) => tierOf(series[b] as T) - tierOf(series[a] as T) || b - a)
      .slice(0, Math.floor(most / 2)),
  )
  kept.add(0)
  kept.add(series.length - 1)
  const columns = Math.max(1, Math.floor((most - kept.size) / 2))
  const width = (last.at - first.at) / columns || 1
  const extremes = new Map<number, { low: number; high: number }>()
  series.forEach((point, index) => {
    const column = Math.min(columns - 1, Math.floor((point.at - first.at) / width))
    const found = extremes.get(column)
    if (!found) extremes.set(column, { low: index, high: index })
    else {
      if (point.score < (series[found.low] as T).score) found.low = index
      if (point.score > (series[found.high] as T).score) found.high = index
    }
  })
  for (const { low, high } of extremes.values()) kept.add(low).add(high)
  return [...kept].sort((a, b) => a - b).map((index) => series[index] as T)
}
