/** The local clinical signal: a deterministic stand-in for a pattern service, from matches, markers and cues. */
import type { Marker } from '../../shared/estimates.ts'
import type { ClinicalAnswer } from './ports.ts'
import type { Cues } from './cues.ts'
import type { RuledMatch } from './meaning.ts'

export interface ClinicalEvidence {
  ruled: readonly { match: RuledMatch; confidence: number }[]
  markers: readonly Marker[]
  cues: Cues
}

/** Answers as a pattern service would; 0 unless there is a clear indicator. */
export function localClinical({ ruled, markers, cues }: ClinicalEvidence): ClinicalAnswer {
  const strongest = ruled.reduce((highest, { confidence }) => Math.max(highest, confidence), 0)
  const items = markers.length
  const combined = items >= 2 ? Math.min(0.9, 0.4 + 0.12 * items) : items === 1 ? 0.35 : 0
  const intense = cues.any('intense') ? 0.45 : 0
  const score = Math.max(strongest >= 0.5 ? strongest : 0, combined, intense)
  const best = markers.toSorted((a, b) => b.confidence - a.confidence)[0]
  return {
    score: Math.round(score * 10_000) / 10_000,
    detected: score >= 0.5,
    marker: strongest >= 0.95 ? 'CRISIS' : (best?.marker_type ?? null),
    reasoning: reasonOf(strongest, items),
    patterns: [],
  }
}

function reasonOf(strongest: number, items: number): string {
  if (strongest >= 0.95) return 'Clear first-person statement.'
  if (items >= 2) return `${items} symptom items in one message.`
  return items === 1 ? 'One symptom item.' : 'No clear indicator.'
}
