/**
 * What each match means (after ConText: triggers, scope, direction): negated, about someone else, past,
 * hypothetical, quoted, or said in jest. When two readings are possible the more dangerous one is taken.
 */
import type { MatchMeaning } from '../../shared/assessment.ts'
import type { Compiled } from './compile.ts'
import type { CueName, PatternGroup } from './detection.ts'
import type { Hit } from './automaton.ts'
import type { Reading, Word } from './words.ts'

/** Words to the left of a match in which a negation reaches it. */
const negationReach = 5
/** Words to the left of a match in which its subject is sought. */
const subjectReach = 14

export interface RuledMatch {
  group: PatternGroup
  from: number
  to: number
  meaning: MatchMeaning
  /** Past and said to be over. */
  resolved: boolean
}

export interface Cues {
  /** Hits of one cue within words `from`..`to`, inclusive. */
  within(cue: CueName, from: number, to: number): Hit[]
  any(cue: CueName): boolean
}

/** The cues of a message, by name, in the order of their place. */
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
    any: (cue) => byName.has(cue),
  }
}

/** Index of the first hit at or after a word; hits are in order of their first word. */
function firstFrom(hits: readonly Hit[], word: number): number {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (hits[middle]!.from < word) low = middle + 1
    else high = middle
  }
  return low
}

export interface MessageContext {
  reading: Reading
  cues: Cues
  /** First and last word of every sentence. */
  bounds: readonly { from: number; to: number }[]
  humourEmoji: boolean
}

/** First and last word (inclusive) of every sentence. */
export function sentenceBounds({ words, sentences }: Reading): { from: number; to: number }[] {
  const bounds = Array.from({ length: sentences }, () => ({ from: 0, to: -1 }))
  words.forEach(({ sentence }, index) => {
    const bound = bounds[sentence]!
    if (bound.to < bound.from) bound.from = index
    bound.to = index
  })
  return bounds
}

/** Rules on one match. */
export function ruleOn(context: MessageContext, group: PatternGroup, hit: Hit): RuledMatch {
  const ruled = (meaning: MatchMeaning, resolved = false): RuledMatch => ({
    group,
    from: hit.from,
    to: hit.to,
    meaning,
    resolved,
  })
  const experiencer = whoOf(context, group, hit)
  if (experiencer === 'other') return ruled('about someone else')
  if (experiencer === 'nobody') return ruled('quoted')
  if (isNegated(context, hit)) return ruled('negated')
  const past = timeOf(context, group, hit)
  if (past !== null) return ruled('past', past === 'resolved')
  if (isQuoted(context, hit)) return ruled('quoted')
  if (group.explicit && isJest(context, hit)) return ruled(jestKind(context, hit))
  if (isHypothetical(context, hit)) return ruled('hypothetical')
  return ruled('affirmed')
}

const others = new Set(['he', 'she', 'they', 'her', 'him', 'his', 'their', 'them', 'someone', 'somebody', 'friend', 'sister', 'brother', 'mom', 'mother', 'dad', 'father', 'cousin', 'boyfriend', 'girlfriend', 'roommate', 'classmate', 'teammate', 'aunt', 'uncle', 'grandma', 'grandpa', 'girl', 'boy', 'guy', 'kid', 'person', 'student', 'people', 'ex', 'partner', 'woman', 'man', 'teen', 'neighbor', 'teacher', 'daughter', 'son', 'wife', 'husband', 'friends', 'characters', 'character', 'who']) // prettier-ignore

/** The nearest subject to the left of a word in its sentence: the student, another, the reader, or none. */
function subjectOf({ reading: { words }, bounds }: MessageContext, at: number): 'self' | 'other' | 'you' | 'none' {
  const first = Math.max(bounds[words[at]!.sentence]!.from, at - subjectReach)
  for (let i = at - 1; i >= first; i -= 1) {
    const form = words[i]!.forms[0]!
    if (form === 'i' || form === 'me' || form === 'myself') return 'self'
    if (others.has(form)) return 'other'
    if (form === 'you') return 'you'
  }
  return 'none'
}

