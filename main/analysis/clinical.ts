/** The local clinical signal: a deterministic stand-in for a pattern service, from matches, markers and the second reader. */
import type { Marker } from '../../shared/estimates.ts'
import type { RuledMatch } from './meaning.ts'
import type { ClinicalAnswer } from './ports.ts'

export interface ClinicalEvidence {
  ruled: readonly { match: RuledMatch; confidence: number }[]
  /** What the second reader heard beyond the phrases. */
  heard: readonly { match: RuledMatch; confidence: number }[]
  markers: readonly Marker[]
}

/** Answers as a pattern service would; 0 unless there is a clear indicator. */
export function localClinical({ ruled, heard, markers }: ClinicalEvidence): ClinicalAnswer {
  const strongest = [...ruled, ...heard].reduce((highest, { confidence }) => Math.max(highest, confidence), 0)
  const items = markers.length
  const combined = items >= 2 ? Math.min(0.8, 0.3 + 0.1 * items) : items === 1 ? 0.3 : 0
  const score = Math.max(strongest >= 0.5 ? strongest : 0, combined)
  const best = markers.toSorted((a, b) => b.confidence - a.confidence)[0]
  return {
    score: Math.round(score * 10_000) / 10_000,
    detected: score >= 0.5,
    marker: strongest >= 0.95 ? 'CRISIS' : (best?.marker_type ?? null),
    reasoning: reasonOf(ruled, heard, items),
    patterns: [],
  }
}

function reasonOf(ruled: ClinicalEvidence['ruled'], heard: ClinicalEvidence['heard'], items: number): string {
  if (heard.length > 0) return `Read as a whole: ${heard.map(({ match }) => match.group.name).join('; ')}.`
  if (ruled.some(({ confidence }) => confidence >= 0.95)) return 'Clear first-person statement.'
  if (items >= 2) return `${items} symptom items in one message.`
  return items === 1 ? 'One symptom item.' : 'No clear indicator.'
}
