/**
 * The second reader: a fitted linear model of how a passage is meant (in danger, joking, quoting, about another …),
 * for what no list of phrases foresees. It reads words, runs of words and pieces of words, each hashed to a bucket
 * (feature hashing: Weinberger et al. 2009), so that its data are one table of signed bytes.
 */
import { z } from 'zod'
import type { Span } from './cues.ts'
import type { Reading, Word } from './words.ts'

/** How a passage can be meant. `plain`: nothing of the kind. */
export const manners = ['plain', 'danger', 'concern', 'jest', 'denied', 'quoted', 'other', 'threat', 'abuse'] as const
export type Manner = (typeof manners)[number]

/** A reading that counts is at least as likely as not; one manner among nine somewhat less. */
const sure = z.number().min(0.5).max(1)
/** Never on a draw. */
const odds = z.number().min(0.5)
const likely = z.number().min(0.4).max(1)
/** Bytes that base64 text holds; −1 where it is none. */
function lengthInBytes(base64: string): number {
  try {
    return atob(base64).length
  } catch {
    return -1
  }
}

const bandSchema = z.strictObject({
  /** Danger so sure that it is a crisis by itself, and where the rules name one beside it. */
  crisis: sure,
  crisis_named: sure,
  /** Danger that is at least `high`. */
  high: sure,
  /** A threat, abuse suffered, or worry about another. */
  other: likely,
  /** Deadly words in jest. */
  jest: likely,
  /** Danger, a threat, abuse, worry or despair, taken together. */
  caution: sure,
})

export const mannerSchema = z
  .strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  manners: z.tuple(manners.map((name) => z.literal(name)) as [z.ZodLiteral<Manner>, ...z.ZodLiteral<Manner>[]]),
  /** Number of hash buckets, a power of two. */
  buckets: z.int().min(1).refine((value) => (value & (value - 1)) === 0, 'is no power of two'),
  /** One for each manner. */
  bias: z.array(z.number().min(-100).max(100)).length(manners.length),
  /** Weight = byte × scale. */
  scale: z.number().positive().max(10),
  /** Signed bytes, for each bucket one a manner, in base64. */
  weights: z.string(),
  /** From where a reading counts; how they were chosen stands in the model card. */
  thresholds: z.strictObject({
    /** For passages of fewer than `fewWords` words, which say little by themselves, and of more. */
    few: bandSchema,
    more: bandSchema,
    /** Where the rules have taken every grave word away (denied, quoted, an idiom). */
    taken: z.strictObject({ crisis: sure, caution: sure }),
    /** Logarithm of a milder manner's odds against danger and despair, from which a match is taken less literally. */
    milder: z.strictObject({ jest: odds, denied: odds, quoted: odds, other: odds }),
  }),
})
  .refine(({ buckets, weights }) => lengthInBytes(weights) === buckets * manners.length, {
    message: 'hold another number of bytes than buckets × manners',
    path: ['weights'],
  }) // prettier-ignore
export type MannerData = z.infer<typeof mannerSchema>

/** Probability of every manner, in the order of `manners`; they sum to 1. */
export type Manners = Readonly<Record<Manner, number>>

export interface Passage extends Span {
  manners: Manners
  /** The run of words that speaks most for a manner. */
  telling(manner: Manner): Span
}

export interface MannerModel {
  thresholds: MannerData['thresholds']
  /** Every passage of a message, read: the whole of a short one, overlapping pieces of a long one. */
  read(reading: Reading, bounds: readonly Span[]): Passage[]
}

/** A passage of fewer words says little by itself. */
export const fewWords = 7

/** A message of up to this many words is read as a whole. */
const shortMessage = 60
/** Words of a piece at least, where the message goes on. */
const pieceWords = 20
const widestPiece = 50
const pieceStep = 40

/** The passages of a message: first and last word of each. */
export function passagesOf({ words }: Reading, bounds: readonly Span[]): Span[] {
  if (words.length === 0) return []
  if (words.length <= shortMessage) return [{ from: 0, to: words.length - 1 }]
  const passages: Span[] = []
  bounds.forEach(({ from, to }, sentence) => {
    if (to < from) return
    let end = to
    for (let next = sentence + 1; next < bounds.length && end - from + 1 < pieceWords; next += 1)
      end = Math.max(end, bounds[next]!.to)
    const last = passages.at(-1)
    // A piece inside the one before it adds nothing, and one that begins with it hardly more.
    if (last && (last.to >= end || from < last.from + pieceWords / 2)) return
    for (let start = from; start <= end; start += pieceStep)
      passages.push({ from: start, to: Math.min(end, start + widestPiece - 1) })
  })
  return passages
}

