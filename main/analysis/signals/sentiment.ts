/** Sentiment of a message from a lexicon with negation and intensifiers, and what its course says. */
import { recoveryNote, sentimentBand } from '../../../shared/assessment.ts'
import { opensAlert, type RiskTier } from '../../../shared/risk.ts'
import type { DetectionData } from '../data/index.ts'
import type { TokenizedMessage } from '../text/index.ts'

export interface SentimentLexicon {
  /** −1 (negative) to 1 (positive), four places; 0 when nothing is known. */
  scoreOf(message: TokenizedMessage): number
}

/** Scope of a negation to the right, in tokens. */
const negationReach = 3

export function createSentimentLexicon(data: DetectionData['sentiment']): SentimentLexicon {
  const valences = new Map<string, number>()
  for (const [valence, words] of Object.entries(data.words))
    for (const word of words) valences.set(word, Number(valence))
  const { negators, intensifiers, emoji: { positive, negative } } = data // prettier-ignore
  return {
    scoreOf: ({ tokens, emoji }) => {
      let sum = 0
      tokens.forEach(({ forms, sentence }, index) => {
        let valence = valences.get(forms[0]!)
        if (valence === undefined) return
        for (let back = 1; back <= negationReach; back += 1) {
          const before = tokens[index - back]
          if (!before || before.sentence !== sentence) break
          if (negators.has(before.forms[0]!)) valence *= -0.6
          else if (back === 1 && intensifiers.has(before.forms[0]!)) valence *= 1.4
        }
        sum += valence
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

/**
 * Notes on the course of a session from the sentiments and tiers of its student messages, oldest first. One in which
 * an alert was raised is never called recovering: kinder words afterward take back nothing of what was said.
 */
export function trendNotes(turns: readonly { tier: RiskTier; sentiment: number }[]): string[] {
  const notes: string[] = []
  const sentiments = turns.map(({ sentiment }) => sentiment)
  const before = mean(sentiments.slice(-2 * turnsOfTrend, -turnsOfTrend))
  const recent = mean(sentiments.slice(-turnsOfTrend))
  const lastTiers = turns.slice(-5).map(({ tier }) => tier)
  const worse = lastTiers.filter((tier) => tier !== 'ok').length
  if (sentiments.length >= turnsOfTrend + 1) {
    if (recent <= before - shift && (recent < 0 || worse >= 2)) notes.push('deteriorating mood')
    const recovers = recent >= before + shift && lastTiers.at(-1) === 'ok' && before < 0
    if (recovers && !turns.some(({ tier }) => opensAlert(tier))) notes.push(recoveryNote)
  }
  if (sentiments.length >= 3 && sentiments.slice(-3).every((sentiment) => sentimentBand(sentiment) === 'negative'))
    notes.push('several negative messages in a row')
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
