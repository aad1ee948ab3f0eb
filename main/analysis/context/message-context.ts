/** A message with the cues found in it: short phrases that change what a match beside them means. */
import type { CueName, DetectionData } from '../data/index.ts'
import type { PhraseHit, PhraseMatcher } from '../phrases/index.ts'
import { firstSpanFrom, type Span, type TokenizedMessage } from '../text/index.ts'

export interface Cues {
  /** Hits of one cue that lie within tokens `from`..`to`, inclusive. */
  within(cue: CueName, from: number, to: number): PhraseHit[]
}

/** Everything the context rules look at. */
export interface MessageContext {
  message: TokenizedMessage
  cues: Cues
  humorEmoji: boolean
  grammar: DetectionData['bilingualGrammar']
  /** Words that the scope of a negation reaches over. */
  negationTransparent: ReadonlySet<string>
}

type WordClasses = Pick<DetectionData, 'grammar' | 'bilingualGrammar' | 'context' | 'bilingualTransparent'>

/** The closed word classes of the languages that a message holds. */
export function wordClassesOf(
  { grammar, bilingualGrammar, context, bilingualTransparent }: WordClasses,
  { bilingual }: TokenizedMessage,
): Pick<MessageContext, 'grammar' | 'negationTransparent'> {
  if (!bilingual) return { grammar, negationTransparent: context.negation_transparent }
  return { grammar: bilingualGrammar, negationTransparent: bilingualTransparent }
} // prettier-ignore

/** The cues of a message by name, in the order of their place. */
export function collectCues(matcher: PhraseMatcher, hits: readonly PhraseHit[]): Cues {
  const byName = new Map<CueName, PhraseHit[]>()
  for (const hit of hits) {
    const role = matcher.roleOf(hit)
    if (role.kind !== 'cue') continue
    const list = byName.get(role.cue)
    if (list) list.push(hit)
    else byName.set(role.cue, [hit])
  }
  return {
    within: (cue, from, to) => {
      const list = byName.get(cue) ?? []
      const found: PhraseHit[] = []
      for (let i = firstSpanFrom(list, from); i < list.length && list[i]!.from <= to; i += 1)
        if (list[i]!.to <= to) found.push(list[i]!)
      return found
    },
  }
}

/** Tokens to either side of a match in which the context rules look, however long the sentence. */
const scopeTokens = 60

/** The scope of the context rules: the part of a match's sentence that bears on it. */
export function scopeOf({ message: { tokens, sentences } }: MessageContext, { from, to }: Span): Span {
  const sentence = sentences[tokens[from]!.sentence]!
  return { from: Math.max(sentence.from, from - scopeTokens), to: Math.min(sentence.to, to + scopeTokens) }
}
