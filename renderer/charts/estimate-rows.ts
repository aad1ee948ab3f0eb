/** An estimate over time as a chart draws it and as a table says it. */
import { itemsOf, type Instrument } from '../../shared/estimates.ts'
import type { EstimatePoint, EstimateView } from '../../shared/views.ts'

export interface Stretch {
  from: number
  to: number
}

const day = 86_400_000

/**
 * Stretches of days on which a change flag held: each day reaches back to the day before it, so that
 * a flag of a single day is still visible.
 */
export function stretches(series: readonly EstimatePoint[], flag: 'reliable_change' | 'clinically_important'): Stretch[] {
  const found: Stretch[] = []
  let open: Stretch | null = null
  for (const [index, point] of series.entries()) {
    if (!point[flag]) {
      open = null
      continue
    }
    if (open) open.to = point.at
    else {
      open = { from: series[index - 1]?.at ?? point.at - day, to: point.at }
      found.push(open)
    }
  }
  return found
}

/** Number of items the instrument has: PHQ-9 nine, GAD-7 seven. */
export function itemCount(instrument: Instrument): number {
  return itemsOf(instrument).length
}

/** Range of time of an estimate's series; null without one. */
export function seriesRange(series: readonly EstimatePoint[]): Stretch | null {
  const first = series[0]
  const last = series.at(-1)
  if (!first || !last) return null
  return { from: Math.min(first.at, last.at - day), to: last.at }
}

export interface HeatRow {
  marker_type: EstimateView['heat']['rows'][number]['marker_type']
  /** One per day of the heat map; null = no evidence, which is unknown and not 0. */
  cells: (number | null)[]
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
        return index === undefined ? null : (row.cells[index] ?? null)
      }),
    }))
  })
  return { days, rows }
}
