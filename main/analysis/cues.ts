/** The cues of a message: short phrases that bend what a match beside them means. */
import type { Hit } from './automaton.ts'
import type { Compiled } from './compile.ts'
import type { CueName } from './detection.ts'
import type { Reading } from './words.ts'

export interface Cues {
  /** Hits of one cue that lie within words `from`..`to`, inclusive. */
  within(cue: CueName, from: number, to: number): Hit[]
}

export interface Span {
  from: number
  to: number
}

/** A message with everything the context rules look at. */
export interface MessageContext {
  reading: Reading
  cues: Cues
  /** First and last word of every sentence. */
  bounds: readonly Span[]
  humourEmoji: boolean
  /** Words over which a negation reaches. */
  light: ReadonlySet<string>
}

/** The cues of a message by name, in the order of their place. */
export function gatherCues(compiled: Compiled, hits: readonly Hit[]): Cues {
  const byName = new Map<CueName, Hit[]>()
  for (const hit of hits) {
    const meant = compiled.meant(hit)
    if (meant.kind !== 'cue') continue
    const list = byName.get(meant.cue)
    if (list) list.push(hit)
    else byName.set(meant.cue, [hit])
  }
  return {
    within: (cue, from, to) => {
      const list = byName.get(cue) ?? []
      const found: Hit[] = []
      for (let i = firstFrom(list, from); i < list.length && list[i]!.from <= to; i += 1)
        if (list[i]!.to <= to) found.push(list[i]!)
      return found
    },
  }
}

/** Index of the first span at or after a word; spans are in order of their first word. */
export function firstFrom(spans: readonly Span[], word: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.from < word) low = middle + 1
    else high = middle
  }
  return low
}

/** First and last word (inclusive) of every sentence. */
export function sentenceBounds({ words, sentences }: Reading): Span[] {
  const bounds = Array.from({ length: sentences }, () => ({ from: 0, to: -1 }))
  words.forEach(({ sentence }, index) => {
    const bound = bounds[sentence]!
    if (bound.to < bound.from) bound.from = index
    bound.to = index
  })
  return bounds
}

/** Words to either side of a match in which the context rules look, however long the sentence. */
const scopeWords = 60

/** The part of a match's sentence that bears on it. */
export function scopeOf({ reading: { words }, bounds }: MessageContext, { from, to }: Span): Span {
  const sentence = bounds[words[from]!.sentence]!
  return { from: Math.max(sentence.from, from - scopeWords), to: Math.min(sentence.to, to + scopeWords) }
}
