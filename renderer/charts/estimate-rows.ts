/** An estimate over time as a chart draws it and as a table says it. */
import { itemsOf, type Instrument } from '../../shared/estimates.ts'
import type { EstimatePoint, EstimateView } from '../../shared/views.ts'

const day = 86_400_000

export interface ChangeMark {
  at: number
  /** Difference to the estimate at the mark before it, or at the beginning: above 0 is a rise. */
  by: number
}

/** The days on which a change reached the size of its kind, each with its difference to the mark before. */
export function changeMarks(
  series: readonly EstimatePoint[],
  flag: 'reliable_change' | 'clinically_important',
): ChangeMark[] {
  let from = series[0]?.estimate ?? 0
  return series.flatMap((point) => {
    if (!point[flag]) return []
    const mark = { at: point.at, by: point.estimate - from }
    from = point.estimate
    return [mark]
  })
}

/** Number of items the instrument has: PHQ-9 nine, GAD-7 seven. */
export function itemCount(instrument: Instrument): number {
  return itemsOf(instrument).length
}

/** Range of time of an estimate's series; null without one. */
export function seriesRange(series: readonly EstimatePoint[]): { from: number; to: number } | null {
  const first = series[0]
  const last = series.at(-1)
  if (!first || !last) return null
  return { from: Math.min(first.at, last.at - day), to: last.at }
}

export interface HeatRow {
  marker_type: EstimateView['heat']['rows'][number]['marker_type']
  /** Item score 0–3 per day of the heat map; null = no evidence, which is unknown and not 0. */
  cells: (number | null)[]
}

/** The published item score of a day: ⌊confidence × 3⌋ of its surest words, 0–3. */
export function dayScore(confidence: number): number {
  return Math.min(3, Math.max(0, Math.floor(confidence * 3 + 1e-9)))
}

/** Heat maps of several instruments on one axis of days, ascending; a day one of them lacks is unknown there. */
export function joinHeat(views: readonly EstimateView[]): { days: number[]; rows: HeatRow[] } {
  const days = [...new Set(views.flatMap(({ heat }) => heat.days))].sort((a, b) => a - b)
  const rows = views.flatMap(({ heat }) => {
    const column = new Map(heat.days.map((at, index) => [at, index]))
    return heat.rows.map((row) => ({
      marker_type: row.marker_type,
      cells: days.map((at) => {
        const index = column.get(at)
        const confidence = index === undefined ? null : (row.cells[index] ?? null)
        return confidence === null ? null : dayScore(confidence)
      }),
    }))
  })
  return { days, rows }
}
