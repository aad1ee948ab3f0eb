/**
 * Nearest neighbors: whether a message is more like sentences of students in danger than like plain ones. The margin
 * is the mean cosine of the five nearest sentences of danger or despair less that of the five nearest plain ones, over
 * windows of twelve words (k-nearest neighbors: Cover and Hart 1967; weights by inverse document frequency: Spärck
 * Jones 1972). It measures what a message speaks of and not how it is meant, so that it weighs in and decides nothing.
 */
import type { PatternCategory } from '../../../shared/risk.ts'
import type { DetectionData, NeighborModel } from '../data/index.ts'
import type { TokenizedMessage } from '../text/index.ts'
import { createSentenceFeatures } from './features.ts'

interface NeighborMargin {
  /** −1 to 1; 0 where nothing was compared. */
  margin: number
  /** What the nearest sentence of danger or despair speaks of; null where none was near. */
  category: PatternCategory | null
}

export interface NeighborIndex {
  /** The largest margin of a message's windows, without the sentences whose indexes are suppressed. */
  marginOf(message: TokenizedMessage, suppressed: ReadonlySet<number>): NeighborMargin
}

/** Words of a window, and between the beginnings of two. */
const windowWords = 12
const step = 6
/** Windows compared in one message: of a longer one they are longer, and lie apart. */
const mostWindows = 120
const longestWindow = 24
/** A single word is near to everything. */
const leastWords = 2
const neighbors = 5
/** A feature of many sentences tells them hardly apart: the first so many stand for all. */
const mostSentences = 150

/** Builds the index of a model's sentences. */
export function createNeighborIndex({ sentences }: Pick<NeighborModel, 'sentences'>, { lexicon }: Pick<DetectionData, 'lexicon'>): NeighborIndex {
  const features = createSentenceFeatures(lexicon)
  const counts = new Map<number, number>()
  for (const sentence of sentences)
    for (const feature of sentence.features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const squareOf = (count: number): number => Math.log(1 + sentences.length / count) ** 2
  const unknown = squareOf(0.5)
  const byFeature = new Map<number, { square: number; sentences: number[] }>()
  for (const [feature, count] of counts) byFeature.set(feature, { square: squareOf(count), sentences: [] })
  const norms = sentences.map(({ features: own }, at) => {
    let sum = 0
    for (const feature of own) {
      const found = byFeature.get(feature)!
      sum += found.square
      if (found.sentences.length < mostSentences) found.sentences.push(at)
    }
    return Math.sqrt(sum)
  })
  // Scratch of the comparison, all 0 between calls.
  const products = new Float64Array(sentences.length)

  const compare = (words: readonly string[]): NeighborMargin => {
    const touched: number[] = []
    let square = 0
    for (const feature of features.of(words)) {
      const found = byFeature.get(feature)
      square += found?.square ?? unknown
      if (!found) continue
      for (const at of found.sentences) {
        if (products[at] === 0) touched.push(at)
        products[at]! += found.square
      }
    }
    const norm = Math.sqrt(square)
    const near = { danger: nearest(), plain: nearest() }
    for (const at of touched) {
      const cosine = products[at]! / (norm * norms[at]!)
      products[at] = 0
      keepNearest(sentences[at]!.category === null ? near.plain : near.danger, cosine, at)
    }
    const best = near.danger.at[0]!
    return { margin: mean(near.danger) - mean(near.plain), category: best < 0 ? null : sentences[best]!.category }
  }

  return {
    marginOf({ tokens }, suppressed) {
      const words = tokens.filter(({ sentence }) => !suppressed.has(sentence)).map(({ forms }) => forms[0]!)
      if (words.length < leastWords) return { margin: 0, category: null }
      const apart = Math.max(step, Math.ceil(words.length / mostWindows))
      const long = Math.min(longestWindow, Math.max(windowWords, apart))
      let best = compare(words.slice(0, long))
      for (let from = apart; from < words.length - long + apart; from += apart) {
        const found = compare(words.slice(from, from + long))
        if (found.margin > best.margin) best = found
      }
      return best
    },
  }
} // prettier-ignore

interface Nearest {
  cosines: Float64Array
  /** Sentences by number, −1 where there is none; nearest first. */
  at: Int32Array
}

const nearest = (): Nearest => ({ cosines: new Float64Array(neighbors), at: new Int32Array(neighbors).fill(-1) })

function keepNearest({ cosines, at }: Nearest, cosine: number, sentence: number): void {
  let place = neighbors
  while (place > 0 && cosines[place - 1]! < cosine) place -= 1
  if (place === neighbors) return
  cosines.copyWithin(place + 1, place, neighbors - 1)
  at.copyWithin(place + 1, place, neighbors - 1)
  cosines[place] = cosine
  at[place] = sentence
}

const mean = ({ cosines }: Nearest): number => cosines.reduce((sum, cosine) => sum + cosine, 0) / neighbors
