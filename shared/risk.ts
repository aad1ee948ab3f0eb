/**
 * The words in which risk is spoken of: the level on the wire, the tier people read, the pattern
 * categories. Domain language only; nothing here does I/O.
 */
import { z } from 'zod'

/** Risk level on the wire (consensus score S: CRISIS at S ≥ 0.90, CAUTION at S ≥ 0.65, else SAFE). */
export const riskLevelSchema = z.enum(['SAFE', 'CAUTION', 'CRISIS'])
export type RiskLevel = z.infer<typeof riskLevelSchema>

/** Position of a level in the order of urgency, 0 (`SAFE`) to 2 (`CRISIS`). */
export function levelRank(level: RiskLevel): number {
  return riskLevelSchema.options.indexOf(level)
}

/** Risk tiers from the least to the most urgent. People read `ok` as “none seen”, never as “safe”. */
export const riskTiers = ['ok', 'caution', 'high', 'crisis'] as const
export const riskTierSchema = z.enum(riskTiers)
export type RiskTier = z.infer<typeof riskTierSchema>

/** Position of a tier in the order of urgency, 0 (`ok`) to 3 (`crisis`). */
export function tierRank(tier: RiskTier): number {
  return riskTiers.indexOf(tier)
}

/** The more urgent of two tiers. */
export function worseTier(a: RiskTier, b: RiskTier): RiskTier {
  return tierRank(a) >= tierRank(b) ? a : b
}

/** Whether something of this tier opens an alert. */
export function opensAlert(tier: RiskTier): tier is 'high' | 'crisis' {
  return tier === 'high' || tier === 'crisis'
}

/** Consensus thresholds of the risk levels, 0–1. */
export const levelThresholds = { CRISIS: 0.9, CAUTION: 0.65 } as const

/**
 * The scores that a tier is reported with, each from here up to the next: a worse tier never stands beside a lower score.
 * `caution` has two bands, as it is reported at two levels.
 */
export const scoreBands = { ok: 0, watch: 0.4, caution: levelThresholds.CAUTION, high: 0.8, crisis: levelThresholds.CRISIS } as const // prettier-ignore

/** A score (0–1) within the band of what it is reported with; four places. */
export function scoreWithin(tier: RiskTier, level: RiskLevel, score: number): number {
  const band = tier === 'caution' && level === 'SAFE' ? 'watch' : tier
  const bands = Object.keys(scoreBands) as (keyof typeof scoreBands)[]
  const above = bands[bands.indexOf(band) + 1]
  // The last score of four places below the next band.
  const most = above === undefined ? 1 : scoreBands[above] - 0.0001
  return Math.round(Math.min(Math.max(score, scoreBands[band]), most) * 10_000) / 10_000
}

/**
 * Confidence, 0–1, from which an affirmed, first-person, current match decides by itself, whatever the other signals
 * say: that it is a crisis, or at least caution.
 */
export const floorThresholds = { crisis: 0.95, caution: 0.8 } as const

/**
 * Pattern categories with the confidence (0–1) of a match, most severe first. Only these names may
 * be shown or sent without a reveal: any other string in `matched_patterns` may be a model's words
 * about the student, or the student's own.
 */
export const patternCategories = {
  suicidal_intent: 1.0,
  suicidal_ideation: 0.95,
  harm_to_others: 0.9,
  self_harm: 0.85,
  abuse_disclosure: 0.85,
  coded_language: 0.8,
  hopelessness: 0.7,
  disordered_eating: 0.7,
  running_away: 0.7,
} as const
export type PatternCategory = keyof typeof patternCategories
export const patternCategorySchema = z.enum(Object.keys(patternCategories) as [PatternCategory, ...PatternCategory[]])

export function isPatternCategory(name: string): name is PatternCategory {
  return Object.hasOwn(patternCategories, name)
}

/** Severity of a set of categories: the highest confidence among them, 0 when there is none. */
export function worstCategory(categories: readonly PatternCategory[]): number {
  return categories.reduce((worst, name) => Math.max(worst, patternCategories[name]), 0)
}

/** The four signals behind a consensus score; each a probability 0–1, or missing. */
export const signalNames = ['regex', 'semantic', 'clinical', 'history'] as const
export const signalNameSchema = z.enum(signalNames)
export type SignalName = z.infer<typeof signalNameSchema>

export const probabilitySchema = z.number().min(0).max(1)
export const signalsSchema = z.object({
  regex: probabilitySchema.nullable().optional(),
  semantic: probabilitySchema.nullable().optional(),
  clinical: probabilitySchema.nullable().optional(),
  history: probabilitySchema.nullable().optional(),
})
/** One probability per signal; `null` or absent where the signal did not arrive (never a zero). */
export type Signals = z.infer<typeof signalsSchema>

export const decidedBySchema = z.enum(['floor', 'consensus', 'adapter'])
/** What set the tier: the deterministic floor, the weighted consensus, or a risk adapter. */
export type DecidedBy = z.infer<typeof decidedBySchema>

export const decidedOnSchema = z.enum([
  'phrase',
  'reading',
  'answer',
  'repetition',
  'another',
  'jest',
  'possibility',
  'past',
  'quoted',
  'denied',
  'signals',
  'concern',
  'mood',
  'uncovered',
  'missing',
  'adapter',
  'nothing',
])
/** The evidence that decided: what kind of result an assessment is. Each has one sentence (shared/risk-words.ts). */
export type DecidedOn = z.infer<typeof decidedOnSchema>
