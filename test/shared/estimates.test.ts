import { expect, it } from 'vitest'
import {
  highestEstimate,
  instrumentOf,
  instruments,
  itemsOf,
  markerNames,
  markerTypes,
  severityBand,
  severityBands,
} from '../../shared/estimates.ts'

it.each([
  ['phq9', [0, 4, 5, 9, 10, 14, 15, 19, 20, 27], ['minimal', 'mild', 'moderate', 'moderately severe', 'severe']],
  ['gad7', [0, 4, 5, 9, 10, 14, 15, 21], ['minimal', 'mild', 'moderate', 'severe']],
] as const)('%s has its published bands', (instrument, edges, names) => {
  expect(edges.map((sum) => severityBand(instrument, sum))).toEqual(names.flatMap((name) => [name, name]))
})

it.each(instruments)('%s: every sum is in one band, and none outside its range', (instrument) => {
  for (let sum = 0; sum <= highestEstimate[instrument]; sum++) {
    expect(severityBands[instrument].filter(({ from, to }) => sum >= from && sum <= to)).toHaveLength(1)
  }
  for (const sum of [-1, highestEstimate[instrument] + 1, 4.5]) {
    expect(() => severityBand(instrument, sum)).toThrow(RangeError)
  }
  expect(itemsOf(instrument).length * 3).toBe(highestEstimate[instrument])
})

it('names every item, each of one instrument', () => {
  expect(Object.keys(markerNames)).toEqual([...markerTypes])
  expect(markerTypes.map(instrumentOf).filter((instrument) => instrument === 'phq9')).toHaveLength(9)
})
