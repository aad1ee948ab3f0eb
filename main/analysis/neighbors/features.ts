/** What two sentences are compared by: hashes of stems, of pairs of them, and of pairs with one word between. */
import type { DetectionData } from '../data/index.ts'
import { createStemmer } from '../intent/index.ts'

/** Hashes are numbers below this: three bytes. */
const hashes = 2 ** 24

/** Turns words into features, the same number for the same feature in every program. */
export interface SentenceFeatures {
  /** Features of a run of words, each once, in no order. */
  of(words: readonly string[]): number[]
}

export function createSentenceFeatures({
  stemming,
  stop_words: stopWords,
}: DetectionData['lexicon']): SentenceFeatures {
  const stem = createStemmer(stemming)
  const known = new Map<string, { hash: number; telling: boolean }>()
  const readWord = (word: string): { hash: number; telling: boolean } => {
    const before = known.get(word)
    if (before) return before
    const read = { hash: hashOf(stem(word)), telling: !stopWords.has(word) }
    // Only so that a message of megabytes of made-up words does not fill the memory.
    if (known.size >= mostKnown) known.clear()
    known.set(word, read)
    return read
  }
  return {
    of(words) {
      const read = words.map(readWord)
      const features = new Set<number>()
      read.forEach(({ hash, telling }, at) => {
        if (telling) features.add(hash % hashes)
        if (at >= 1) features.add(join(read[at - 1]!.hash, hash, 1))
        if (at >= 2) features.add(join(read[at - 2]!.hash, hash, 2))
      })
      return [...features]
    },
  }
}

const mostKnown = 10_000

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function join(first: number, second: number, distance: number): number {
  const mixed = Math.imul(first ^ Math.imul(second + distance, 0x9e3779b1), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) >>> 0) % hashes
}
