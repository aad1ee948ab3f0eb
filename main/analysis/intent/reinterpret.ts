/** Where the classifier may take plain words less literally than the context rules did, though never below `high`. */
import type { MatchMeaning } from '../../../shared/assessment.ts'
import { fullConfidence, hasFirstPerson, hasI, hasImpersonalCause, subjectBefore, type InterpretedMatch, type MessageContext } from '../context/index.ts' // prettier-ignore
import type { CueName, IntentCalibration } from '../data/index.ts'
import type { ClassifiedMessage } from './detect.ts'

/** A class that makes a match less literal, and the cues (any of them) without which it is not believed; null = none needed. */
const reinterpretations: readonly {
  intent: keyof IntentCalibration['reinterpretation']
  becomes: MatchMeaning
  cues: readonly CueName[] | null
}[] = [
  { intent: 'joking', becomes: 'hyperbole', cues: null },
  {
    intent: 'denial',
    becomes: 'negated',
    cues: ['negation', 'past', 'resolved', 'directed_speech', 'reported_speech'],
  },
  { intent: 'quotation', becomes: 'quoted', cues: ['quotation_source', 'recitation', 'game', 'reported_speech'] },
  { intent: 'third_party', becomes: 'about someone else', cues: null },
]

/** Fewer tokens are no passage: “kms” may mean anything, so it is taken as meant. */
const leastTokens = 5

/**
 * The match as the classifier takes it: a severe affirmed one becomes figurative, negated, quoted or another's where
 * that is far likelier than danger. It stays at least `high`.
 */
export function reinterpret(
  match: InterpretedMatch,
  { context, passages, calibration, severe }: ClassifiedMessage,
): InterpretedMatch {
  const { group, meaning } = match
  // A window is only a part: what makes words less literal may stand elsewhere, and what does not too.
  const { length } = context.message.tokens
  const whole = passages.find(({ from, to }) => from === 0 && to === length - 1)
  if (!whole || length < leastTokens) return match
  if (meaning !== 'affirmed' || fullConfidence(group) < severe) return match
  const { danger, distress, abuse, threat } = whole.probabilities
  const found = reinterpretations.find(
    ({ intent, becomes, cues }) =>
      Math.log(whole.probabilities[intent] / (danger + distress + abuse + threat)) >= calibration.reinterpretation[intent] &&
      isCredible(context, match, becomes, cues),
  ) // prettier-ignore
  return found ? { ...match, meaning: found.becomes, heldAtHigh: true } : match
}

function isCredible(
  context: MessageContext,
  match: InterpretedMatch,
  becomes: MatchMeaning,
  needed: readonly CueName[] | null,
): boolean {
  const { cues, message: { tokens } } = context // prettier-ignore
  const all = { from: 0, to: tokens.length - 1 }
  const hasCue = (cue: CueName): boolean => cues.within(cue, all.from, all.to).length > 0
  if (needed && !needed.some(hasCue)) return false
  // A sentence that says nothing else is no quotation or denial, whatever stands around it; a jest it may be.
  if (becomes !== 'hyperbole' && fillsSentence(context, match)) return false
  const subject = subjectBefore(context, match.from)
  // What students say of themselves is theirs, whoever else the passage speaks of, or whatever book.
  if (becomes === 'about someone else') return subject === 'other' && !hasFirstPerson(context, match)
  if (becomes === 'quoted' && (subject === 'self' || hasI(context, match))) return false
  // “he makes me want to …” is said of a person, in jest or not.
  const blamesPerson = hasCue('causative') && !hasImpersonalCause(context, all)
  return match.group.explicit && !blamesPerson && !hasCue('sincerity')
}

/** Whether a match is about all that its sentence says. */
function fillsSentence({ message: { tokens, sentences } }: MessageContext, { from, to }: InterpretedMatch): boolean {
  const sentence = sentences[tokens[from]!.sentence]!
  return sentence.to - sentence.from - (to - from) <= 2
}
