/**
 * What each match means (after ConText: triggers, scope, direction): negated, about someone else, past,
 * hypothetical, quoted, or figurative. Where two readings are possible the more dangerous one is taken.
 */
import type { MatchMeaning } from '../../../shared/assessment.ts'
import { patternCategories } from '../../../shared/risk.ts'
import type { PatternGroup } from '../data/index.ts'
import type { Span } from '../text/index.ts'
import {
  clauseStart,
  hasFirstPerson,
  hasI,
  hasOtherThanFirstPerson,
  hasThirdPersonVerbBefore,
  namesThirdPerson,
  subjectBefore,
} from './clause.ts'
import { figurativeMeaning } from './figurative.ts'
import { scopeOf, type MessageContext } from './message-context.ts'

/** A match with its meaning. */
export interface InterpretedMatch extends Span {
  group: PatternGroup
  meaning: MatchMeaning
  /** Past and said to be over. */
  resolved: boolean
  /** Reinterpreted by the intent classifier: the tier does not fall below `high`. */
  heldAtHigh?: boolean
}

/** Confidence of a match that is affirmed, 0–1. */
export function fullConfidence(group: PatternGroup): number {
  return group.confidence ?? patternCategories[group.category]
}

/** Interprets one match; null where its words turn out to say nothing of the kind. */
export function interpret(context: MessageContext, group: PatternGroup, hit: Span): InterpretedMatch | null {
  const experiencer = experiencerOf(context, group, hit)
  if (experiencer === 'skip') return null
  const { meaning, resolved } = meaningOf(context, group, hit, experiencer)
  return { group, from: hit.from, to: hit.to, meaning, resolved }
}

interface Meaning {
  meaning: MatchMeaning
  resolved: boolean
}
const unresolved = (meaning: MatchMeaning): Meaning => ({ meaning, resolved: false })

/** `possibly self`: a bare mention beside a first person who is not its subject. */
type Experiencer = 'self' | 'possibly self' | 'other' | 'nobody'

function meaningOf(context: MessageContext, group: PatternGroup, hit: Span, experiencer: Experiencer): Meaning {
  if (experiencer === 'nobody' || isQuoted(context, hit, experiencer) || hasCueBeside(context, 'game', hit))
    return unresolved('quoted')
  const negation = negationOf(context, hit)
  if (negation === 'negated') return unresolved('negated')
  if (experiencer === 'other') return unresolved('about someone else')
  const temporality = negation === 'cancelled' ? null : temporalityOf(context, group, hit)
  if (temporality !== null) return { meaning: 'past', resolved: temporality === 'resolved' }
  const figurative = group.explicit ? figurativeMeaning(context, hit) : null
  if (figurative) return unresolved(figurative)
  return unresolved(experiencer === 'possibly self' || isHypothetical(context, hit) ? 'hypothetical' : 'affirmed')
}

/** Tokens of a message up to which a bare mention is an answer (“suicide.”), not a topic. */
const fewTokens = 6

