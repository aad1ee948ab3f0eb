/** The deterministic floor: the tier that the matches demand, whatever the weighted signals say. */
import { floorThresholds, patternCategories, worseTier, type RiskTier } from '../../../shared/risk.ts'
import type { AssessmentInput } from '../assessment-input.ts'
import { fullConfidence, type InterpretedMatch } from '../context/index.ts'
import { rapidDrift, type ScoredMatch } from '../signals/index.ts'

export interface FloorEvidence {
  /** Tier the floor demands, from what was matched. */
  floor: RiskTier
  /** Score the floor demands: the confidence of the match behind a crisis, 0–1. */
  floorScore: number
  /** Tier demanded by concerning words or a rapid fall of sentiment. */
  concern: RiskTier
  /** Whether the floor stands on the intent classifier, and on no listed phrase. */
  byClassifier: boolean
}

/** Confidence from which a match is concerning. */
const concerning = 0.4

/** What phrases and classifier demand; `severe` is the full confidence from which a match is severe. */
export function floorOf(
  matches: { phraseMatches: readonly ScoredMatch[]; intentMatches: readonly ScoredMatch[] },
  { previous }: AssessmentInput,
  sentiment: number,
  severe: number,
): FloorEvidence {
  const all = [...matches.phraseMatches, ...matches.intentMatches]
  const demandedBy = (scored: readonly ScoredMatch[]): RiskTier =>
    scored.reduce<RiskTier>((worst, { match, confidence }) => {
      const tier = tierOf(match, confidence, severe)
      return worseTier(worst, match.heldAtHigh ? worseTier('high', tier) : tier)
    }, 'ok')
  const byPhrases = demandedBy(matches.phraseMatches)
  const byIntent = demandedBy(matches.intentMatches)
  const byRepetition = isRepeated(all, previous) ? 'high' : 'ok'
  const floor = worseTier(worseTier(byPhrases, byIntent), byRepetition)
  const isConcerning = all.some(({ confidence }) => confidence >= concerning) || rapidDrift(previous, sentiment)
  return {
    floor,
    floorScore: floor === 'crisis' ? all.reduce((highest, { confidence }) => Math.max(highest, confidence), 0) : 0,
    concern: isConcerning ? 'caution' : 'ok',
    byClassifier: floor === byIntent && byPhrases !== floor && byRepetition !== floor,
  }
}

/** The tier one match demands. */
function tierOf({ group, meaning, resolved }: InterpretedMatch, confidence: number, severe: number): RiskTier {
  const full = fullConfidence(group)
  const isSevere = full >= severe
  switch (meaning) {
    case 'affirmed':
      if (confidence >= floorThresholds.crisis) return 'crisis'
      return worseTier(group.tier === 'high' ? 'high' : 'ok', confidence >= floorThresholds.caution ? 'caution' : 'ok')
    case 'about someone else':
      return full >= floorThresholds.caution ? 'high' : 'ok'
    case 'hyperbole':
    case 'trivial cause':
    case 'hypothetical':
      return isSevere || group.tier === 'high' ? 'high' : full >= floorThresholds.caution ? 'caution' : 'ok'
    case 'past':
      if (!resolved && (isSevere || group.category === 'self_harm')) return 'high'
      return full >= floorThresholds.caution ? 'caution' : 'ok'
    case 'quoted':
    case 'negated':
      return isSevere ? 'caution' : 'ok'
  }
}

/** The same grave category again within the rolling window, while below the floor. */
function isRepeated(matches: readonly ScoredMatch[], previous: AssessmentInput['previous']): boolean {
  const counts = ({ meaning }: InterpretedMatch): boolean =>
    meaning !== 'negated' && meaning !== 'quoted' && meaning !== 'about someone else'
  return matches.some(
    ({ match }) =>
      counts(match) &&
      patternCategories[match.group.category] >= floorThresholds.caution &&
      previous.some(({ tier, categories }) => tier !== 'ok' && categories.includes(match.group.category)),
  )
}
