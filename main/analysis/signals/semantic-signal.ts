/** The semantic signal, whoever measures it: the built-in index, or a school's own embedder. */
import type { PatternCategory } from '../../../shared/risk.ts'
import type { TokenizedMessage } from '../text/index.ts'

export interface SemanticSignal {
  /** The largest product of a similarity and its category's confidence, 0–1; 0 where none is above the threshold. */
  value: number
  category: PatternCategory | null
}

/** A phrase that stands for its category. */
export interface ReferencePhrase {
  text: string
  category: PatternCategory
}

/** A phrase found word for word is as similar to itself as can be; the samples compared need not hold it. */
export function orExactMatch(
  signal: SemanticSignal,
  exact: readonly { category: PatternCategory; confidence: number }[],
): SemanticSignal {
  return exact.reduce(
    (best, { category, confidence }) => (confidence > best.value ? { value: confidence, category } : best),
    signal,
  )
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
