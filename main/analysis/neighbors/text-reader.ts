/** Texts as the comparison reads them, for whoever chooses the known sentences. */
import type { DetectionData } from '../data/index.ts'
import { createMatcher } from '../phrases/index.ts'
import type { TokenizedMessage } from '../text/index.ts'
import { createSentenceFeatures } from './features.ts'

export interface TextReader {
  tokenize(text: string): TokenizedMessage
  words(text: string): string[]
  features(words: readonly string[]): number[]
}

export function createTextReader(data: DetectionData): TextReader {
  const matcher = createMatcher(data)
  const features = createSentenceFeatures(data.lexicon)
  return {
    tokenize: (text) => matcher.tokenize(text),
    words: (text) => matcher.tokenize(text).tokens.map(({ forms }) => forms[0]!),
    features: (words) => features.of(words),
  }
}
