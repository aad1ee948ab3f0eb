/** What the risk engine says about one message: the answer every screen and event is made from. */
import type { OperatingPointName } from './detection.ts'
import type { Marker } from './estimates.ts'
import type { DecidedBy, DecidedOn, PatternCategory, RiskLevel, RiskTier, SignalName } from './risk.ts'

/** What the context rules made of a match. `affirmed` is first person, current and meant. */
export const matchMeanings = [
  'affirmed',
  'negated',
  'about someone else',
  'past',
  'hypothetical',
  'quoted',
  'hyperbole',
  'trivial cause',
] as const
export type MatchMeaning = (typeof matchMeanings)[number]

/** One matched phrase. `start`/`end` are UTF-16 offsets into the original text, end exclusive. */
export interface PatternMatch {
  /** `other`: flagged by a risk adapter, which names no category. */
  category: PatternCategory | 'other'
  /** Confidence after the context rules, 0–1. */
  confidence: number
  start: number
  end: number
  meaning: MatchMeaning
  signal: SignalName | 'adapter'
}

/** The assessment of one message. Holds offsets, never a quotation. */
export interface Assessment {
  /** Consensus score, 0–1, four places; never below the threshold of the reported level. */
  score: number
  level: RiskLevel
  tier: RiskTier
  decided_by: DecidedBy
  /** The evidence that decided; absent in what was assessed before it was kept. */
  decided_on?: DecidedOn | undefined
  /** The school's operating point that was in force; absent where none was asked for, or before there were any. */
  operating_point?: OperatingPointName | undefined
  about_other: boolean
  /** Probability per signal; null where it did not arrive. */
  signals: Record<SignalName, number | null>
  /** Signals that were missing when the decision was made. */
  degraded: SignalName[]
  /** One line per signal and one for the decision; they never quote the student. */
  reasons: { signal: SignalName | 'decision' | 'adapter'; text: string }[]
  matches: PatternMatch[]
  /** Categories of the matches that count, most severe first. */
  categories: PatternCategory[]
  /** −1 (negative) to 1 (positive). */
  sentiment: number
  markers: Marker[]
  /** Diagnostics of adapters and signals that failed, for the screen. */
  notes: string[]
}

export type SentimentBand = 'positive' | 'neutral' | 'negative'

/** Sentiment band of a value in −1…1; between −0.2 and 0.2 is neutral. */
export function sentimentBand(sentiment: number): SentimentBand {
  return sentiment > 0.2 ? 'positive' : sentiment < -0.2 ? 'negative' : 'neutral'
}

/** The note of a session whose mood rose toward its end; never of one in which an alert was raised. */
export const recoveryNote = 'recovering'
