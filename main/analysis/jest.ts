/** Weighs whether plain words are a manner of speaking. In doubt they are not. */
import type { MatchMeaning } from '../../shared/assessment.ts'
import { scopeOf, type MessageContext, type Span } from './cues.ts'
import type { CueName } from './detection.ts'

/** A message up to this many words is weighed as one; of a longer one, the sentence. */
const shortMessage = 45
/** What must be reached to be a jest. */
const enough = 2

/** Cues that may run into the match itself (“makes me *want to …*”). */
const overlapping: ReadonlySet<CueName> = new Set(['reaction', 'makes_me'])

/** “trivial cause”, “hyperbole”, or null when the words must be taken at their word. */
export function jestOf(context: MessageContext, hit: Span): MatchMeaning | null {
  const { reading, cues, humourEmoji } = context
  const { words } = reading
  const scope = scopeOf(context, hit)
  const whole = words.length <= shortMessage
  const from = whole ? 0 : scope.from
  const to = whole ? words.length - 1 : scope.to
  const count = (cue: CueName): number =>
    new Set(
      cues
        .within(cue, from, to)
        .filter((span) => overlapping.has(cue) || span.to < hit.from || span.from > hit.to)
        .map((span) => span.from),
    ).size
  if (count('serious') > 0) return null
  const trivial = Math.min(2, count('trivial'))
  const reaction = Math.min(1, count('reaction'))
  const conditional = Math.min(1, count('conditional'))
  const humour = humourEmoji || count('humour') > 0 ? 2 : 0
  // “kms” and the like are written in jest more often than the words spelt out.
  const slang = words[hit.from]!.start === words[hit.to]!.start && trivial > 0 ? 1 : 0
  const weight =
    slang +
    trivial +
    reaction +
    conditional +
    humour +
    Math.min(1, count('opener')) +
    (count('makes_me') > 0 ? makesMe(context, from, to) : 0)
  if (weight - 2 * Math.min(2, count('distress')) < enough) return null
  if (trivial + reaction + humour + conditional === 0) return 'hyperbole'
  return trivial > 0 ? 'trivial cause' : 'hyperbole'
}

/** “this makes me want to …” is a reaction to a thing; “he makes me …” may be one to a person. */
export function makesMe({ reading: { words }, cues }: MessageContext, from: number, to: number): number {
  return cues.within('makes_me', from, to).some(({ from: at }) => {
    for (let i = at - 1; i >= Math.max(from, at - 4); i -= 1)
      if (/^(he|she|they|i|mom|dad|parents|life|everyone|people|him|her|school|it|friend|brother|sister|who)$/.test(words[i]!.forms[0]!)) return false // prettier-ignore
    return true
  })
    ? 2
    : 0
}