function experiencerOf(context: MessageContext, group: PatternGroup, hit: Span): Experiencer | 'skip' {
  const { tokens } = context.message
  const scope = scopeOf(context, hit)
  const subject = subjectBefore(context, hit.from)
  switch (group.experiencer) {
    case 'other':
      return subject === 'you' ? 'nobody' : 'other'
    case 'third_person':
      // “I have no plans to …” is not about anybody else.
      if (namesThirdPerson(context, hit)) return 'other'
      return subject === 'self' ? 'skip' : subject === 'you' ? 'nobody' : 'other'
    case 'addressee':
      return 'nobody'
    case 'self_as_object':
      return 'self'
    case 'self_by_adoption':
      return hasSpeechBefore(context, hit, scope) && isAdopted(context, hit) ? 'self' : 'skip'
    case 'self': {
      if (
        !hasI(context, hit) &&
        subject === 'other' &&
        (hasThirdPersonVerbBefore(context, hit.from, scope.from) || !hasFirstPerson(context, hit))
      )
        return 'other'
      if (isDirectedAtStudent(context, hit, scope)) return isAdopted(context, hit) ? 'self' : 'nobody'
      return isReportedQuote(context, hit, scope) ? 'other' : 'self'
    }
    case 'subject':
      if (hasI(context, hit)) return isReportedQuote(context, hit, scope) ? 'other' : 'self'
      if (subject === 'other') return 'other'
      if (
        subject === 'you' &&
        !hasFirstPerson(context, { from: hit.from, to: Math.min(hit.to + 1, tokens.length - 1) })
      )
        // prettier-ignore
        return 'nobody'
      return isReported(context, hit, scope) ? 'other' : 'self'
    case 'first_person_subject':
      if (hasOtherThanFirstPerson(context, hit)) return 'skip'
      return subject === 'self' ? 'self' : subject === 'none' && tokens.length <= fewTokens ? 'self' : 'skip'
    case 'topic':
      if (subject === 'self' || subject === 'other') return subject
      if (isReported(context, hit, scope)) return 'other'
      if (hasFirstPerson(context, scope)) return 'possibly self'
      return tokens.length <= fewTokens && !context.grammar.articles.has(tokens[hit.from - 1]?.forms[0] ?? '')
        ? 'self'
        : 'nobody'
  }
}

/** “they told me to kill myself”: somebody else's words at the student, not the student's wish. */
function isDirectedAtStudent(context: MessageContext, hit: Span, scope: Span): boolean {
  const { cues, grammar, message: { tokens } } = context // prettier-ignore
  const told = cues.within('directed_speech', scope.from, hit.from).some(({ to }) => to >= hit.from - 4)
  // The student's own head is no other person.
  const ownVoice = hasTokenOf(tokens, scope.from, hit.from, grammar.own_voices)
  const thatI = tokens[hit.from - 2]?.forms[0] === 'that' && tokens[hit.from - 1]?.forms[0] === 'i'
  const reported =
    thatI &&
    cues.within('reported_speech', scope.from, hit.from).some(({ from }) => subjectBefore(context, from) === 'other')
  return (told || reported) && !ownVoice
}

/** Whether another person's speech stands before a match: “he said kill yourself”. */
function hasSpeechBefore(context: MessageContext, hit: Span, scope: Span): boolean {
  return (['directed_speech', 'reported_speech', 'speech_verb'] as const).some(
    (cue) => context.cues.within(cue, scope.from, hit.to).length > 0,
  )
}

/** Tokens to the right of a match in which its adoption is sought. */
const adoptionReach = 14

/** “…and I want to”, “…maybe they are right”: the student adopts the words of others. */
function isAdopted({ message: { tokens, sentences }, cues, grammar }: MessageContext, hit: Span): boolean {
  const next = sentences[tokens[hit.to]!.sentence + 1]
  const until = Math.min(next ? next.to : tokens.length - 1, hit.to + adoptionReach)
  if (cues.within('agreement', hit.to + 1, until).length > 0) return true
  return cues.within('adoption', hit.to + 1, until).some(({ to }) => {
    // An open “and I will …” counts only where nothing else follows it.
    const after = tokens[to + 1]
    return !after || after.sentence !== tokens[to]!.sentence || grammar.adoption_enders.has(after.forms[0]!)
  })
}

/** “she texted me goodbye forever”, “he said ‘I want to die’”. */
function isReportedQuote(context: MessageContext, hit: Span, scope: Span): boolean {
  return context.message.tokens[hit.from]!.quoted && isReported(context, hit, scope)
}

/** Whether another person is named as the one who said it, shortly before. */
function isReported(context: MessageContext, hit: Span, scope: Span): boolean {
  return context.cues
    .within('reported_speech', scope.from, hit.from - 1)
    .some(({ from, to }) => hit.from - to <= 3 && subjectBefore(context, from) === 'other')
}

function hasTokenOf(
  tokens: MessageContext['message']['tokens'],
  from: number,
  to: number,
  words: ReadonlySet<string>,
): boolean {
  for (let i = from; i < to; i += 1) if (words.has(tokens[i]!.forms[0]!)) return true
  return false
}

