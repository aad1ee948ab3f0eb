/** The local clinical signal: a deterministic stand-in for a clinical service, from matches, markers and the classifier. */
import type { Marker } from '../../../shared/estimates.ts'
import { floorThresholds } from '../../../shared/risk.ts'
import type { ClinicalAnswer } from '../data/index.ts'
import type { ScoredMatch } from './pattern-matches.ts'

export interface ClinicalEvidence {
  phraseMatches: readonly ScoredMatch[]
  /** What the intent classifier found beyond the phrases. */
  intentMatches: readonly ScoredMatch[]
  markers: readonly Marker[]
}

/** Confidence from which a match, or a combination of items, is a clear indicator. */
const clearIndicator = 0.5

/** Answers as a clinical service would; 0 unless there is a clear indicator. */
export function localClinicalSignal({ phraseMatches, intentMatches, markers }: ClinicalEvidence): ClinicalAnswer {
  const strongest = [...phraseMatches, ...intentMatches].reduce((most, { confidence }) => Math.max(most, confidence), 0)
  const items = markers.length
  const combined = items >= 2 ? Math.min(0.8, 0.3 + 0.1 * items) : items === 1 ? 0.3 : 0
  const score = Math.max(strongest >= clearIndicator ? strongest : 0, combined)
  const best = markers.toSorted((a, b) => b.confidence - a.confidence)[0]
  return {
    score: Math.round(score * 10_000) / 10_000,
    detected: score >= clearIndicator,
    marker: strongest >= floorThresholds.crisis ? 'CRISIS' : (best?.marker_type ?? null),
    reasoning: reasonOf(phraseMatches, intentMatches, items),
    patterns: [],
  }
}

function reasonOf(phraseMatches: readonly ScoredMatch[], intentMatches: readonly ScoredMatch[], items: number): string {
  if (intentMatches.length > 0)
    return `Read as a whole: ${intentMatches.map(({ match }) => match.group.name).join('; ')}.`
  if (phraseMatches.some(({ confidence }) => confidence >= floorThresholds.crisis))
    return 'Clear first-person statement.'
  if (items >= 2) return `${items} symptom items in one message.`
  return items === 1 ? 'One symptom item.' : 'No clear indicator.'
}
