/** How near sentences come to the phrases of the patterns in the space of an embedder, whose phrases are read in the background. */
import { patternCategories, type PatternCategory } from '../../shared/risk.ts'
import type { Embedder } from './ports.ts'
import type { SemanticSignal } from './semantic.ts'

/** A phrase that stands for its category. */
export interface Phrase {
  text: string
  category: PatternCategory
}

export interface Nearness {
  /** False until the phrases in force have been read, and after that has failed. */
  ready(): boolean
  /** Rejects where the embedder does, or answers with something that is no vector of length 1. */
  nearest(sentences: readonly string[], threshold: number, signal: AbortSignal): Promise<SemanticSignal>
}

/** Phrases read at a time; between two batches messages get their turn. */
const batch = 16

/**
 * Reads the phrases in force as soon as there is an embedder, and again when others have come into force.
 * `embedder` may reject, and then this is never ready.
 */
export function createNearness(embedder: Promise<Embedder>, phrases: () => readonly Phrase[]): Nearness {
  let reading: readonly Phrase[] | null = null
  let read: { of: readonly Phrase[]; vectors: Float32Array[] } | null = null

  const readAll = async (all: readonly Phrase[]): Promise<void> => {
    const { embed, dimension } = await embedder
    const vectors: Float32Array[] = []
    for (let from = 0; from < all.length && all === phrases(); from += batch) {
      const texts = all.slice(from, from + batch).map(({ text }) => text)
      vectors.push(...checked(await embed(texts), texts.length, dimension))
    }
    if (vectors.length === all.length) read = { of: all, vectors }
  }
  const ready = (): boolean => {
    const inForce = phrases()
    if (read?.of === inForce) return true
    if (reading !== inForce) {
      reading = inForce
      // Not read now, not read later: the same phrases and the same embedder would fail again.
      readAll(inForce).catch(() => undefined)
    }
    return false
  }
  ready()

  return {
    ready,
    async nearest(sentences, threshold, signal) {
      const { embed, dimension } = await embedder
      if (!read) throw new Error('the phrases are not read')
      const { of, vectors } = read
      const said = checked(await embed(sentences, signal), sentences.length, dimension)
      return nearestOf(said, of, vectors, threshold)
    },
  }
}

function nearestOf(
  said: readonly Float32Array[],
  phrases: readonly Phrase[],
  vectors: readonly Float32Array[],
  threshold: number,
): SemanticSignal {
  const near: SemanticSignal = { value: 0, category: null }
  vectors.forEach((vector, index) => {
    const { category } = phrases[index]!
    for (const sentence of said) {
      const similarity = Math.min(1, inner(sentence, vector))
      const value = similarity * patternCategories[category]
      if (similarity > threshold && value > near.value) Object.assign(near, { value, category })
    }
  })
  return near
}

function inner(a: Float32Array, b: Float32Array): number {
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

const isUnit = (vector: Float32Array): boolean => Math.abs(inner(vector, vector) - 1) < 0.01
