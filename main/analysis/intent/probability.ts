/** The probability that a message may call for somebody, as the classifier alone sees it. */
import { calibrated, leastProbability, type IntentCalibration } from '../data/index.ts'
import type { ClassifiedPassage } from './classifier.ts'
import { lengthOf } from './passages.ts'

/** Danger, despair, worry about another, a threat or abuse, whichever: 0–1. */
export function anythingGrave({ danger, distress, third_party, threat, abuse }: ClassifiedPassage['probabilities']): number {
  return danger + distress + third_party + threat + abuse
} // prettier-ignore

/**
 * A wish to die, or not to be: 0–1. Such a wish is worded as danger and as despair at once, and despair beside danger
 * speaks for it, no more than danger itself does; despair alone does not.
 */
export function dangerToLife({ danger, distress }: Pick<ClassifiedPassage['probabilities'], 'danger' | 'distress'>): number {
  return danger + Math.min(danger, distress)
} // prettier-ignore

/** Log-odds of a probability, which is kept a millionth away from 0 and 1. */
export function logOdds(probability: number): number {
  const bounded = Math.min(Math.max(probability, 1e-6), 1 - 1e-6)
  return Math.log(bounded / (1 - bounded))
}

/** Fewer tokens (“goodbye”) may mean anything: only the phrases know them. */
export const leastTokens = 3

/**
 * The probability, 0–1, of the gravest passage of a message with so many tokens, calibrated on sentences of writers
 * whom the classifier had not read; 0 where it is next to nothing.
 */
export function readerProbability(
  passages: readonly ClassifiedPassage[],
  tokens: number,
  { probability }: IntentCalibration,
): number {
  const gravest = passages.reduce((most, { probabilities }) => Math.max(most, anythingGrave(probabilities)), 0)
  const found = tokens < leastTokens ? 0 : calibrated(probability[lengthOf(tokens)], logOdds(gravest))
  return found < leastProbability ? 0 : found
}
