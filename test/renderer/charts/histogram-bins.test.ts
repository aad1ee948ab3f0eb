import { expect, it } from 'vitest'
import { binLabels } from '../../../renderer/charts/histogram-bins.ts'

it('bins are named by their bounds and the last one is open', () => {
  const bins = [1, 5, null].map((up_to_minutes) => ({ up_to_minutes, count: 0 }))
  expect(binLabels(bins)).toEqual(['0–1', '1–5', 'over 5'])
})
