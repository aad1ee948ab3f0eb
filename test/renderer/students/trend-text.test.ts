import { expect, it } from 'vitest'
import { trendText } from '../../../renderer/students/trend-text.ts'

it('tells where a student’s risk is going from caution on', () => {
  expect(trendText({ tier: 'caution', trend: 'declining', open_alerts: 0 })).toBe('risk rising')
  expect(trendText({ tier: 'high', trend: 'improving', open_alerts: 0 })).toBe('risk falling')
  expect(trendText({ tier: 'ok', trend: 'declining', open_alerts: 0 })).toBe('')
})

it('tells of no fall beside an open alert', () => {
  for (const trend of ['improving', 'stable', 'unknown'] as const)
    expect(trendText({ tier: 'crisis', trend, open_alerts: 1 })).toBe('')
  expect(trendText({ tier: 'crisis', trend: 'declining', open_alerts: 1 })).toBe('risk rising')
})
