/** Figurative language: weighs whether explicit words are hyperbole. In doubt they are not. */
import type { MatchMeaning } from '../../../shared/assessment.ts'
import type { CueName } from '../data/index.ts'
import type { Span } from '../text/index.ts'
import { scopeOf, type MessageContext } from './message-context.ts'

/** A message up to this many tokens is weighed as one; of a longer one, the sentence. */
const shortMessage = 45
/** Weight from which words are figurative. */
const figurativeWeight = 2

/** Cues that may run into the match itself (“makes me *want to …*”). */
const overlapping: ReadonlySet<CueName> = new Set(['reaction', 'causative'])

/** “trivial cause”, “hyperbole”, or null where the words are literal. */
export function figurativeMeaning(context: MessageContext, hit: Span): MatchMeaning | null {
  const { message, cues, humorEmoji } = context
  const { tokens } = message
  const scope = scopeOf(context, hit)
  const whole = tokens.length <= shortMessage
  const from = whole ? 0 : scope.from
  const to = whole ? tokens.length - 1 : scope.to
  const count = (cue: CueName): number =>
    new Set(
      cues
        .within(cue, from, to)
        .filter((span) => overlapping.has(cue) || span.to < hit.from || span.from > hit.to)
        .map((span) => span.from),
    ).size
  if (count('sincerity') > 0) return null
  const trivial = Math.min(2, count('trivial_cause'))
  const reaction = Math.min(1, count('reaction'))
  const conditional = Math.min(1, count('conditional'))
  const humor = humorEmoji || count('humor') > 0 ? 2 : 0
  // “kms” and the like are written in jest more often than the words spelled out.
  const slang = tokens[hit.from]!.start === tokens[hit.to]!.start && trivial > 0 ? 1 : 0
  const weight =
    slang +
    trivial +
    reaction +
    conditional +
    humor +
    Math.min(1, count('interjection')) +
    (count('causative') > 0 && hasImpersonalCause(context, { from, to }) ? 2 : 0)
  if (weight - 2 * Math.min(2, count('distress')) < figurativeWeight) return null
  if (trivial + reaction + humor + conditional === 0) return 'hyperbole'
  return trivial > 0 ? 'trivial cause' : 'hyperbole'
}

/** “this makes me want to …” is a reaction to a thing; “he makes me …” may be one to a person. */
export function hasImpersonalCause(
  { message: { tokens }, cues, grammar }: MessageContext,
  { from, to }: Span,
): boolean {
  return cues.within('causative', from, to).some(({ from: at }) => {
    for (let i = at - 1; i >= Math.max(from, at - 4); i -= 1)
      if (grammar.causers.has(tokens[i]!.forms[0]!)) return false
    return true
  })
}
