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
  /** Numbers of its features. */
  features: readonly number[]
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
  const counts = new Map<string, number>()
  for (const { words } of samples) for (const f of new Set(features(words))) counts.set(f, (counts.get(f) ?? 0) + 1)
  const known = new Map<string, number>()
  const weights: number[] = []
  const postings: number[][] = []
  for (const [feature, count] of counts) {
    known.set(feature, weights.push(Math.log(1 + samples.length / count) ** 2) - 1)
    postings.push([])
  }
  const prototypes: Prototype[] = samples.map(({ words, category }, index) => {
    const own = [...new Set(features(words))].map((feature) => known.get(feature)!)
    for (const feature of own) postings[feature]!.push(index)
    const square = own.reduce((sum, feature) => sum + weights[feature]!, 0)
    return { category, confidence: patternCategories[category], norm: Math.sqrt(square), features: own }
  })
  for (const posting of postings) posting.sort((a, b) => prototypes[a]!.norm - prototypes[b]!.norm)
  const index: Index = {
    known,
    weights,
    postings,
    prototypes,
    threshold: detection.consensus.semantic_threshold,
    asked: new Uint8Array(weights.length),
  }
  return { compare: (reading, bounds, muted) => compare(reading, bounds, muted, index) }
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
  /** Number of every feature that a phrase has, and by number: its squared weight, and the phrases that have it, shortest first. */
  known: ReadonlyMap<string, number>
  weights: readonly number[]
  postings: readonly (readonly number[])[]
  prototypes: readonly Prototype[]
  threshold: number
  /** Scratch of the comparison: 1 where the sentence has the feature, all 0 between calls. */
  asked: Uint8Array
}

function compare(
  reading: Reading,
  bounds: readonly { from: number; to: number }[],
  muted: ReadonlySet<number>,
  index: Index,
): SemanticSignal {
  const answer: SemanticSignal = { value: 0, category: null }
  const words = numberWords(reading, index)
  let windows = mostWindows
  bounds.forEach(({ from, to }, sentence) => {
    if (muted.has(sentence) || to < from) return
    const said = words.of.slice(from, Math.min(to, from + widestSentence) + 1)
    const clauses = windows > 0 ? clausesOf(said) : [said]
    windows -= clauses.length
    for (const clause of clauses) {
      const match = nearest(clause, words, index)
      if (!match || match.value <= answer.value) continue
      answer.value = match.value
      answer.category = match.prototype.category
    }
  })
  answer.value = Math.round(answer.value * 10_000) / 10_000
  return answer
}

/** The words of a message by number, so that its many runs are compared without making text of them. */
interface NumberedWords {
  /** Number of every word; the same form has the same one. */
  of: readonly number[]
  /** Whether a word of this number is left out. */
  isLight(word: number): boolean
  /** Number of a word's feature, or of a pair's; undefined where no phrase has it. */
  feature(word: number): number | undefined
  pair(first: number, second: number): number | undefined
}

function numberWords({ words }: Reading, { known }: Index): NumberedWords {
  const forms: string[] = []
  const numbers = new Map<string, number>()
  const of = words.map(({ forms: [form] }) => {
    const number = numbers.get(form!) ?? forms.push(form!) - 1
    numbers.set(form!, number)
    return number
  })
  const light = forms.map((form) => unweighty.has(form))
  const features = forms.map((form) => known.get(form))
  const pairs = new Map<number, number | undefined>()
  return {
    of,
    isLight: (word) => light[word]!,
    feature: (word) => features[word],
    pair: (first, second) => {
      // No phrase has a pair without having both its words.
      if (features[first] === undefined || features[second] === undefined) return undefined
      const key = first * forms.length + second
      if (!pairs.has(key)) pairs.set(key, known.get(`${forms[first]!} ${forms[second]!}`))
      return pairs.get(key)
    },
  }
}

/** Runs of words compared in one message; what follows in a long one is compared by whole sentences. */
const mostWindows = 200

/** Words of a clause held against a phrase, and how far the windows are apart. */
const clauseLengths = [9, 6, 4]

/** A sentence and, of a short one, every run of words about as long as a phrase. */
function clausesOf(words: readonly number[]): (readonly number[])[] {
  const clauses: (readonly number[])[] = [words]
  for (const length of clauseLengths)
    for (let from = 0; from + length < words.length + 1 && length < words.length; from += 1)
      clauses.push(words.slice(from, from + length))
  return clauses
}

/** More than the words of any message. */
const mostNumbers = 2 ** 26

/** Squared weight of a word no phrase has: it makes the sentence longer, and so less near to any. */
const unknownWeight = 4

/**
 * The phrase nearest to some words. A phrase without any of the sentence's rarest features cannot reach the
 * threshold (what they share is bounded by the length of the rest), so only phrases with one of them are looked at.
 */
function nearest(
  clause: readonly number[],
  words: NumberedWords,
  { weights, postings, prototypes, threshold, asked }: Index,
): Nearest | null {
  const own: number[] = []
  const strange = new Set<number>()
  const kept = clause.filter((word) => !words.isLight(word))
  kept.forEach((word, i) => {
    const feature = words.feature(word)
    if (feature === undefined) strange.add(word)
    else if (!own.includes(feature)) own.push(feature)
    if (i === 0) return
    const before = kept[i - 1]!
    const pair = words.pair(before, word)
    // Pairs are numbered below 0, beside the words.
    if (pair === undefined) strange.add(-1 - before * mostNumbers - word)
    else if (!own.includes(pair)) own.push(pair)
  })
  const square = own.reduce((sum, feature) => sum + weights[feature]!, strange.size * unknownWeight)
  let rest = own.reduce((sum, feature) => sum + weights[feature]!, 0)
  const enough = threshold * threshold * square
  if (rest <= enough) return null
  own.sort((a, b) => weights[b]! - weights[a]! || a - b)
  for (const feature of own) asked[feature] = 1
  let best: Nearest | null = null
  const norm = Math.sqrt(square)
  for (const feature of own) {
    if (rest <= enough) break
    rest -= weights[feature]!
    for (const at of postings[feature]!) {
      const prototype = prototypes[at]!
      // Shortest first: what is longer than this shares too little of itself, whatever it shares.
      if (prototype.norm * threshold >= norm) break
      let dot = 0
      for (const each of prototype.features) if (asked[each] === 1) dot += weights[each]!
      const similarity = Math.min(1, dot / (prototype.norm * norm))
      const value = similarity * prototype.confidence
      if (similarity > threshold && (!best || value > best.value)) best = { prototype, similarity, value }
    }
  }
  for (const feature of own) asked[feature] = 0
  return best
} // prettier-ignore

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
