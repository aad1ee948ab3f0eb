/**
 * What each match means (after ConText: triggers, scope, direction): negated, about someone else, past,
 * hypothetical, quoted, or said in jest. When two readings are possible the more dangerous one is taken.
 */
import type { MatchMeaning } from '../../shared/assessment.ts'
import type { Hit } from './automaton.ts'
import { scopeOf, type MessageContext, type Span } from './cues.ts'
import type { PatternGroup } from './detection.ts'
import { jestOf } from './jest.ts'
import { clauseStart, holdsI, holdsSelf, holdsThings, namesOther, subjectOf, thirdPersonBefore } from './subject.ts'

export interface RuledMatch {
  group: PatternGroup
  from: number
  to: number
  meaning: MatchMeaning
  /** Past and said to be over. */
  resolved: boolean
  /** The second reader's ruling: not below `high`. */
  doubtful?: boolean
}

/** Words to the left of a match in which a negation is sought. */
const negationReach = 7

/** Rules on one match; null when its words turn out to say nothing of the kind. */
export function ruleOn(context: MessageContext, group: PatternGroup, hit: Hit): RuledMatch | null {
  const who = experiencerOf(context, group, hit)
  if (who === 'skip') return null
  const { meaning, resolved } = meaningOf(context, group, hit, who)
  return { group, from: hit.from, to: hit.to, meaning, resolved }
}

interface Ruling {
  meaning: MatchMeaning
  resolved: boolean
}
const plain = (meaning: MatchMeaning): Ruling => ({ meaning, resolved: false })

/** `perhaps`: a bare mention beside a first person who is not its subject. */
type Who = 'self' | 'perhaps' | 'other' | 'nobody'

function meaningOf(context: MessageContext, group: PatternGroup, hit: Hit, who: Who): Ruling {
  if (who === 'nobody' || isQuoted(context, hit, who) || inSentence(context, 'game', hit)) return plain('quoted')
  const denial = denialOf(context, hit)
  if (denial === 'denied') return plain('negated')
  if (who === 'other') return plain('about someone else')
  const past = denial === 'taken back' ? null : timeOf(context, group, hit)
  if (past !== null) return { meaning: 'past', resolved: past === 'resolved' }
  const jest = group.explicit ? jestOf(context, hit) : null
  if (jest) return plain(jest)
  return plain(who === 'perhaps' || isHypothetical(context, hit) ? 'hypothetical' : 'affirmed')
}

function experiencerOf(context: MessageContext, group: PatternGroup, hit: Hit): Who | 'skip' {
  const { reading } = context
  const { words } = reading
  const sentence = scopeOf(context, hit)
  const subject = subjectOf(context, hit.from)
  switch (group.speaker) {
    case 'other':
      return subject === 'you' ? 'nobody' : 'other'
    case 'third':
      // “I have no plans to …” is not about anybody else.
      if (namesOther(words, hit)) return 'other'
      return subject === 'self' ? 'skip' : subject === 'you' ? 'nobody' : 'other'
    case 'address':
      return 'nobody'
    case 'other_to_self':
      return 'self'
    case 'taken_up':
      return isToldBefore(context, hit, sentence) && isTakenUp(context, hit) ? 'self' : 'skip'
    case 'self': {
      if (
        !holdsI(words, hit) &&
        subject === 'other' &&
        (thirdPersonBefore(words, hit.from, sentence.from) || !holdsSelf(words, hit))
      )
        return 'other'
      if (isToldTo(context, hit, sentence)) return isTakenUp(context, hit) ? 'self' : 'nobody'
      return isReportedQuote(context, hit, sentence) ? 'other' : 'self'
    }
    case 'subject':
      if (holdsI(words, hit)) return isReportedQuote(context, hit, sentence) ? 'other' : 'self'
      if (subject === 'other') return 'other'
      if (subject === 'you' && !holdsSelf(words, { from: hit.from, to: Math.min(hit.to + 1, words.length - 1) }))
        return 'nobody'
      return isToldOf(context, hit, sentence) ? 'other' : 'self'
    case 'first':
      if (holdsThings(words, hit)) return 'skip'
      return subject === 'self' ? 'self' : subject === 'none' && words.length <= 6 ? 'self' : 'skip'
    case 'topic':
      if (subject === 'self' || subject === 'other') return subject
      if (isToldOf(context, hit, sentence)) return 'other'
      if (holdsSelf(words, sentence)) return 'perhaps'
      // A bare word or two is an answer to “what is it?”, not a topic.
      return words.length <= 6 && !/^(a|an|the)$/.test(words[hit.from - 1]?.forms[0] ?? '') ? 'self' : 'nobody'
  }
}

/** “they told me to kill myself”: somebody else's words at the student, not the student's wish. */
function isToldTo(context: MessageContext, hit: Hit, sentence: Span): boolean {
  const { cues, reading: { words } } = context // prettier-ignore
  const told = cues.within('told_to', sentence.from, hit.from).some(({ to }) => to >= hit.from - 4)
  const voice = sentenceHas(words, sentence.from, hit.from, /^(voice|voices|head|brain|mind|thoughts|myself|it)$/)
  const should = words[hit.from - 2]?.forms[0] === 'that' && words[hit.from - 1]?.forms[0] === 'i'
  const reported =
    should && cues.within('reported', sentence.from, hit.from).some(({ from }) => subjectOf(context, from) === 'other')
  return (told || reported) && !voice
}

