import { describe, expect, it } from 'vitest'
import { changeMarks, dayScore, joinHeat, seriesRange } from '../../../renderer/charts/estimate-rows.ts'
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
  const series = [
    { ...point(0, false), estimate: 2 },
    { ...point(1, false, true), estimate: 7 },
    { ...point(2, true), estimate: 9 },
    { ...point(3, true, true), estimate: 1 },
  ]

  it('keep reliable and clinically important change apart, each against its own mark before', () => {
    expect(changeMarks(series, 'reliable_change')).toEqual([
      { at: 2 * day, by: 7 },
      { at: 3 * day, by: -8 },
    ])
    expect(changeMarks(series, 'clinically_important')).toEqual([
      { at: day, by: 5 },
      { at: 3 * day, by: -6 },
    ])
  })

  it('are none where nothing changed', () => {
    expect(changeMarks([point(0, false)], 'reliable_change')).toEqual([])
  })
})

describe('the item score of a day', () => {
  it('is the floor of three times the confidence, exact where binary fractions are not', () => {
    expect([0, 0.33, 0.49, 0.7, 0.9, 1].map(dayScore)).toEqual([0, 0, 1, 2, 2, 3])
    expect(dayScore(1 / 3)).toBe(1)
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
    const joined = joinHeat([
      view([day, 2 * day], [0.2, 1], 'PHQ9_ITEM_1'),
      view([2 * day, 3 * day], [0.5, null], 'GAD7_ITEM_1'),
    ])
    expect(joined.days).toEqual([day, 2 * day, 3 * day])
    expect(joined.rows.map(({ cells }) => cells)).toEqual([
      [0, 3, null],
      [null, 1, null],
    ])
  })
})
