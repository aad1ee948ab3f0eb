/**
 * The semantic signal: the highest cosine similarity of a sentence with the phrases of the patterns. The built-in
 * vectors are sparse (unigrams and bigrams weighted by inverse document frequency among the phrases), so they are the
 * same everywhere.
 */
import { patternCategories, type PatternCategory } from '../../../shared/risk.ts'
import type { DetectionData } from '../data/index.ts'
import { parsePhrase, sampleWords } from '../phrases/index.ts'
import type { TokenizedMessage } from '../text/index.ts'
import type { ReferencePhrase, SemanticSignal } from './semantic-signal.ts'

export interface SimilarityIndex {
  /** The signal over the sentences whose indexes are not among the suppressed ones. */
  compare(message: TokenizedMessage, suppressed: ReadonlySet<number>): SemanticSignal
}

type SimilarityData = Pick<DetectionData, 'patterns' | 'lexicon' | 'consensus'>

interface Prototype {
  category: PatternCategory
  confidence: number
  norm: number
  /** Ids of its features. */
  features: readonly number[]
}

const widestSentence = 40
/** Samples of one phrase's alternatives, evenly spread. */
const samplesPerPhrase = 14

/** Phrases of the patterns that somebody says of themselves, at most `perPhrase` samples of each. */
export function referencePhrases({ patterns, lexicon }: SimilarityData, perPhrase: number): ReferencePhrase[] {
  const samples: ReferencePhrase[] = []
  for (const { category, phrases, experiencer } of patterns.groups) {
    if (experiencer !== 'self' && experiencer !== 'subject') continue
    for (const phrase of phrases) {
      const parsed = parsePhrase(phrase, lexicon.lists)
      const texts = new Set<string>()
      for (let turn = 0; turn < perPhrase; turn += 1) texts.add(sampleWords(parsed, turn).join(' '))
      for (const text of texts) if (text.split(' ').length > 2) samples.push({ text, category })
    }
  }
  return samples
}

/** Builds the index of the patterns' phrases. */
export function createSimilarityIndex(data: SimilarityData): SimilarityIndex {
  const { stop_words: stopWords } = data.lexicon
  const samples = referencePhrases(data, samplesPerPhrase).map(({ text, category }) => ({
    features: new Set(featuresOf(text.split(' '), stopWords)),
    category,
  }))
  const counts = new Map<string, number>()
  for (const { features } of samples) for (const each of features) counts.set(each, (counts.get(each) ?? 0) + 1)
  const ids = new Map<string, number>()
  const weights: number[] = []
  const postings: number[][] = []
  for (const [feature, count] of counts) {
    ids.set(feature, weights.push(Math.log(1 + samples.length / count) ** 2) - 1)
    postings.push([])
  }
  const prototypes: Prototype[] = samples.map(({ features, category }, index) => {
    const own = [...features].map((feature) => ids.get(feature)!)
    for (const feature of own) postings[feature]!.push(index)
    const square = own.reduce((sum, feature) => sum + weights[feature]!, 0)
    return { category, confidence: patternCategories[category], norm: Math.sqrt(square), features: own }
  })
  for (const posting of postings) posting.sort((a, b) => prototypes[a]!.norm - prototypes[b]!.norm)
  const index: Index = {
    ids,
    weights,
    postings,
    prototypes,
    stopWords,
    threshold: data.consensus.semantic_threshold,
    query: new Uint8Array(weights.length),
  }
  return { compare: (message, suppressed) => compare(message, suppressed, index) }
}

interface BestMatch {
  prototype: Prototype
  similarity: number
  value: number
}

interface Index {
  /** Id of every feature that a phrase has, and by id: its squared weight, and the phrases that have it, shortest first. */
  ids: ReadonlyMap<string, number>
  weights: readonly number[]
  postings: readonly (readonly number[])[]
  prototypes: readonly Prototype[]
  stopWords: ReadonlySet<string>
  threshold: number
  /** Scratch of the comparison: 1 where the query has the feature, all 0 between calls. */
  query: Uint8Array
}

function compare(message: TokenizedMessage, suppressed: ReadonlySet<number>, index: Index): SemanticSignal {
  const signal: SemanticSignal = { value: 0, category: null }
  const tokens = indexTokens(message, index)
  let remaining = mostWindows
  message.sentences.forEach(({ from, to }, sentence) => {
    if (suppressed.has(sentence) || to < from) return
    const whole = tokens.of.slice(from, Math.min(to, from + widestSentence) + 1)
    const windows = remaining > 0 ? windowsOf(whole) : [whole]
    remaining -= windows.length
    for (const window of windows) {
      const match = bestMatch(window, tokens, index)
      if (!match || match.value <= signal.value) continue
      signal.value = match.value
      signal.category = match.prototype.category
    }
  })
  signal.value = Math.round(signal.value * 10_000) / 10_000
  return signal
}