function whoOf(context: MessageContext, group: PatternGroup, hit: Hit): 'self' | 'other' | 'nobody' {
  const { reading, cues, bounds } = context
  const word = reading.words[hit.from]!
  const sentence = bounds[word.sentence]!
  const before = subjectOf(context, hit.from)
  const holdsSelf = hasWord(reading.words, hit, selfWords)
  switch (group.speaker) {
    case 'other':
      return before === 'you' ? 'nobody' : 'other'
    case 'address':
      return 'nobody'
    case 'self':
    case 'other_to_self': {
      if (cues.within('told_to', sentence.from, hit.from).some(({ from }) => subjectOf(context, from) !== 'self')) return 'nobody' // prettier-ignore
      const reported = cues.within('reported', sentence.from, hit.from - 1)
      const reporter = reported.some(({ from }) => subjectOf(context, from + 1) === 'other')
      return word.quoted && reporter && group.speaker === 'self' ? 'other' : 'self'
    }
    case 'subject':
      if (hasWord(reading.words, hit, new Set(['i']))) return 'self'
      if (before === 'other') return 'other'
      if (before === 'you' && !holdsSelf && !wordAfterSelf(reading.words, hit)) return 'nobody'
      return 'self'
    case 'topic':
      if (before === 'self') return 'self'
      if (before === 'other') return 'other'
      if (cues.within('first_person', sentence.from, sentence.to).length > 0) return 'self'
      // A bare word or two is an answer to “what is it?”, not a topic.
      return reading.words.length <= 4 ? 'self' : 'nobody'
  }
}

const selfWords = new Set(['i', 'me', 'my', 'myself', 'mine'])

function hasWord(words: readonly Word[], { from, to }: Hit, wanted: ReadonlySet<string>): boolean {
  for (let i = from; i <= to; i += 1) if (words[i]!.forms.some((form) => wanted.has(form))) return true
  return false
}

function wordAfterSelf(words: readonly Word[], { to }: Hit): boolean {
  const next = words[to + 1]
  return next !== undefined && selfWords.has(next.forms[0]!)
}

function isNegated({ reading: { words }, bounds, cues }: MessageContext, hit: Hit): boolean {
  const sentence = bounds[words[hit.from]!.sentence]!
  const from = Math.max(clauseStart(words, hit.from, sentence.from), hit.from - negationReach)
  const misleading = cues.within('misleading_negation', from, hit.to)
  return cues
    .within('negation', from, hit.from - 1)
    .some(
      (negation) => !misleading.some(({ from: first, to: last }) => first <= negation.from && negation.from <= last),
    )
}

/** Where the clause of a word begins: after a comma, “but”, “because” and the like. */
function clauseStart(words: readonly Word[], at: number, first: number): number {
  for (let i = at; i > first; i -= 1) {
    if (words[i]!.afterBreak) return i
    if (/^(but|because|although|though|then|yet|however|except|since|while)$/.test(words[i - 1]!.forms[0]!)) return i
  }
  return first
}

function timeOf(
  { reading: { words }, bounds, cues }: MessageContext,
  group: PatternGroup,
  hit: Hit,
): 'past' | 'resolved' | null {
  const { from, to } = bounds[words[hit.from]!.sentence]!
  const next = bounds[words[hit.from]!.sentence + 1]
  const resolved = cues.within('resolved', from, next ? Math.max(next.to, to) : to).length > 0
  const past =
    group.past ||
    cues.within('past', from, to).length > 0 ||
    /^(wanted|tried|thought|was|felt|had)$/.test(words[hit.from]!.forms[0]!)
  if (!past) return null
  return resolved ? 'resolved' : 'past'
}

function isQuoted({ reading: { words }, bounds, cues }: MessageContext, hit: Hit): boolean {
  const { from, to } = bounds[words[hit.from]!.sentence]!
  return cues.within('quotation', from, to).some((cue) => cue.to < hit.from || cue.from > hit.to)
}

function isHypothetical({ reading: { words }, bounds, cues }: MessageContext, hit: Hit): boolean {
  const { from } = bounds[words[hit.from]!.sentence]!
  return cues.within('hypothetical', from, hit.from).length > 0
}

/** Plain words with a trivial cause or a joking frame, and nothing that speaks for being meant. */
function isJest({ reading: { words }, cues, humourEmoji }: MessageContext, hit: Hit): boolean {
  const last = words.length - 1
  const sincere = cues.within('sincere', 0, last).some((cue) => cue.to < hit.from || cue.from > hit.to)
  if (sincere) return false
  return (
    humourEmoji ||
    [...cues.within('trivial', 0, last), ...cues.within('humour', 0, last)].some(
      (cue) => cue.to < hit.from || cue.from > hit.to,
    )
  )
}

function jestKind({ reading: { words }, cues }: MessageContext, hit: Hit): MatchMeaning {
  const trivial = cues.within('trivial', 0, words.length - 1).some((cue) => cue.to < hit.from || cue.from > hit.to)
  return trivial ? 'trivial cause' : 'hyperbole'
}