/** Words to the left that a feature takes in at most. */
export const furthest = 3

/** Hears one feature: how many words to the left it takes in, and its bucket. */
type Hear = (reach: number, bucket: number) => void

/** What there is to know of every word of a message before its features are counted. */
export function soundsOf(words: readonly Word[], buckets: number): Sounds[] {
  const known = new Map<string, Sounds>()
  return words.map(({ forms }) => {
    const form = forms[0]!
    let sounds = known.get(form)
    if (!sounds) known.set(form, (sounds = soundsOfWord(form, buckets)))
    return sounds
  })
}

/** The features that end at word `i`: itself and its pieces, and its runs with the words before it. */
export function eachFeature(sounds: readonly Sounds[], i: number, buckets: number, hear: Hear): void {
  const { word, stem, pieces } = sounds[i]!
  hear(0, placeOf(word, buckets))
  hear(0, placeOf(stem, buckets))
  for (const piece of pieces) hear(0, piece)
  if (i < 1) return
  const before = sounds[i - 1]!
  hear(1, placeOf(mix(before.word, word), buckets))
  hear(1, placeOf(mix(before.stem, stem) + 7, buckets))
  if (i < 2) return
  const second = sounds[i - 2]!
  hear(2, placeOf(mix(mix(second.word, before.word), word), buckets))
  hear(2, placeOf(mix(mix(second.stem, before.stem), stem) + 7, buckets))
  hear(2, placeOf(mix(second.stem ^ 0x5555, stem), buckets))
  if (i < furthest) return
  hear(furthest, placeOf(mix(sounds[i - furthest]!.stem ^ 0x3333, stem), buckets))
}

/** Features of a passage as a whole: how it begins and ends, its length, its signs. */
export function passageFeatures({ words, questions, emoji }: Reading, { from, to }: Span, buckets: number): number[] {
  const first = words[from]!.forms[0]!
  const last = words[to]!.forms[0]!
  const names = [
    `begins ${first}`,
    `ends ${last}`,
    to > from ? `ends ${stemOf(words[to - 1]!.forms[0]!)} ${stemOf(last)}` : 'one word',
    `length ${Math.min(6, Math.floor(Math.log2(to - from + 2)))}`,
    ...[...new Set(emoji.slice(0, 10))].map((sign) => `emoji ${sign}`),
  ]
  for (let i = from; i <= to; i += 1) {
    if (!words[i]!.quoted) continue
    names.push('quotes')
    break
  }
  for (let i = from; i <= to; i += 1) {
    if (!questions.has(words[i]!.sentence)) continue
    names.push('asks')
    break
  }
  return names.map((name) => placeOf(hashOf(`#${name}`), buckets))
}

/** A word's hash, its stem's, and the buckets of its pieces of four letters. */
export interface Sounds {
  word: number
  stem: number
  pieces: readonly number[]
}

function soundsOfWord(form: string, buckets: number): Sounds {
  const framed = `^${form}$`
  const pieces: number[] = []
  for (let at = 0; at + 4 <= framed.length; at += 1)
    pieces.push(placeOf(hashOf(`~${framed.slice(at, at + 4)}`), buckets))
  return { word: hashOf(form), stem: hashOf(`=${stemOf(form)}`), pieces }
}

const endings = /(ing|ed|s)$/
/** A crude stem: the classes of words that carry most, endings off, long words cut. */
export function stemOf(form: string): string {
  if (/^\d/.test(form)) return '#'
  const known = classes.get(form)
  if (known) return known
  return form.length > 6 ? form.slice(0, 5) : form.replace(endings, '') || form
}

const classes = new Map(
  Object.entries({
    FAMILY: 'mom mother dad father parents brother sister grandma grandpa family aunt uncle cousin stepdad stepmom mum mama papa bro sis',
    FRIEND: 'friend friends bestie boyfriend girlfriend bf gf ex crush classmate teammate roommate homie bff guy girl kid boy',
    THEY: 'he she they him her them his their you your',
    WHEN: 'tonight tomorrow today now soon later morning midnight weekend monday tuesday wednesday thursday friday saturday sunday christmas birthday',
    NUMBER: 'one two three four five six seven eight nine ten twenty thirty forty fifty hundred',
    CARE: 'teacher counselor therapist coach doctor nurse principal psychiatrist',
    SCHOOL: 'school class homework math test exam quiz essay project chem chemistry algebra physics bio history english spanish finals practice gym',
  }).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
) // prettier-ignore

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function mix(a: number, b: number): number {
  return Math.imul(a ^ (b >>> 15) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) >>> 0
}