/** Tokens to the left of a match in which a negation is sought. */
const negationReach = 7

/** A negation whose scope reaches the match, over transparent words only; `cancelled` where its surroundings undo it. */
function negationOf(context: MessageContext, hit: Span): 'negated' | 'cancelled' | null {
  const { message: { tokens }, cues, grammar, negationTransparent } = context // prettier-ignore
  const scope = scopeOf(context, hit)
  const from = Math.max(clauseStart(context, hit.from, scope.from), hit.from - negationReach)
  const negations = cues.within('negation', from, hit.from - 1)
  const nearest = negations.at(-1)
  if (!nearest) return null
  // A match with an “I” of its own is negated only through “not that I”, “not like I”.
  if (tokens[hit.from]!.forms[0] === 'i' && !grammar.reporting_words.has(tokens[hit.from - 1]!.forms[0]!)) return null
  for (let i = nearest.to + 1; i < hit.from; i += 1) {
    const phrase = cues.within('transparent_phrase', i, hit.from - 1).find((span) => span.from === i)
    if (phrase) i = phrase.to
    else if (!negationTransparent.has(tokens[i]!.forms[0]!)) return null
  }
  const asked = [1, 2].some((back) => grammar.question_words.has(tokens[nearest.from - back]?.forms[0] ?? ''))
  // “I can't not think about it”, “not a day that I don't”: two negations are none.
  const doubled =
    negations.some(({ to }) => to === nearest.from - 1) ||
    cues.within('double_negation', scope.from, hit.from).length > 0
  const undone = cues.within('negation_cancelled', hit.to + 1, Math.min(scope.to, hit.to + 7)).length > 0
  return asked || doubled || undone ? 'cancelled' : 'negated'
}

function temporalityOf(context: MessageContext, group: PatternGroup, hit: Span): 'past' | 'resolved' | null {
  const { message: { tokens, sentences }, cues, grammar } = context // prettier-ignore
  const scope = scopeOf(context, hit)
  const next = sentences[tokens[hit.from]!.sentence + 1]
  const until = next ? Math.min(Math.max(next.to, scope.to), hit.to + 100) : scope.to
  const resolved = cues.within('resolved', scope.from, until).length > 0
  const pastCue = cues.within('past', scope.from, scope.to).length > 0
  const past = group.past || pastCue || grammar.past_verbs.has(tokens[hit.from]!.forms[0]!)
  if (!past && !resolved) return null
  const present = cues.within('present', scope.from, until).some((span) => span.to < hit.from || span.from > hit.to)
  if (present && !(resolved && pastCue)) return null
  if (!past) return null
  return resolved ? 'resolved' : 'past'
}

function isQuoted(context: MessageContext, hit: Span, experiencer: Experiencer): boolean {
  const { message: { tokens }, cues } = context // prettier-ignore
  const scope = scopeOf(context, hit)
  if (cues.within('recitation', scope.from, hit.from).some(({ to }) => hit.from - to <= 3)) return true
  const fiction = hasCueBeside(context, 'quotation_source', hit)
  if (isAdopted(context, hit) && !fiction) return false
  if (tokens[hit.from]!.quoted && (fiction || cues.within('reported_speech', scope.from, scope.to).length > 0))
    return true
  // What the student says of themselves stays theirs, however sad the song is.
  return (
    fiction &&
    (experiencer === 'other' || (subjectBefore(context, hit.from) === 'none' && !hasFirstPerson(context, hit)))
  )
}

function hasCueBeside(context: MessageContext, cue: 'quotation_source' | 'game', hit: Span): boolean {
  const { from, to } = scopeOf(context, hit)
  return context.cues.within(cue, from, to).some((span) => span.to < hit.from || span.from > hit.to)
}

function isHypothetical(context: MessageContext, hit: Span): boolean {
  const { from } = scopeOf(context, hit)
  return context.cues.within('hypothetical', from, hit.from).length > 0
}
