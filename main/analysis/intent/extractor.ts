/** Features as the classifier counts them, for whoever fits one. */
import { createMatcher } from '../phrases/index.ts'
import { createStemmer, eachFeatureAt, hashTokens, passageFeatures } from './features.ts'
import { passagesOf } from './passages.ts'

interface TextFeatures {
  /** Tokens of the whole text. */
  tokens: number
  /** Whether a word of death or its means is in it. */
  lethal: boolean
  /** For every passage the bucket of every feature; one that occurs twice stands twice. */
  passages: number[][]
}

/** Answers with the features of every passage of a text. */
export function createFeatureExtractor(
  data: Parameters<typeof createMatcher>[0],
  buckets: number,
): (text: string) => TextFeatures {
  const matcher = createMatcher(data)
  const stem = createStemmer(data.lexicon.stemming)
  return (text) => {
    const message = matcher.tokenize(text)
    const hashes = hashTokens(message.tokens, buckets, stem)
    const passages = passagesOf(message).map(({ from, to }) => {
      const features = passageFeatures(message, { from, to }, buckets, stem)
      for (let i = from; i <= to; i += 1)
        eachFeatureAt(hashes, i, buckets, (reach, bucket) => {
          if (i - reach >= from) features.push(bucket)
        })
      return features
    })
    const lethal = message.tokens.some(({ forms }) => data.lexicon.lethal_terms.has(forms[0]!))
    return { tokens: message.tokens.length, lethal, passages }
  }
}
