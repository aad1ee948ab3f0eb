/** Where the classifier may take plain words less literally than the context rules did, though never below `high`. */
import type { MatchMeaning } from '../../../shared/assessment.ts'
import { fullConfidence, hasFirstPerson, hasI, hasImpersonalCause, namesThirdPerson, subjectBefore, type InterpretedMatch, type MessageContext } from '../context/index.ts' // prettier-ignore
import type { CueName, IntentCalibration, IntentClass } from '../data/index.ts'
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
 * The match as the classifier takes it. A severe affirmed one becomes figurative, negated, quoted or another's where
 * that is far likelier than danger; it stays at least `high`. A severe one that the context rules took less literally
 * is affirmed after all where the classifier hears danger and nothing of what they took it for.
 */
export function reinterpret(match: InterpretedMatch, message: ClassifiedMessage): InterpretedMatch {
  const { context, passages, severe } = message
  // A window is only a part: what makes words less literal may stand elsewhere, and what does not too.
  const { length } = context.message.tokens
  const whole = passages.find(({ from, to }) => from === 0 && to === length - 1)
  if (!whole || length < leastTokens || fullConfidence(match.group) < severe) return match
  return match.meaning === 'affirmed'
    ? lessLiterally(match, whole.probabilities, message)
    : moreLiterally(match, whole.probabilities, context)
}

function lessLiterally(
  match: InterpretedMatch,
  probabilities: Probabilities,
  { context, calibration }: ClassifiedMessage,
): InterpretedMatch {
  const { danger, distress, abuse, threat } = probabilities
  const found = reinterpretations.find(({ intent, becomes, cues }) => {
    const over = Math.log(probabilities[intent] / (danger + distress + abuse + threat)) - calibration.reinterpretation[intent]
    return over >= 0 && isCredible(context, match, becomes, { needed: over >= needsNoCue ? null : cues, over })
  }) // prettier-ignore
  return found ? { ...match, meaning: found.becomes, heldAtHigh: true } : match
}

/** Log-odds beyond the threshold from which no cue is asked for. */
const needsNoCue = 0.5
/** And from which a denial is believed of whatever words. */
const nearlySure = 1
/** And from which another's danger is. */
const quiteSure = 2.5

type Probabilities = ClassifiedMessage['passages'][number]['probabilities']

/** What the context rules may have taken a match for, and the classes that would bear them out. */
const borneOutBy: Partial<Record<MatchMeaning, readonly IntentClass[]>> = {
  past: ['denial'],
  quoted: ['quotation', 'joking', 'third_party', 'denial'],
  'about someone else': ['third_party', 'quotation'],
  'trivial cause': ['joking', 'neutral'],
  hyperbole: ['joking', 'neutral'],
}
/** Danger and despair together from which a match is heard as meant, and how little must speak for the other reading. */
const heardAsMeant = 0.9
const notBorneOut = 0.04

/** Cues of other people's words: they stay others'. */
const othersWords: readonly CueName[] = ['reported_speech', 'directed_speech', 'quotation_source', 'recitation', 'game']

function moreLiterally(
  match: InterpretedMatch,
  probabilities: Probabilities,
  context: MessageContext,
): InterpretedMatch {
  const { cues, message } = context
  const classes = borneOutBy[match.meaning]
  if (!classes) return match
  const { danger, distress, joking } = probabilities
  const other = classes.reduce((sum, name) => sum + probabilities[name], 0)
  const isOwn = match.group.experiencer !== 'addressee' && match.group.experiencer !== 'self_by_adoption'
  const isOthers = namesThirdPerson(context, match) || othersWords.some((cue) => cues.within(cue, 0, message.tokens.length - 1).length > 0)
  if (isOwn && !isOthers && danger + distress >= heardAsMeant && danger > distress && other <= notBorneOut) return { ...match, meaning: 'affirmed' }
  // A joke around quoted words is no quotation: what is said in jest stays `high`.
  return match.meaning === 'quoted' && joking >= 0.5 ? { ...match, meaning: 'hyperbole' } : match
} // prettier-ignore

function isCredible(
  context: MessageContext,
  match: InterpretedMatch,
  becomes: MatchMeaning,
  { needed, over }: { needed: readonly CueName[] | null; over: number },
): boolean {
  const { cues, message: { tokens } } = context // prettier-ignore
  const all = { from: 0, to: tokens.length - 1 }
  const hasCue = (cue: CueName): boolean => cues.within(cue, all.from, all.to).length > 0
  if (needed && !needed.some(hasCue)) return false
  // “he makes me want to …” is said of a person, in jest or not.
  const blamesPerson = hasCue('causative') && !hasImpersonalCause(context, all)
  if (blamesPerson || hasCue('sincerity')) return false
  const subject = subjectBefore(context, match.from)
  if (becomes === 'negated' && over >= nearlySure) return true
  // “What do I say to a friend who is suicidal”: the student asks, and another is spoken of.
  const namesThemselves = match.group.experiencer === 'self'
  if (becomes === 'about someone else' && !namesThemselves && over >= quiteSure) return true
  // A sentence that says nothing else is no quotation or denial, whatever stands around it; a jest it may be.
  if (becomes !== 'hyperbole' && fillsSentence(context, match)) return false
  // What students say of themselves is theirs, whoever else the passage speaks of, or whatever book.
  if (becomes === 'about someone else') return subject === 'other' && !hasFirstPerson(context, match)
  if (becomes === 'quoted' && (subject === 'self' || hasI(context, match))) return false
  return match.group.explicit
}

/** Whether a match is about all that its sentence says. */
function fillsSentence({ message: { tokens, sentences } }: MessageContext, { from, to }: InterpretedMatch): boolean {
  const sentence = sentences[tokens[from]!.sentence]!
  return sentence.to - sentence.from - (to - from) <= 2
}
