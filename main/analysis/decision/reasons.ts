/** One line per signal and one for the decision, made of categories and meanings only: a reason never quotes the student. */
import type { Assessment } from '../../../shared/assessment.ts'
import type { DecidedOn, PatternCategory } from '../../../shared/risk.ts'
import { categoryNames } from '../../../shared/risk-words.ts'
import type { ClinicalAnswer } from '../data/index.ts'
import type { historySignal, ScoredMatch, SemanticSignal } from '../signals/index.ts'
import type { Decision } from './consensus.ts'
import type { FloorEvidence } from './floor.ts'

const readable = (category: PatternCategory): string => categoryNames[category]

export interface ReasonInput {
  phraseMatches: readonly ScoredMatch[]
  semantic: SemanticSignal
  clinical: ClinicalAnswer
  history: ReturnType<typeof historySignal>
  uncovered: boolean
}

export function signalReasons({ phraseMatches, semantic, clinical, history, uncovered }: ReasonInput): Assessment['reasons'] {
  return [
    { signal: 'regex', text: regexReason(phraseMatches, uncovered) },
    { signal: 'semantic', text: semanticReason(semantic) },
    { signal: 'clinical', text: clinical.reasoning },
    { signal: 'history', text: historyReason(history) },
  ]
} // prettier-ignore

export function semanticReason({ category }: SemanticSignal): string {
  return category ? `Close in wording to phrases of ${readable(category)}.` : 'Close to no known phrase.'
}

/** The evidence that decided. `unread`: why the patterns say nothing of what they did not find; null = they do. */
export function decidedOn(
  { tier, level }: Decision,
  { floor, floorOn, concernOn }: FloorEvidence,
  unread: 'uncovered' | 'missing' | null,
): DecidedOn {
  if (tier === 'ok') return 'nothing'
  // Where the weighted signals ask for as much as the floor, what the floor stands on says more.
  if (floorOn && floor === tier) return floorOn
  // What could not be read is at least caution, whatever else was found in it.
  if (tier === 'caution' && unread) return unread
  return tier === 'caution' && level === 'SAFE' ? concernOn! : 'signals'
}

function regexReason(matches: readonly ScoredMatch[], uncovered: boolean): string {
  const strongest = [...matches].sort((a, b) => b.confidence - a.confidence).slice(0, 3)
  if (strongest.length === 0)
    return uncovered ? 'The message is in a language the patterns do not cover.' : 'No pattern matched.'
  const parts = strongest.map(({ match }) => `${readable(match.group.category)} (${match.group.name}), ${match.meaning}${match.resolved ? ' and resolved' : ''}`) // prettier-ignore
  const rest = uncovered ? ' The rest of the message is in a language that the patterns do not cover.' : ''
  return `Matched: ${[...new Set(parts)].join('; ')}.${rest}`
}

function historyReason({ value, trend }: ReasonInput['history']): string {
  if (value === 0) return 'No markers in the last 30 days.'
  return trend === 'unknown' ? 'Markers in the last 30 days; too few to see a trend.' : `Markers of the last 30 days: ${trend}.` // prettier-ignore
}
