/** The deterministic floor: the tier that the matches demand, whatever the weighted signals say. */
import type { MatchMeaning } from '../../../shared/assessment.ts'
import {
  decidedOnSchema,
  floorThresholds,
  patternCategories,
  worseTier,
  type DecidedOn,
  type RiskTier,
} from '../../../shared/risk.ts'
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
  /** The evidence that the floor stands on; null where it demands nothing. */
  floorOn: DecidedOn | null
  /** The evidence of concern; null where there is none. */
  concernOn: 'concern' | 'mood' | null
}

/** Confidence from which a match is concerning. */
const concerning = 0.4

/** What phrases, classifier and conversation demand; `severe` is the full confidence from which a match is severe. */
export function floorOf(
  matches: {
    phraseMatches: readonly ScoredMatch[]
    intentMatches: readonly ScoredMatch[]
    /** What the message says only together with what was said before it. */
    answers: readonly ScoredMatch[]
  },
  { previous }: AssessmentInput,
  sentiment: number,
  severe: number,
): FloorEvidence {
  const all = [...matches.phraseMatches, ...matches.intentMatches, ...matches.answers]
  const tierDemanded = ({ match, confidence }: ScoredMatch): RiskTier => {
    const tier = tierOf(match, confidence, severe)
    return match.heldAtHigh ? worseTier('high', tier) : tier
  }
  const byMatches = all.reduce<RiskTier>((worst, scored) => worseTier(worst, tierDemanded(scored)), 'ok')
  const floor = worseTier(byMatches, isRepeated(all, previous) ? 'high' : 'ok')
  const kindsOf = (scored: readonly ScoredMatch[], affirmed: DecidedOn): DecidedOn[] =>
    scored
      .filter((each) => tierDemanded(each) === floor)
      .map(({ match: { meaning } }) => (meaning === 'affirmed' ? affirmed : kindOfMeaning[meaning]))
  const kinds = [
    ...kindsOf(matches.phraseMatches, 'phrase'),
    ...kindsOf(matches.intentMatches, 'reading'),
    ...kindsOf(matches.answers, 'answer'),
  ]
  const worried = all.some(({ confidence }) => confidence >= concerning)
  const concernOn = worried ? 'concern' : rapidDrift(previous, sentiment) ? 'mood' : null
  return {
    floor,
    floorScore: floor === 'crisis' ? all.reduce((highest, { confidence }) => Math.max(highest, confidence), 0) : 0,
    concern: concernOn === null ? 'ok' : 'caution',
    // The plainest evidence speaks for all that demands as much; without any the floor stands on repetition.
    floorOn: floor === 'ok' ? null : (decidedOnSchema.options.find((kind) => kinds.includes(kind)) ?? 'repetition'),
    concernOn,
  }
}

const kindOfMeaning: Readonly<Record<Exclude<MatchMeaning, 'affirmed'>, DecidedOn>> = {
  'about someone else': 'another',
  hyperbole: 'jest',
  'trivial cause': 'jest',
  hypothetical: 'possibility',
  past: 'past',
  quoted: 'quoted',
  negated: 'denied',
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
