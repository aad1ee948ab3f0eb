import { describe, expect, it } from 'vitest'
import { printCost, weeklyCost } from '../../../main/evaluation/index.ts'

describe('what ordinary talk costs in a week', () => {
  it('counts every tier with those above it, for a thousand students of ten messages', () => {
    const tiers = [...Array.from({ length: 97 }, () => 'ok' as const), 'caution', 'high', 'crisis'] as const
    const cost = weeklyCost(tiers)
    expect(cost.map(({ tier, messages }) => [tier, messages])).toEqual([['caution', 300], ['high', 200], ['crisis', 100]]) // prettier-ignore
    for (const { messages, ci95 } of cost) {
      expect(ci95[0]).toBeLessThan(messages)
      expect(ci95[1]).toBeGreaterThan(messages)
    }
    expect(printCost(cost, 'these')).toContain('caution or above: 300')
  })

  it('is unknown without a message', () => {
    expect(weeklyCost([])).toEqual([])
  })
})
