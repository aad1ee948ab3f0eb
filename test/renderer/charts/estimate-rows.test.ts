import { describe, expect, it } from 'vitest'
import { joinHeat, seriesRange, stretches } from '../../../renderer/charts/estimate-rows.ts'
import type { EstimatePoint, EstimateView } from '../../../shared/views.ts'

const day = 86_400_000
const point = (index: number, reliable_change: boolean, clinically_important = false): EstimatePoint => ({
  at: index * day,
  estimate: 3,
  known_items: 2,
  band: 'minimal',
  reliable_change,
  clinically_important,
})

const view = (days: number[], cells: (number | null)[], marker_type: 'PHQ9_ITEM_1' | 'GAD7_ITEM_1'): EstimateView => ({
  instrument: marker_type === 'PHQ9_ITEM_1' ? 'phq9' : 'gad7',
  window_days: 30,
  current: { estimate: 0, known_items: 0, band: 'minimal', items: [], days_with_messages: 0 },
  series: [],
  heat: { days, rows: [{ marker_type, cells }] },
})

describe('change marks', () => {
  it('are one stretch per run of days, reliable and clinically important kept apart', () => {
    const series = [point(0, false), point(1, true), point(2, true, true), point(3, false), point(4, true)]
    expect(stretches(series, 'reliable_change')).toEqual([
      { from: 0, to: 2 * day },
      { from: 3 * day, to: 4 * day },
    ])
    expect(stretches(series, 'clinically_important')).toEqual([{ from: day, to: 2 * day }])
  })

  it('of a single day in the series are still visible', () => {
    expect(stretches([point(4, true)], 'reliable_change')).toEqual([{ from: 3 * day, to: 4 * day }])
  })

  it('are none where nothing changed', () => {
    expect(stretches([point(0, false)], 'reliable_change')).toEqual([])
  })
})

describe('the range of an estimate', () => {
  it('is at least a day wide and none without a series', () => {
    expect(seriesRange([point(3, false)])).toEqual({ from: 2 * day, to: 3 * day })
    expect(seriesRange([])).toBeNull()
  })
})

describe('the joined heat map', () => {
  it('puts both instruments on the same days and leaves what one of them lacks unknown, not 0', () => {
    const joined = joinHeat([view([day, 2 * day], [0, 3], 'PHQ9_ITEM_1'), view([2 * day, 3 * day], [1, null], 'GAD7_ITEM_1')])
    expect(joined.days).toEqual([day, 2 * day, 3 * day])
    expect(joined.rows.map(({ cells }) => cells)).toEqual([
      [0, 3, null],
      [null, 1, null],
    ])
  })
})
