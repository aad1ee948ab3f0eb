/** Figures of a yes/no decision: counts, rates, intervals. Rates are null where nothing was there to count. */
import type { MarkerType } from '../../shared/estimates.ts'
import { tierRank, type RiskTier } from '../../shared/risk.ts'

export const thresholds = ['caution', 'high', 'crisis'] as const
type Threshold = (typeof thresholds)[number]

export interface Figures {
  tp: number
  fn: number
  fp: number
  tn: number
  recall: number | null
  recall_ci95: [number, number] | null
  precision: number | null
  fpr: number | null
  ppv_at: { '0.01': number | null; '0.05': number | null }
}
export type ByThreshold = Record<Threshold, Figures>

/** A row's truth: positive or not at each threshold. */
export type Truth = { label: 0 | 1 } | { tier: RiskTier }
export interface Outcome {
  id: string
  slice: string
  /** Null where a row says nothing of tiers. */
  truth: Truth | null
  /** Item markers that should have been found, where the row says so, and those that were. */
  expected_markers: readonly MarkerType[] | null
  markers: readonly MarkerType[]
  tier: RiskTier
  score: number
  latency_ms: number
}

function isPositive(truth: Truth, threshold: Threshold): boolean {
  return 'label' in truth ? truth.label === 1 : tierRank(truth.tier) >= tierRank(threshold)
}

export function figuresOf(outcomes: readonly Outcome[]): ByThreshold {
  return { caution: at(outcomes, 'caution'), high: at(outcomes, 'high'), crisis: at(outcomes, 'crisis') }
}

function at(outcomes: readonly Outcome[], threshold: Threshold): Figures {
  let [tp, fn, fp, tn] = [0, 0, 0, 0]
  for (const { truth, tier } of outcomes) {
    if (!truth) continue
    const flagged = tierRank(tier) >= tierRank(threshold)
    if (isPositive(truth, threshold)) {
      if (flagged) tp += 1
      else fn += 1
    } else if (flagged) fp += 1
    else tn += 1
  }
  const recall = ratio(tp, tp + fn)
  const fpr = ratio(fp, fp + tn)
  return {
    tp,
    fn,
    fp,
    tn,
    recall,
    recall_ci95: wilson(tp, tp + fn),
    precision: ratio(tp, tp + fp),
    fpr,
    ppv_at: { '0.01': ppv(recall, fpr, 0.01), '0.05': ppv(recall, fpr, 0.05) },
  }
}

/** Part of a whole, four places, or null where the whole is nothing. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : round(part / whole)
}

/** 95 % interval of a proportion (Wilson 1927), or null where nothing was counted. */
export function wilson(hits: number, n: number): [number, number] | null {
  if (n === 0) return null
  const z = 1.959964
  const p = hits / n
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
  return [round(Math.max(0, centre - half)), round(Math.min(1, centre + half))]
}

/** Share of alarms that are real when so many in a hundred are (Bayes). */
function ppv(recall: number | null, fpr: number | null, prevalence: number): number | null {
  if (recall === null || fpr === null) return null
  const alarms = recall * prevalence + fpr * (1 - prevalence)
  return alarms === 0 ? null : round((recall * prevalence) / alarms)
}

/** Rounded to four places. */
export const round = (value: number): number => Math.round(value * 10_000) / 10_000
