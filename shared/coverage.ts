/** “Worse than what was acknowledged”: what some triggers amount to, and when another one is heard again. */
import { z } from 'zod'
import {
  isPatternCategory,
  probabilitySchema,
  riskTierSchema,
  tierRank,
  worseTier,
  worstCategory,
  type PatternCategory,
  type RiskTier,
} from './risk.ts'
import { worseByScore } from './thresholds.ts'

/** The worst of the triggers an action covers, so that “worse than what was acknowledged” needs no other memory. */
export const coverageSchema = z.object({
  tier: riskTierSchema,
  categories: z.array(z.string().max(100)),
  score: probabilitySchema,
})
export type Coverage = z.infer<typeof coverageSchema>

interface Measured {
  tier: RiskTier
  categories: readonly PatternCategory[]
  score: number
}

/** The worst of some triggers: what an action that covers them records. */
export function coverageOf(triggers: readonly Measured[]): Coverage {
  return {
    tier: triggers.reduce<RiskTier>((worst, trigger) => worseTier(worst, trigger.tier), 'ok'),
    categories: [...new Set(triggers.flatMap((trigger) => trigger.categories))].sort(),
    score: triggers.reduce((highest, trigger) => Math.max(highest, trigger.score), 0),
  }
}

/** Whether a trigger is worse than what was covered: higher tier, more severe category, or +0.05 score. */
export function isWorse(trigger: Measured, covered: Coverage): boolean {
  return (
    tierRank(trigger.tier) > tierRank(covered.tier) ||
    worstCategory(trigger.categories) > worstCategory(covered.categories.filter(isPatternCategory)) ||
    // Compared in ten-thousandths: scores carry four places, and 0.95 − 0.90 is not 0.05 in binary.
    Math.round(trigger.score * 10_000) - Math.round(covered.score * 10_000) >= worseByScore * 10_000
  )
}

/** Joins coverage of two actions: what either of them saw. */
export function joinCoverage(a: Coverage, b: Coverage): Coverage {
  return {
    tier: worseTier(a.tier, b.tier),
    categories: [...new Set([...a.categories, ...b.categories])].sort(),
    score: Math.max(a.score, b.score),
  }
}
