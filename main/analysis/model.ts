/**
 * The small fitted model of the local clinical signal: logistic regression over hashed words, read over
 * windows of a few sentences, so that one dark paragraph in a long message is not averaged away.
 */
import { z } from 'zod'
import type { Span } from './cues.ts'
import { holdsSelf } from './subject.ts'
import type { Word } from './words.ts'

export const modelSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** Number of hash buckets, a power of two. */
  buckets: z.int().min(1),
  bias: z.number(),
  /** Weight = byte × scale. */
  scale: z.number(),
  /** Signed bytes, one per bucket, in base64. */
  weights: z.base64(),
  /** Probability from which a window counts as a sign of concern. */
  threshold: z.number().min(0).max(1),
})
export type ModelData = z.infer<typeof modelSchema>

/** Words of a window at least, where the message has as many; further sentences are taken in until then. */
const windowWords = 30
const widestWindow = 60

/** Windows over a message: every sentence with as many of the following ones as it takes. */
function windowsOf(bounds: readonly Span[]): Span[] {
  const windows: Span[] = []
  bounds.forEach(({ from, to }, sentence) => {
    if (to < from) return
    let end = to
    for (let next = sentence + 1; next < bounds.length && end - from + 1 < windowWords; next += 1)
      if (bounds[next]!.to >= bounds[next]!.from) end = bounds[next]!.to
    const last = windows.at(-1)
    // A window that ends where the one before it ends adds nothing.
    if (last && last.to === end && last.to - last.from < widestWindow) return
    for (let start = from; start <= end; start += widestWindow)
      windows.push({ from: start, to: Math.min(end, start + widestWindow - 1) })
  })
  return windows
}

/** Hashed features of a window: words, pairs and triples, each once. */
export function featuresOf(words: readonly Word[], { from, to }: Span, buckets: number): number[] {
  const found = new Set<number>()
  let before = 0
  let beforeThat = 0
  for (let i = from; i <= to; i += 1) {
    const one = hashWord(words[i]!.forms[0]!)
    found.add(place(one, buckets))
    if (i > from) found.add(place(mix(before, one), buckets))
    if (i > from + 1) found.add(place(mix(mix(beforeThat, before), one), buckets))
    beforeThat = before
    before = one
  }
  return [...found]
}

/** FNV-1a over UTF-16 units. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function mix(a: number, b: number): number {
  return Math.imul(a ^ (b >>> 15) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) >>> 0
}

function place(hash: number, buckets: number): number {
  return (hash ^ (hash >>> 13)) & (buckets - 1)
}

/** Fewer words, or none in the first person, say too little for the model. */
const leastWords = 8

/** Windows of a message that the model reads: long enough, and about the one who writes. */
export function readableWindows(words: readonly Word[], bounds: readonly Span[]): Span[] {
  return windowsOf(bounds).filter((window) => window.to - window.from + 1 >= leastWords && holdsSelf(words, window))
}

export interface Model {
  threshold: number
  /** Probability of the most telling window, 0–1. */
  score(words: readonly Word[], bounds: readonly Span[]): number
}

export function createModel(data: ModelData): Model {
  const bytes = atob(data.weights)
  const weights = Float64Array.from(
    { length: data.buckets },
    (_, i) => (((bytes.charCodeAt(i) || 0) << 24) >> 24) * data.scale,
  )
  return {
    threshold: data.threshold,
    score: (words, bounds) => {
      let highest = 0
      for (const window of readableWindows(words, bounds)) {
        const features = featuresOf(words, window, data.buckets)
        let sum = 0
        for (const feature of features) sum += weights[feature]!
        highest = Math.max(highest, 1 / (1 + Math.exp(-(data.bias + sum / Math.sqrt(features.length)))))
      }
      return highest
    },
  }
}
