/** What the detection costs those who answer: alerts and watched sessions of a week, from ordinary talk. */
import { tierRank, type RiskTier } from '../../shared/risk.ts'
import { wilson } from './figures.ts'

export interface WeeklyCost {
  /** Messages of `tier` or above of a week, with the 95 % interval. */
  tier: RiskTier
  messages: number
  ci95: [number, number]
}

/** What `week` ordinary messages would bring of each tier; empty without verdicts. */
export function weeklyCost(tiers: readonly RiskTier[], week: number): WeeklyCost[] {
  return (['caution', 'high', 'crisis'] as const).flatMap((tier) => {
    const hits = tiers.filter((each) => tierRank(each) >= tierRank(tier)).length
    const interval = wilson(hits, tiers.length)
    if (!interval) return []
    const messages = Math.round((hits / tiers.length) * week)
    return [{ tier, messages, ci95: [Math.floor(interval[0] * week), Math.ceil(interval[1] * week)] }]
  })
}

/** The cost as lines of text. */
export function printCost(costs: readonly WeeklyCost[], week: number, source: string): string {
  const lines = costs.map(({ tier, messages, ci95 }) => `  ${tier === 'crisis' ? 'crisis' : `${tier} or above`}: ${messages} (${ci95[0]} to ${ci95[1]})`) // prettier-ignore
  return [`Of 1,000 students who write ${week} ordinary messages in a week (${source}):`, ...lines].join('\n')
}
