/** The semantic signal, whoever measures it: the built-in comparison with known sentences, or a school's own embedder. */
import type { PatternCategory } from '../../../shared/risk.ts'
import { calibrated, type Platt } from '../data/index.ts'
import type { TokenizedMessage } from '../text/index.ts'

export interface SemanticSignal {
  /** 0–1: the built-in one is a calibrated probability; an embedder's the largest product of a similarity and its category's confidence. */
  value: number
  category: PatternCategory | null
}

/** A phrase that stands for its category. */
export interface ReferencePhrase {
  text: string
  category: PatternCategory
}

/** Less is nothing at all: what is hardly nearer to danger than to plain talk must not make a score. */
export const leastLikeness = 0.3

/** The signal of a margin between known sentences of danger and plain ones, calibrated on writers left out. */
export function likenessSignal(
  { margin, category }: { margin: number; category: PatternCategory | null },
  calibration: Platt,
): SemanticSignal {
  const value = calibrated(calibration, margin)
  return category !== null && value >= leastLikeness ? { value, category } : { value: 0, category: null }
}

/** Sentences of one message that an embedder is asked about; what follows in a long one is compared by the phrases. */
const mostSentences = 24

/** The sentences that the context rules did not suppress, as they were written. */
export function sentencesToCompare(
  text: string,
  { tokens, sentences }: TokenizedMessage,
  suppressed: ReadonlySet<number>,
): string[] {
  return sentences
    .filter(({ from, to }, sentence) => from <= to && !suppressed.has(sentence))
    .slice(0, mostSentences)
    .map(({ from, to }) => text.slice(tokens[from]!.start, tokens[to]!.end))
}
