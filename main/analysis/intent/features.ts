/**
 * Hashed features of a passage (feature hashing: Weinberger et al. 2009): words, stems, n-grams and skip-grams of them,
 * character 4-grams, and how the passage begins and ends. What is changed here must be fitted anew.
 */
import type { DetectionData } from '../data/index.ts'
import type { Span, Token, TokenizedMessage } from '../text/index.ts'

/** Tokens to the left that a feature takes in at most. */
export const longestReach = 3

/** The stem of a normalized form. */
export type Stemmer = (form: string) => string

/** A crude stemmer: one stem for words of a class, suffixes off, long words cut. */
export function createStemmer({ suffixes, classes }: DetectionData['lexicon']['stemming']): Stemmer {
  const suffix = new RegExp(`(${suffixes.join('|')})$`)
  const classOf = new Map(
    Object.entries(classes).flatMap(([name, words]) => words.map((word) => [word, name] as const)),
  )
  return (form) => {
    if (/^\d/.test(form)) return '#'
    const name = classOf.get(form)
    if (name) return name
    return form.length > 6 ? form.slice(0, 5) : form.replace(suffix, '') || form
  }
}

/** A token's hash, its stem's, and the buckets of its character 4-grams. */
export interface TokenHashes {
  word: number
  stem: number
  characterGrams: readonly number[]
}

export function hashTokens(tokens: readonly Token[], buckets: number, stem: Stemmer): TokenHashes[] {
  const byForm = new Map<string, TokenHashes>()
  return tokens.map(({ forms }) => {
    const form = forms[0]!
    let hashes = byForm.get(form)
    if (!hashes) byForm.set(form, (hashes = hashForm(form, buckets, stem)))
    return hashes
  })
}

function hashForm(form: string, buckets: number, stem: Stemmer): TokenHashes {
  const framed = `^${form}$`
  const characterGrams: number[] = []
  for (let at = 0; at + 4 <= framed.length; at += 1)
    characterGrams.push(bucketOf(hashOf(`~${framed.slice(at, at + 4)}`), buckets))
  return { word: hashOf(form), stem: hashOf(`=${stem(form)}`), characterGrams }
}

/** Calls `add` with the features that end at token `i`: how many tokens to the left each takes in, and its bucket. */
export function eachFeatureAt(
  hashes: readonly TokenHashes[],
  i: number,
  buckets: number,
  add: (reach: number, bucket: number) => void,
): void {
  const { word, stem, characterGrams } = hashes[i]!
  add(0, bucketOf(word, buckets))
  add(0, bucketOf(stem, buckets))
  for (const bucket of characterGrams) add(0, bucket)
  if (i < 1) return
  const before = hashes[i - 1]!
  add(1, bucketOf(mix(before.word, word), buckets))
  add(1, bucketOf(mix(before.stem, stem) + 7, buckets))
  if (i < 2) return
  const second = hashes[i - 2]!
  add(2, bucketOf(mix(mix(second.word, before.word), word), buckets))
  add(2, bucketOf(mix(mix(second.stem, before.stem), stem) + 7, buckets))
  add(2, bucketOf(mix(second.stem ^ 0x5555, stem), buckets))
  if (i < longestReach) return
  add(longestReach, bucketOf(mix(hashes[i - longestReach]!.stem ^ 0x3333, stem), buckets))
}

/** Features of a passage as a whole: how it begins and ends, its length, its emoji. */
export function passageFeatures(
  { tokens, questions, emoji }: TokenizedMessage,
  { from, to }: Span,
  buckets: number,
  stem: Stemmer,
): number[] {
  const first = tokens[from]!.forms[0]!
  const last = tokens[to]!.forms[0]!
  const names = [
    `begins ${first}`,
    `ends ${last}`,
    to > from ? `ends ${stem(tokens[to - 1]!.forms[0]!)} ${stem(last)}` : 'one word',
    `length ${Math.min(6, Math.floor(Math.log2(to - from + 2)))}`,
    ...[...new Set(emoji.slice(0, 10))].map((sign) => `emoji ${sign}`),
  ]
  for (let i = from; i <= to; i += 1) {
    if (!tokens[i]!.quoted) continue
    names.push('quotes')
    break
  }
  for (let i = from; i <= to; i += 1) {
    if (!questions.has(tokens[i]!.sentence)) continue
    names.push('asks')
    break
  }
  return names.map((name) => bucketOf(hashOf(`#${name}`), buckets))
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function mix(a: number, b: number): number {
  return Math.imul(a ^ (b >>> 15) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) >>> 0
}

/** `buckets` is a power of two. */
function bucketOf(hash: number, buckets: number): number {
  return (hash ^ (hash >>> 13)) & (buckets - 1)
}