/** Whether another person's saying stands before a match: “he said kill yourself”. */
function isToldBefore(context: MessageContext, hit: Hit, sentence: Span): boolean {
  return (['told_to', 'reported', 'said'] as const).some(
    (cue) => context.cues.within(cue, sentence.from, hit.to).length > 0,
  )
}

/** Words after which an open “and I will …” still ends the saying. */
const closing = /^(so|bad|badly|too|now|tonight|tomorrow|soon|today|really|honestly|and|but|because|lol|anyway|it)$/

/** “…and I want to”, “…maybe they are right”: the student makes the words of others their own. */
function isTakenUp({ reading: { words }, bounds, cues }: MessageContext, hit: Hit): boolean {
  const next = bounds[words[hit.to]!.sentence + 1]
  const until = Math.min(next ? next.to : words.length - 1, hit.to + 14)
  if (cues.within('agreement', hit.to + 1, until).length > 0) return true
  return cues.within('taken_up', hit.to + 1, until).some(({ to }) => {
    const after = words[to + 1]
    return !after || after.sentence !== words[to]!.sentence || closing.test(after.forms[0]!)
  })
}

/** “she texted me goodbye forever”, “he said ‘I want to die’”. */
function isReportedQuote(context: MessageContext, hit: Hit, sentence: Span): boolean {
  const { words } = context.reading
  return words[hit.from]!.quoted && isToldOf(context, hit, sentence)
}

/** Whether another person is named as the one who said it, shortly before. */
function isToldOf(context: MessageContext, hit: Hit, sentence: Span): boolean {
  return context.cues
    .within('reported', sentence.from, hit.from - 1)
    .some(({ from, to }) => hit.from - to <= 3 && subjectOf(context, from) === 'other')
}

function sentenceHas(words: MessageContext['reading']['words'], from: number, to: number, pattern: RegExp): boolean {
  for (let i = from; i < to; i += 1) if (pattern.test(words[i]!.forms[0]!)) return true
  return false
}

/** A denial that reaches the match over light words only; `taken back` when what stands around it undoes it. */
function denialOf(context: MessageContext, hit: Hit): 'denied' | 'taken back' | null {
  const { reading: { words }, cues, light } = context // prettier-ignore
  const sentence = scopeOf(context, hit)
  const from = Math.max(clauseStart(words, hit.from, sentence.from), hit.from - negationReach)
  const negations = cues.within('negation', from, hit.from - 1)
  const nearest = negations.at(-1)
  if (!nearest) return null
  // A match with an “I” of its own is denied only through “not that I”, “not like I”.
  if (words[hit.from]!.forms[0] === 'i' && !/^(that|like|think|say|saying|mean)$/.test(words[hit.from - 1]!.forms[0]!))
    return null
  for (let i = nearest.to + 1; i < hit.from; i += 1) {
    const phrase = cues.within('light_phrase', i, hit.from - 1).find((span) => span.from === i)
    if (phrase) i = phrase.to
    else if (!light.has(words[i]!.forms[0]!)) return null
  }
  const asked = words[nearest.from - 1]?.forms[0] === 'why' || words[nearest.from - 2]?.forms[0] === 'why'
  // “I can't not think about it”, “not a day that I don't”: two denials are none.
  const twice =
    negations.some(({ to }) => to === nearest.from - 1) || cues.within('double', sentence.from, hit.from).length > 0
  const undone = cues.within('undenied', hit.to + 1, Math.min(sentence.to, hit.to + 7)).length > 0
  return asked || twice || undone ? 'taken back' : 'denied'
}

function timeOf(context: MessageContext, group: PatternGroup, hit: Hit): 'past' | 'resolved' | null {
  const { reading: { words }, bounds, cues } = context // prettier-ignore
  const sentence = scopeOf(context, hit)
  const next = bounds[words[hit.from]!.sentence + 1]
  const until = next ? Math.min(Math.max(next.to, sentence.to), hit.to + 100) : sentence.to
  const resolved = cues.within('resolved', sentence.from, until).length > 0
  const spokenOfPast = cues.within('past', sentence.from, sentence.to).length > 0
  const past =
    group.past || spokenOfPast || /^(wanted|tried|thought|felt|had|wished|hoped)$/.test(words[hit.from]!.forms[0]!)
  if (!past && !resolved) return null
  const present = cues.within('present', sentence.from, until).some((span) => span.to < hit.from || span.from > hit.to)
  if (present && !(resolved && spokenOfPast)) return null
  if (!past) return null
  return resolved ? 'resolved' : 'past'
}

function isQuoted(context: MessageContext, hit: Hit, who: Who): boolean {
  const { reading: { words }, cues } = context // prettier-ignore
  const sentence = scopeOf(context, hit)
  if (cues.within('recital', sentence.from, hit.from).some(({ to }) => hit.from - to <= 3)) return true
  const fiction = inSentence(context, 'quotation', hit)
  if (isTakenUp(context, hit) && !fiction) return false
  if (words[hit.from]!.quoted && (fiction || cues.within('reported', sentence.from, sentence.to).length > 0))
    return true
  // What the student says of themselves stays theirs, however sad the song is.
  return fiction && (who === 'other' || (subjectOf(context, hit.from) === 'none' && !holdsSelf(words, hit)))
}

function inSentence(context: MessageContext, cue: 'quotation' | 'game', hit: Hit): boolean {
  const { from, to } = scopeOf(context, hit)
  return context.cues.within(cue, from, to).some((span) => span.to < hit.from || span.from > hit.to)
}

function isHypothetical(context: MessageContext, hit: Hit): boolean {
  const { from } = scopeOf(context, hit)
  return context.cues.within('hypothetical', from, hit.from).length > 0
}
