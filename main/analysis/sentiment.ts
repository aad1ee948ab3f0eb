/** Sentiment of a message from a lexicon with negation and intensifiers, and what its course says. */
import type { RiskTier } from '../../shared/risk.ts'
import type { Detection } from './detection.ts'
import type { Reading } from './words.ts'

export interface SentimentLexicon {
  /** −1 (negative) to 1 (positive), four places; 0 when nothing is known. */
  of(reading: Reading): number
}

/** How far a negation or an intensifier reaches to the right, in words. */
const reach = 3

export function createSentiment({ affect }: Detection): SentimentLexicon {
  const values = new Map<string, number>()
  for (const [value, words] of Object.entries(affect.words)) for (const word of words) values.set(word, Number(value))
  const negators = new Set(affect.negators)
  const intensifiers = new Set(affect.intensifiers)
  const positive = new Set(affect.emoji.positive)
  const negative = new Set(affect.emoji.negative)
  return {
    of: ({ words, emoji }) => {
      let sum = 0
      words.forEach(({ forms, sentence }, index) => {
        let value = values.get(forms[0]!)
        if (value === undefined) return
        for (let back = 1; back <= reach; back += 1) {
          const before = words[index - back]
          if (!before || before.sentence !== sentence) break
          if (negators.has(before.forms[0]!)) value *= -0.6
          else if (back === 1 && intensifiers.has(before.forms[0]!)) value *= 1.4
        }
        sum += value
      })
      for (const sign of emoji) sum += positive.has(sign) ? 1 : negative.has(sign) ? -1 : 0
      return round(sum / Math.sqrt(sum * sum + 12))
    },
  }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000 || 0

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Turns that make a trend, and how far averages must move. */
const turnsOfTrend = 3
const shift = 0.25

/** Notes on the course of a session from the sentiments and tiers of its student messages, oldest first. */
export function trendNotes(turns: readonly { tier: RiskTier; sentiment: number }[]): string[] {
  const notes: string[] = []
  const sentiments = turns.map(({ sentiment }) => sentiment)
  const before = mean(sentiments.slice(-2 * turnsOfTrend, -turnsOfTrend))
  const recent = mean(sentiments.slice(-turnsOfTrend))
  const lastTiers = turns.slice(-5).map(({ tier }) => tier)
  const worse = lastTiers.filter((tier) => tier !== 'ok').length
  if (sentiments.length >= turnsOfTrend + 1) {
    if (recent <= before - shift && (recent < 0 || worse >= 2)) notes.push('deteriorating mood')
    if (recent >= before + shift && lastTiers.at(-1) === 'ok' && before < 0) notes.push('recovering')
  }
  if (sentiments.length >= 3 && sentiments.slice(-3).every((sentiment) => sentiment < -0.2))
    notes.push('multiple consecutive negative turns')
  return notes
}

/** A rapid fall of sentiment: from not negative to clearly negative within three turns, and staying below. */
export function rapidDrift(previous: readonly { sentiment: number }[], now: number): boolean {
  const last = previous.slice(-turnsOfTrend).map(({ sentiment }) => sentiment)
  return (
    last.length === turnsOfTrend &&
    last[0]! >= 0 &&
    now <= -0.6 &&
    mean(last.slice(1)) <= last[0]! - shift &&
    last.at(-1)! < 0
  )
}