function placeOf(hash: number, buckets: number): number {
  return (hash ^ (hash >>> 13)) & (buckets - 1)
}

/** Builds the model from its data. */
export function createMannerModel({ buckets, bias, scale, weights, thresholds }: MannerData): MannerModel {
  const kinds = manners.length
  const bytes = atob(weights)
  const table = new Int8Array(bytes.length)
  for (let i = 0; i < bytes.length; i += 1) table[i] = bytes.charCodeAt(i)
  return {
    thresholds,
    read: (reading, bounds) => {
      const passages = passagesOf(reading, bounds)
      if (passages.length === 0) return []
      const sums = runningSums(soundsOf(reading.words, buckets), buckets, table)
      return passages.map(({ from, to }) => {
        const whole = passageFeatures(reading, { from, to }, buckets)
        const totals = new Float64Array(kinds)
        for (const bucket of whole) for (let kind = 0; kind < kinds; kind += 1) totals[kind]! += table[bucket * kinds + kind]!
        const count = whole.length + sums.addTo(totals, from, to)
        const logits = bias.map((value, kind) => value + (totals[kind]! * scale) / Math.sqrt(count))
        return { from, to, manners: softmax(logits), telling: (manner) => sums.telling(manners.indexOf(manner), from, to) }
      })
    },
  } // prettier-ignore
}

/** Words marked as what a reading stood on, at most. */
const mostTelling = 8

/** Sums of weights up to every word, by how far a feature reaches back, so that a passage costs no walk over its words. */
function runningSums(sounds: readonly Sounds[], buckets: number, table: Int8Array) {
  const kinds = manners.length
  const sums = Array.from({ length: furthest + 1 }, () => new Int32Array((sounds.length + 1) * kinds))
  const counts = Array.from({ length: furthest + 1 }, () => new Int32Array(sounds.length + 1))
  let row = 0
  let word = 0
  const hear: Hear = (reach, bucket) => {
    const into = sums[reach]!
    const weights = bucket * kinds
    for (let kind = 0; kind < kinds; kind += 1) into[row + kind]! += table[weights + kind]!
    counts[reach]![word]! += 1
  }
  for (word = 1; word <= sounds.length; word += 1) {
    row = word * kinds
    for (const into of sums) into.copyWithin(row, row - kinds, row)
    for (const count of counts) count[word] = count[word - 1]!
    eachFeature(sounds, word - 1, buckets, hear)
  }
  return {
    /** Adds the weights of words `from`..`to` and answers how many features they have. */
    addTo(totals: Float64Array, from: number, to: number): number {
      let count = 0
      for (let reach = 0; reach <= furthest && from + reach <= to; reach += 1) {
        const into = sums[reach]!
        const [start, end] = [(from + reach) * kinds, (to + 1) * kinds]
        for (let kind = 0; kind < kinds; kind += 1) totals[kind]! += into[end + kind]! - into[start + kind]!
        count += counts[reach]![to + 1]! - counts[reach]![from + reach]!
      }
      return count
    },
    /** The run of a few words with the highest sum of what they say for a manner, above what they say for all. */
    telling(kind: number, from: number, to: number): Span {
      let best = { from, to: from, sum: -Infinity }
      for (let start = from; start <= to; start += 1) {
        let sum = 0
        for (let end = start; end <= Math.min(to, start + mostTelling - 1); end += 1) {
          sum += saidBy(sums, kind, end)
          const shorter = sum === best.sum && end - start < best.to - best.from
          if (sum > best.sum || shorter) best = { from: start, to: end, sum }
        }
      }
      return { from: best.from, to: best.to }
    },
  }
}

/** What one word, with those before it, says for a manner above what it says for all of them. */
function saidBy(sums: readonly Int32Array[], wanted: number, word: number): number {
  const kinds = manners.length
  let said = 0
  for (const into of sums) {
    const row = word * kinds
    for (let kind = 0; kind < kinds; kind += 1) {
      const weight = into[row + kinds + kind]! - into[row + kind]!
      said += kind === wanted ? weight : -weight / kinds
    }
  }
  return said
}

function softmax(logits: readonly number[]): Manners {
  const highest = Math.max(...logits)
  const raised = logits.map((value) => Math.exp(value - highest))
  const sum = raised.reduce((total, value) => total + value, 0)
  // Rounded, so that the last bits of a platform's arithmetic decide nothing.
  return Object.fromEntries(
    manners.map((name, kind) => [name, Math.round((raised[kind]! / sum) * 1e6) / 1e6]),
  ) as Record<Manner, number>
}
