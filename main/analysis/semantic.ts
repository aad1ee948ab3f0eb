/**
 * The semantic signal: how near each sentence comes to the phrases of the patterns. The built-in embedder
 * is sparse (words and word pairs, weighted by rarity among the phrases), so it is the same everywhere.
 */
import type { PatternCategory } from '../../shared/risk.ts'
import { patternCategories } from '../../shared/risk.ts'
import type { Detection } from './detection.ts'
import { parsePhrase, sayPhrase } from './phrases.ts'
import type { Reading } from './words.ts'

export interface SemanticSignal {
  /** The largest product of a similarity and its category's confidence, 0–1; 0 where none is above the threshold. */
  value: number
  category: PatternCategory | null
}

export interface SemanticIndex {
  /** Value over the sentences that are not muted (a sentence is muted where the context rules took its words away). */
  compare(reading: Reading, bounds: readonly { from: number; to: number }[], muted: ReadonlySet<number>): SemanticSignal
}

interface Prototype {
  category: PatternCategory
  confidence: number
  norm: number
}

const widestSentence = 40
/** Phrases taken of one pattern's alternatives, evenly spread. */
const samplesPerPhrase = 14

/** Phrases of the patterns that somebody says of themselves, at most `perPhrase` ways of saying each. */
export function samplePhrases(detection: Detection, perPhrase: number): { text: string; category: PatternCategory }[] {
  const samples: { text: string; category: PatternCategory }[] = []
  for (const { category, phrases, speaker } of detection.patterns.groups) {
    if (speaker !== 'self' && speaker !== 'subject') continue
    for (const phrase of phrases) {
      const parsed = parsePhrase(phrase, detection.words.lists)
      const said = new Set<string>()
      for (let turn = 0; turn < perPhrase; turn += 1) said.add(sayPhrase(parsed, turn).join(' '))
      for (const text of said) if (text.split(' ').length > 2) samples.push({ text, category })
    }
  }
  return samples
}

/** Builds the index of the patterns' phrases. */
export function createSemanticIndex(detection: Detection): SemanticIndex {
  const samples = samplePhrases(detection, samplesPerPhrase).map(({ text, category }) => ({
    words: text.split(' '),
    category,
  }))
  const rarity = new Map<string, number>()
  for (const { words } of samples) for (const f of new Set(features(words))) rarity.set(f, (rarity.get(f) ?? 0) + 1)
  for (const [feature, count] of rarity) rarity.set(feature, Math.log(1 + samples.length / count))
  const postings = new Map<string, number[]>()
  const prototypes: Prototype[] = samples.map(({ words, category }, index) => {
    let square = 0
    for (const feature of new Set(features(words))) {
      square += rarity.get(feature)! ** 2
      const list = postings.get(feature)
      if (list) list.push(index)
      else postings.set(feature, [index])
    }
    return { category, confidence: patternCategories[category], norm: Math.sqrt(square) }
  })
  const threshold = detection.consensus.semantic_threshold
  return {
    compare: (reading, bounds, muted) =>
      compare(reading, bounds, muted, {
        rarity,
        postings,
        prototypes,
        threshold,
        dots: new Float64Array(prototypes.length),
      }),
  }
}

/** Sentences read of one message by an embedder; what follows in a long one is compared by the patterns. */
const mostSentences = 24

/** The sentences that are not muted, as they were written. */
export function openSentences(
  text: string,
  { words }: Reading,
  bounds: readonly { from: number; to: number }[],
  muted: ReadonlySet<number>,
): string[] {
  return bounds
    .filter(({ from, to }, sentence) => from <= to && !muted.has(sentence))
    .slice(0, mostSentences)
    .map(({ from, to }) => text.slice(words[from]!.start, words[to]!.end))
}

/** A phrase of the set said word for word is as near to it as can be; samples need not hold it. */
export function orExact(
  near: SemanticSignal,
  said: readonly { category: PatternCategory; confidence: number }[],
): SemanticSignal {
  return said.reduce(
    (best, { category, confidence }) => (confidence > best.value ? { value: confidence, category } : best),
    near,
  )
}

interface Nearest {
  prototype: Prototype
  similarity: number
  value: number
}

interface Index {
  /** Scratch of the comparison, one place per prototype, all zero between calls. */
  dots: Float64Array
  rarity: ReadonlyMap<string, number>
  postings: ReadonlyMap<string, number[]>
  prototypes: readonly Prototype[]
  threshold: number
}

function compare(
  reading: Reading,
  bounds: readonly { from: number; to: number }[],
  muted: ReadonlySet<number>,
  index: Index,
): SemanticSignal {
  const answer: SemanticSignal = { value: 0, category: null }
  let windows = mostWindows
  bounds.forEach(({ from, to }, sentence) => {
    if (muted.has(sentence) || to < from) return
    const words: string[] = []
    for (let i = from; i <= Math.min(to, from + widestSentence); i += 1) words.push(reading.words[i]!.forms[0]!)
    const clauses = windows > 0 ? clausesOf(words) : [words]
    windows -= clauses.length
    for (const clause of clauses) {
      const match = nearest(clause, index)
      if (!match || match.value <= answer.value) continue
      answer.value = match.value
      answer.category = match.prototype.category
    }
  })
  answer.value = Math.round(answer.value * 10_000) / 10_000
  return answer
}

/** Runs of words compared in one message; what follows in a long one is compared by whole sentences. */
const mostWindows = 200

/** Words of a clause held against a phrase, and how far the windows are apart. */
const clauseLengths = [9, 6, 4]

/** A sentence and, of a short one, every run of words about as long as a phrase. */
function clausesOf(words: readonly string[]): (readonly string[])[] {
  const clauses: (readonly string[])[] = [words]
  for (const length of clauseLengths)
    for (let from = 0; from + length < words.length + 1 && length < words.length; from += 1)
      clauses.push(words.slice(from, from + length))
  return clauses
}

function nearest(words: readonly string[], { rarity, postings, prototypes, threshold, dots }: Index): Nearest | null {
  const touched: number[] = []
  let square = 0
  for (const feature of new Set(features(words))) {
    const weight = rarity.get(feature)
    // A word no phrase has still makes the sentence longer, and so less near to any.
    square += (weight ?? 2) ** 2
    if (weight === undefined) continue
    for (const at of postings.get(feature)!) {
      if (dots[at] === 0) touched.push(at)
      dots[at]! += weight * weight
    }
  }
  let best: Nearest | null = null
  const norm = Math.sqrt(square)
  for (const at of touched) {
    const prototype = prototypes[at]!
    const similarity = Math.min(1, dots[at]! / (prototype.norm * norm))
    const value = similarity * prototype.confidence
    if (similarity > threshold && (!best || value > best.value)) best = { prototype, similarity, value }
    dots[at] = 0
  }
  return best
}

const unweighty = new Set([
  'a',
  'an',
  'the',
  'and',
  'to',
  'of',
  'is',
  'am',
  'it',
  'that',
  'this',
  'just',
  'so',
  'i',
  'be',
])

function features(words: readonly string[]): string[] {
  const kept = words.filter((word) => !unweighty.has(word))
  return [...kept, ...kept.slice(1).map((word, index) => `${kept[index]} ${word}`)]
}
