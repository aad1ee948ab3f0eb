/** What a short message says as an answer, whatever it answers. */
import type { AnswerKind, ConversationData } from '../data/index.ts'
import type { ConversationPhrases } from './phrases.ts'

/**
 * `silence`: nothing but signs or stops. `correction`: something else was meant. `statement`: a clause in the first
 * person, or one that no list foresees. `matter`: words of some other matter (“trampoline park”).
 */
export type Answer = AnswerKind | 'silence' | 'correction' | 'statement' | 'matter'

export interface AnswerReading {
  answer: Answer
  tokens: number
}

/** Characters of a message that are read as an answer. */
const readOfMessage = 400
/** Tokens up to which a message counts as short. */
export const shortAnswer = 14

/** Reads a message as an answer. */
export function readAnswer(
  { answers }: ConversationPhrases,
  { fillers, small_words, signs }: ConversationData,
  text: string,
): AnswerReading {
  const message = answers.tokenize(text.slice(0, readOfMessage))
  const { tokens } = message
  if (tokens.length === 0) {
    const sign = message.emoji.find((each) => signs.yes.has(each) || signs.no.has(each))
    return { answer: sign === undefined ? 'silence' : signs.yes.has(sign) ? 'yes' : 'no', tokens: 0 }
  }
  const hits = answers.find(message).map((hit) => ({ ...hit, kind: answers.roleOf(hit) }))
  const words = tokens.map(({ forms }) => forms[0]!)
  const said = (answer: Answer): AnswerReading => ({ answer, tokens: tokens.length })
  const isShort = tokens.length <= shortAnswer
  const begin = words.findIndex((word, at) => !fillers.has(word) || hits.some(({ from }) => from === at))
  if (begin < 0) return said('silence')
  const beginning = hits.filter(({ from, kind }) => from === begin && kind !== 'correction')
  const first = beginning.sort((a, b) => b.to - a.to)[0]
  const later = hits.filter(({ from }) => first !== undefined && from > first.to)
  const corrected = isShort && hits.some(({ kind }) => kind === 'correction')
  if (first?.kind === 'no') {
    if (later.some(({ kind }) => kind === 'forever')) return said('forever')
    const turns = !corrected && later.some(({ kind, from }) => kind === 'yes' && contradicts.has(words[from - 1]!))
    return said(turns ? 'unsure' : 'no')
  }
  if (first?.kind === 'unsure') {
    // “idk… yes”: what comes after the doubt is the answer.
    const decided = later.some(({ kind }) => kind === 'yes') && !later.some(({ kind }) => kind === 'no')
    return said(isShort && decided ? 'yes' : 'unsure')
  }
  if (first?.kind === 'yes') {
    // “Yeah, but not really” takes it back; “yes, but I won't do it” affirms what was asked.
    if (later.some(({ kind, from, to }) => kind === 'no' && to === tokens.length - 1 && to - from <= 1))
      return said('unsure')
    if (later.some(({ kind }) => kind === 'forever')) return said('forever')
    // Further on, a “yeah” only opens what is told.
    const opens = isShort || tokens[first.to + 1]?.afterBreak === true || tokens[first.to + 1]!.sentence > 0
    if (opens) return said('yes')
  }
  const covered = new Uint8Array(tokens.length)
  for (const { from, to, kind } of hits) if (kind !== 'correction') covered.fill(1, from, to + 1)
  const isKnown = (word: string, at: number): boolean =>
    covered[at] === 1 || fillers.has(word) || small_words.has(word) || /^\d+$/.test(word)
  const kinds = hits.flatMap(({ kind }) => (kind === 'correction' ? [] : [kind]))
  if (isShort && words.every(isKnown)) {
    const main = kinds.sort((a, b) => rank(a) - rank(b))[0]
    return said(main ?? (words.some((word) => /^\d+$/.test(word)) ? 'number' : 'unsure'))
  }
  if (corrected) return said('correction')
  return said(words.includes('i') ? 'statement' : 'matter')
}

/** After these words, what follows takes back what was said before. */
const contradicts: ReadonlySet<string> = new Set(['but', 'mean', 'well', 'except', 'actually', 'pero'])

const order: readonly string[] = [
  'unsure', 'no', 'forever', 'both', 'second', 'first', 'yes', 'means', 'where', 'when', 'number', 'who', 'relief',
] // prettier-ignore
const rank = (kind: string): number => order.indexOf(kind)
