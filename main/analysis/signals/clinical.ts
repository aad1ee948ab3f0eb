/** The local clinical signal: a deterministic stand-in for a clinical service, from the classifier and the symptoms. */
import type { Marker } from '../../../shared/estimates.ts'
import type { ClinicalAnswer } from '../data/index.ts'
import type { ScoredMatch } from './pattern-matches.ts'

export interface ClinicalEvidence {
  /** Probability that the message may call for somebody, as the classifier sees it, 0–1. */
  probability: number
  /** What the classifier found, for the reason. */
  intentMatches: readonly ScoredMatch[]
  markers: readonly Marker[]
}

/** Probability from which an answer says that something was detected. */
const clearIndicator = 0.5

/** Answers as a clinical service would. Of the phrases it knows nothing: they are a signal of their own. */
export function localClinicalSignal({ probability, intentMatches, markers }: ClinicalEvidence): ClinicalAnswer {
  const items = markers.length
  const symptoms = items >= 2 ? Math.min(0.8, 0.3 + 0.1 * items) : items === 1 ? 0.3 : 0
  const score = Math.max(probability, symptoms)
  const best = markers.toSorted((a, b) => b.confidence - a.confidence)[0]
  const isCrisis = intentMatches.some(({ match }) => match.group.tier === 'crisis' && match.meaning === 'affirmed')
  return {
    score: Math.round(score * 10_000) / 10_000,
    detected: score >= clearIndicator,
    marker: isCrisis ? 'CRISIS' : (best?.marker_type ?? null),
    reasoning: reasonOf(intentMatches, items),
    patterns: [],
  }
}

function reasonOf(intentMatches: readonly ScoredMatch[], items: number): string {
  if (intentMatches.length > 0)
    return `Read as a whole: ${intentMatches.map(({ match }) => match.group.name).join('; ')}.`
  if (items >= 2) return `${items} symptom items in one message.`
  return items === 1 ? 'One symptom item.' : 'No clear indicator.'
}
