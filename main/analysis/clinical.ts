/** The local clinical signal: a deterministic stand-in for a pattern service, from matches, markers and the fitted model. */
import type { Marker } from '../../shared/estimates.ts'
import type { RuledMatch } from './meaning.ts'
import type { ClinicalAnswer } from './ports.ts'

export interface ClinicalEvidence {
  ruled: readonly { match: RuledMatch; confidence: number }[]
  markers: readonly Marker[]
  /** Probability of the fitted model, and the one from which it counts. */
  model: { probability: number; threshold: number }
}

/** Answers as a pattern service would; 0 unless there is a clear indicator. */
export function localClinical({ ruled, markers, model }: ClinicalEvidence): ClinicalAnswer {
  const strongest = ruled.reduce((highest, { confidence }) => Math.max(highest, confidence), 0)
  const items = markers.length
  const combined = items >= 2 ? Math.min(0.8, 0.3 + 0.1 * items) : items === 1 ? 0.3 : 0
  const score = Math.max(strongest >= 0.5 ? strongest : 0, combined, modelScore(model))
  const best = markers.toSorted((a, b) => b.confidence - a.confidence)[0]
  return {
    score: Math.round(score * 10_000) / 10_000,
    detected: score >= 0.5,
    marker: strongest >= 0.95 ? 'CRISIS' : (best?.marker_type ?? null),
    reasoning: reasonOf(strongest, items, modelScore(model)),
    patterns: [],
  }
}

/** 0 below the threshold, then from 0.5 at it to 1. */
function modelScore({ probability, threshold }: ClinicalEvidence['model']): number {
  return probability < threshold ? 0 : 0.5 + (0.5 * (probability - threshold)) / Math.max(1 - threshold, 1e-9)
}

function reasonOf(strongest: number, items: number, model: number): string {
  if (strongest >= 0.95) return 'Clear first-person statement.'
  if (model >= 0.5) return 'Worded as people in distress write, without an explicit statement.'
  if (items >= 2) return `${items} symptom items in one message.`
  return items === 1 ? 'One symptom item.' : 'No clear indicator.'
}
