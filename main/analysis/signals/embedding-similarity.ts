/** Similarity of sentences with reference phrases in the space of an embedder, which embeds the phrases in the background. */
import { patternCategories } from '../../../shared/risk.ts'
import type { ReferencePhrase, SemanticSignal } from './semantic-signal.ts'

/** Turns texts into vectors of length 1, whose inner product is a cosine. */
export interface Embedder {
  name: string
  /** Numbers of a vector. */
  dimension: number
  /** One vector per text, in order; rejects where it cannot. `signal` is aborted at the deadline. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

export interface PhraseSimilarity {
  /** False until the phrases in force have been embedded, and after that has failed. */
  ready(): boolean
  /** Rejects where the embedder does, or answers with something that is no vector of length 1. */
  compare(sentences: readonly string[], threshold: number, signal: AbortSignal): Promise<SemanticSignal>
}

/** Phrases embedded at a time; between two batches messages get their turn. */
const batch = 16

/**
 * Embeds the phrases in force as soon as there is an embedder, and again when others have come into force.
 * `embedder` may reject, and then this is never ready.
 */
export function createEmbeddingSimilarity(
  embedder: Promise<Embedder>,
  phrasesInForce: () => readonly ReferencePhrase[],
): PhraseSimilarity {
  let attempted: readonly ReferencePhrase[] | null = null
  let embedded: { phrases: readonly ReferencePhrase[]; vectors: Float32Array[] } | null = null

  const embedAll = async (phrases: readonly ReferencePhrase[]): Promise<void> => {
    const { embed, dimension } = await embedder
    const vectors: Float32Array[] = []
    for (let from = 0; from < phrases.length && phrases === phrasesInForce(); from += batch) {
      const texts = phrases.slice(from, from + batch).map(({ text }) => text)
      vectors.push(...checked(await embed(texts), texts.length, dimension))
    }
    if (vectors.length === phrases.length) embedded = { phrases, vectors }
  }
  const ready = (): boolean => {
    const phrases = phrasesInForce()
    if (embedded?.phrases === phrases) return true
    if (attempted !== phrases) {
      attempted = phrases
      // Not embedded now, not embedded later: the same phrases and the same embedder would fail again.
      embedAll(phrases).catch(() => undefined)
    }
    return false
  }
  ready()

  return {
    ready,
    async compare(sentences, threshold, signal) {
      const { embed, dimension } = await embedder
      if (!embedded) throw new Error('the phrases are not embedded')
      const { phrases, vectors } = embedded
      const queries = checked(await embed(sentences, signal), sentences.length, dimension)
      return mostSimilar(queries, phrases, vectors, threshold)
    },
  }
}

function mostSimilar(
  queries: readonly Float32Array[],
  phrases: readonly ReferencePhrase[],
  vectors: readonly Float32Array[],
  threshold: number,
): SemanticSignal {
  const best: SemanticSignal = { value: 0, category: null }
  vectors.forEach((vector, index) => {
    const { category } = phrases[index]!
    for (const query of queries) {
      const similarity = Math.min(1, innerProduct(query, vector))
      const value = similarity * patternCategories[category]
      if (similarity > threshold && value > best.value) Object.assign(best, { value, category })
    }
  })
  return best
}

function innerProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!
  return sum
}

/** An embedder that is out of order must not raise an alarm, nor pass for one that sees nothing. */
function checked(vectors: Float32Array[], count: number, dimension: number): Float32Array[] {
  const whole = vectors.length === count && vectors.every((vector) => vector.length === dimension && isUnit(vector))
  if (!whole) throw new Error('the embedder gave no vectors of length 1')
  return vectors
}

const isUnit = (vector: Float32Array): boolean => Math.abs(innerProduct(vector, vector) - 1) < 0.01
