/** What is done to the list of steps while it is edited. Pure. */
import type { GuideStep } from '../../shared/guide.ts'

/** The list with the step at `index` one place further up (−1) or down (1); the same at either end. */
export function moved(guide: readonly GuideStep[], index: number, by: 1 | -1): GuideStep[] {
  const next = [...guide]
  const [step] = next.splice(index, 1)
  if (step) next.splice(Math.max(0, index + by), 0, step)
  return next
}

/** For which tiers a step is shown; where it is not shown it is not required. */
export function withTiers({ required }: GuideStep, tiers: GuideStep['tiers']): Partial<GuideStep> {
  return { tiers, required: required.filter((tier) => tiers.includes(tier)) }
}