/** The tokens of a message by number, so that its many windows are compared without making text of them. */
interface IndexedTokens {
  /** Number of every token; the same form has the same one. */
  of: readonly number[]
  isStopWord(token: number): boolean
  /** Id of a unigram or a bigram; undefined where no phrase has it. */
  unigram(token: number): number | undefined
  bigram(first: number, second: number): number | undefined
}

function indexTokens({ tokens }: TokenizedMessage, { ids, stopWords }: Index): IndexedTokens {
  const forms: string[] = []
  const numbers = new Map<string, number>()
  const of = tokens.map(({ forms: [form] }) => {
    const number = numbers.get(form!) ?? forms.push(form!) - 1
    numbers.set(form!, number)
    return number
  })
  const isStopWord = forms.map((form) => stopWords.has(form))
  const unigrams = forms.map((form) => ids.get(form))
  const bigrams = new Map<number, number | undefined>()
  return {
    of,
    isStopWord: (token) => isStopWord[token]!,
    unigram: (token) => unigrams[token],
    bigram: (first, second) => {
      // No phrase has a bigram without having both its words.
      if (unigrams[first] === undefined || unigrams[second] === undefined) return undefined
      const key = first * forms.length + second
      if (!bigrams.has(key)) bigrams.set(key, ids.get(`${forms[first]!} ${forms[second]!}`))
      return bigrams.get(key)
    },
  }
}

/** Windows compared in one message; what follows in a long one is compared by whole sentences. */
const mostWindows = 200

/** Lengths of the windows, in tokens: about as long as phrases. */
const windowLengths = [9, 6, 4]

/** A sentence and, of a short one, every window of each length. */
function windowsOf(sentence: readonly number[]): (readonly number[])[] {
  const windows: (readonly number[])[] = [sentence]
  for (const length of windowLengths)
    for (let from = 0; from + length < sentence.length + 1 && length < sentence.length; from += 1)
      windows.push(sentence.slice(from, from + length))
  return windows
}

/** More than the tokens of any message. */
const mostTokens = 2 ** 26

/** Squared weight of a feature no phrase has: it makes the query longer, and so less similar to any. */
const unknownWeight = 4

/**
 * The phrase most similar to a window. A phrase without any of the window's rarest features cannot reach the
 * threshold (what they share is bounded by the norm of the rest), so only phrases with one of them are scored.
 */
function bestMatch(
  window: readonly number[],
  tokens: IndexedTokens,
  { weights, postings, prototypes, threshold, query }: Index,
): BestMatch | null {
  const known: number[] = []
  const unknown = new Set<number>()
  const kept = window.filter((token) => !tokens.isStopWord(token))
  kept.forEach((token, i) => {
    const unigram = tokens.unigram(token)
    if (unigram === undefined) unknown.add(token)
    else if (!known.includes(unigram)) known.push(unigram)
    if (i === 0) return
    const before = kept[i - 1]!
    const bigram = tokens.bigram(before, token)
    // Unknown bigrams are numbered below 0, beside the tokens.
    if (bigram === undefined) unknown.add(-1 - before * mostTokens - token)
    else if (!known.includes(bigram)) known.push(bigram)
  })
  const square = known.reduce((sum, feature) => sum + weights[feature]!, unknown.size * unknownWeight)
  let rest = known.reduce((sum, feature) => sum + weights[feature]!, 0)
  const enough = threshold * threshold * square
  if (rest <= enough) return null
  known.sort((a, b) => weights[b]! - weights[a]! || a - b)
  for (const feature of known) query[feature] = 1
  let best: BestMatch | null = null
  const norm = Math.sqrt(square)
  for (const feature of known) {
    if (rest <= enough) break
    rest -= weights[feature]!
    for (const at of postings[feature]!) {
      const prototype = prototypes[at]!
      // Shortest first: a longer one than this shares too little of itself, whatever it shares.
      if (prototype.norm * threshold >= norm) break
      let dot = 0
      for (const each of prototype.features) if (query[each] === 1) dot += weights[each]!
      const similarity = Math.min(1, dot / (prototype.norm * norm))
      const value = similarity * prototype.confidence
      if (similarity > threshold && (!best || value > best.value)) best = { prototype, similarity, value }
    }
  }
  for (const feature of known) query[feature] = 0
  return best
} // prettier-ignore

/** Unigrams and bigrams of words, stop words left out. */
function featuresOf(words: readonly string[], stopWords: ReadonlySet<string>): string[] {
  const kept = words.filter((word) => !stopWords.has(word))
  return [...kept, ...kept.slice(1).map((word, index) => `${kept[index]} ${word}`)]
}
