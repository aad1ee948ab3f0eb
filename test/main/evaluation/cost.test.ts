import { describe, expect, it } from 'vitest'
import { printCost, weeklyCost } from '../../../main/evaluation/index.ts'

describe('what ordinary talk costs in a week', () => {
  it('counts every tier with those above it, of so many messages', () => {
    const tiers = [...Array.from({ length: 97 }, () => 'ok' as const), 'caution', 'high', 'crisis'] as const
    const cost = weeklyCost(tiers, 2000)
    expect(cost.map(({ tier, messages }) => [tier, messages])).toEqual([['caution', 60], ['high', 40], ['crisis', 20]]) // prettier-ignore
    for (const { messages, ci95 } of cost) {
      expect(ci95[0]).toBeLessThan(messages)
      expect(ci95[1]).toBeGreaterThan(messages)
    }
    expect(printCost(cost, 2000, 'these')).toContain('caution or above: 60')
  })

  it('is unknown without a message', () => {
    expect(weeklyCost([], 2000)).toEqual([])
  })
})
