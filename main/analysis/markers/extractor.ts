/** Features as the reader of markers counts them, for whoever fits one. */
import type { MarkerType } from '../../../shared/estimates.ts'
import type { DetectionData } from '../data/index.ts'
import { createStemmer, eachFeatureAt, hashTokens } from '../intent/index.ts'
import { createMatcher } from '../phrases/index.ts'
import { windowsOf } from './windows.ts'

interface MarkerFeatures {
  /** The buckets of every window; one that occurs twice in a window stands twice. */
  windows: number[][]
  /** Items of which a phrase stands in the text, whatever it means there. */
  phrases: ReadonlySet<MarkerType>
}

/** Answers with the features of a text. */
export function createMarkerExtractor(
  data: Pick<DetectionData, 'lexicon' | 'patterns' | 'context' | 'markers' | 'spanish'>,
  buckets: number,
): (text: string) => MarkerFeatures {
  const matcher = createMatcher(data)
  const stem = createStemmer(data.lexicon.stemming)
  return (text) => {
    const message = matcher.tokenize(text)
    const hashes = hashTokens(message.tokens, buckets, stem)
    const windows = windowsOf(message).map(({ from, to }) => {
      const features: number[] = []
      for (let i = from; i <= to; i += 1)
        eachFeatureAt(hashes, i, buckets, (reach, bucket) => {
          if (i - reach >= from) features.push(bucket)
        })
      return features
    })
    const roles = matcher.find(message).map((hit) => matcher.roleOf(hit))
    return { windows, phrases: new Set(roles.flatMap((role) => (role.kind === 'marker' ? [role.item] : []))) }
  }
}
