/** PHQ-9 and GAD-7 estimates over a window of days, and the history signal made of them. */
import { itemsOf, severityBand, type Instrument, type MarkerType } from '../../../shared/estimates.ts'
import { days } from '../../../shared/time.ts'
import type { EstimateView, ItemScore } from '../../../shared/views.ts'

/** A marker in time; `at` is UTC milliseconds. */
export interface DatedMarker {
  marker_type: MarkerType
  confidence: number
  at: number
}

/**
 * The estimate at a moment. `messageDays` are the starts of days with student messages (UTC ms); a marker
 * belongs to the last such day at or before it. Items without evidence are null, never 0.
 */
export function estimate(
  instrument: Instrument,
  markers: readonly DatedMarker[],
  messageDays: readonly number[],
  at: number,
  windowDays: 14 | 30,
): EstimateView['current'] {
  const from = at - days(windowDays)
  const inWindow = markers.filter((marker) => marker.at > from && marker.at <= at)
  const dayStarts = [...new Set(messageDays)].filter((day) => day > from - days(1) && day <= at).sort((a, b) => a - b)
  const items = itemsOf(instrument).map((item) =>
    itemScore(
      item,
      inWindow.filter(({ marker_type }) => marker_type === item),
      dayStarts,
    ),
  )
  const sum = items.reduce((total, { score }) => total + (score ?? 0), 0)
  return {
    estimate: sum,
    known_items: items.filter(({ score }) => score !== null).length,
    band: severityBand(instrument, sum),
    items,
    days_with_messages: dayStarts.length,
  }
}

function itemScore(item: MarkerType, markers: readonly DatedMarker[], dayStarts: readonly number[]): ItemScore {
  if (markers.length === 0)
    return { marker_type: item, score: null, by_confidence: null, by_frequency: null, days_with_evidence: 0 }
  const by_confidence = itemByConfidence(markers)
  const withEvidence = new Set(
    markers.map(({ at }) => dayStarts.findLast((day) => day <= at) ?? Math.floor(at / days(1))),
  )
  const by_frequency = frequencyScore(withEvidence.size, Math.max(dayStarts.length, withEvidence.size))
  return {
    marker_type: item,
    score: Math.max(by_confidence, by_frequency),
    by_confidence,
    by_frequency,
    days_with_evidence: withEvidence.size,
  }
}

/** 1 = evidence on any day, 2 = on half of the days with messages (two or more), 3 = on four fifths (three or more). */
function frequencyScore(evidence: number, all: number): number {
  if (evidence >= 3 && evidence / all >= 0.8) return 3
  return evidence >= 2 && evidence / all >= 0.5 ? 2 : 1
}

/** ⌊confidence × 3⌋ of the surest marker; a hair is added because 0.7 × 3 / 0.7 is not exact in binary. */
function itemByConfidence(markers: readonly DatedMarker[]): number {
  return Math.floor(Math.max(...markers.map(({ confidence }) => confidence)) * 3 + 1e-9)
}

/** Sum of ⌊highest confidence × 3⌋ per PHQ-9 item, 0–27. */
function phq9(markers: readonly DatedMarker[]): number {
  return itemsOf('phq9').reduce((sum, item) => {
    const ofItem = markers.filter(({ marker_type }) => marker_type === item)
    return ofItem.length === 0 ? sum : sum + itemByConfidence(ofItem)
  }, 0)
}

export type Trend = 'improving' | 'stable' | 'declining' | 'unknown'

/**
 * History of a student: PHQ-9 estimate of the last 7 days against the 23 before (more than 3 apart is a
 * change), times the estimate of all 30 over 27. Without evidence in both windows the trend is unknown and
 * counts as stable: silence is not improvement.
 */
export function historySignal(markers: readonly DatedMarker[], at: number): { value: number; trend: Trend } {
  const inWindow = markers.filter((marker) => marker.at <= at && marker.at > at - days(30))
  const phq = inWindow.filter(({ marker_type }) => marker_type.startsWith('PHQ9'))
  if (phq.length === 0) return { value: 0, trend: 'unknown' }
  const recent = phq.filter((marker) => marker.at > at - days(7))
  const earlier = phq.filter((marker) => marker.at <= at - days(7))
  const trend = recent.length === 0 || earlier.length === 0 ? 'unknown' : trendOf(phq9(recent) - phq9(earlier))
  const factor = { declining: 0.8, improving: 0.2, stable: 0.5, unknown: 0.5 }[trend]
  return { value: Math.round(factor * Math.min(phq9(phq) / 27, 1) * 10_000) / 10_000, trend }
}

function trendOf(difference: number): Trend {
  return difference > 3 ? 'declining' : difference < -3 ? 'improving' : 'stable'
}
