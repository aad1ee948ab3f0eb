/** What the detection costs those who answer: alerts and watched sessions of a week, from ordinary talk. */
import { tierRank, type RiskTier } from '../../shared/risk.ts'
import { wilson } from './figures.ts'

/** A school of this size, with as many messages of each student in a week: an assumption, stated wherever it is used. */
const students = 1000
const messagesPerStudent = 10

export interface WeeklyCost {
  /** Messages of `tier` or above of a week, with the 95 % interval. */
  tier: RiskTier
  messages: number
  ci95: [number, number]
}

/** What ordinary talk would bring of each tier in a week; empty without verdicts. */
export function weeklyCost(tiers: readonly RiskTier[]): WeeklyCost[] {
  const week = students * messagesPerStudent
  return (['caution', 'high', 'crisis'] as const).flatMap((tier) => {
    const hits = tiers.filter((each) => tierRank(each) >= tierRank(tier)).length
    const interval = wilson(hits, tiers.length)
    if (!interval) return []
    const messages = Math.round((hits / tiers.length) * week)
    return [{ tier, messages, ci95: [Math.floor(interval[0] * week), Math.ceil(interval[1] * week)] }]
  })
}

/** The cost as lines of text. */
export function printCost(costs: readonly WeeklyCost[], source: string): string {
  const lines = costs.map(({ tier, messages, ci95 }) => `  ${tier === 'crisis' ? 'crisis' : `${tier} or above`}: ${messages} (${ci95[0]} to ${ci95[1]})`) // prettier-ignore
  return [
    `Of ${students} students in a week, ${messagesPerStudent} ordinary messages each (${source}):`,
    ...lines,
  ].join('\n')
}
