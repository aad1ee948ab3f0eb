/**
 * What the second reader makes of a message: it may take plain words less literally, though never below `high`,
 * and it may hear a danger that no phrase has named.
 */
import type { MatchMeaning } from '../../shared/assessment.ts'
import { patternCategories, type PatternCategory, type RiskTier } from '../../shared/risk.ts'
import { firstFrom, type MessageContext, type Span } from './cues.ts'
import type { CueName, PatternGroup } from './detection.ts'
import { makesMe } from './jest.ts'
import { fewWords, type MannerModel, type Manner, type Passage } from './manner.ts'
import type { RuledMatch } from './meaning.ts'
import { holdsI, holdsSelf, subjectOf } from './subject.ts'

/** A ruling of the second reader, and the cues (any of them) without which it is not believed; null = none needed. */
const milder: readonly {
  manner: keyof MannerModel['thresholds']['milder']
  becomes: MatchMeaning
  cues: readonly CueName[] | null
}[] = [
  { manner: 'jest', becomes: 'hyperbole', cues: null },
  { manner: 'denied', becomes: 'negated', cues: ['negation', 'past', 'resolved', 'told_to', 'reported'] },
  { manner: 'quoted', becomes: 'quoted', cues: ['quotation', 'recital', 'game', 'reported'] },
  { manner: 'other', becomes: 'about someone else', cues: null },
]

/** Confidence from which a match would be a crisis by itself. */
const grave = 0.94
/** Fewer words are no passage: “kms” may mean anything, so it is taken as meant. */
const leastWords = 5
const leastHeard = 3

/** A message as both readers see it. */
export interface SecondReading {
  context: MessageContext
  passages: readonly Passage[]
  thresholds: MannerModel['thresholds']
  /** Words without one of which nothing is a deadly jest. */
  deadly: ReadonlySet<string>
  /** Idioms found, each from its first to its last word. */
  idioms: readonly Span[]
}

/**
 * The match as the second reader takes it: a grave affirmed one is read as a manner of speaking, a denial, a quotation
 * or another's where that is far likelier than danger. It stays at least `high`.
 */
export function reread(match: RuledMatch, { context, passages, thresholds }: SecondReading): RuledMatch {
  const { group, meaning } = match
  // Of a long message each passage is only a part: what makes words milder may stand elsewhere, and what does not too.
  const whole = passages.length === 1 ? passages[0]! : null
  if (!whole || whole.to - whole.from + 1 < leastWords) return match
  if (meaning !== 'affirmed' || confidenceIn(group) < grave) return match
  const { danger, concern, abuse, threat } = whole.manners
  const ruling = milder.find(
    ({ manner, becomes, cues }) =>
      Math.log(whole.manners[manner] / (danger + concern + abuse + threat)) >= thresholds.milder[manner] &&
      isCredible(context, match, becomes, cues),
  )
  return ruling ? { ...match, meaning: ruling.becomes, doubtful: true } : match
}

const confidenceIn = (group: PatternGroup): number => group.confidence ?? patternCategories[group.category]

function isCredible(
  context: MessageContext,
  match: RuledMatch,
  becomes: MatchMeaning,
  cues: readonly CueName[] | null,
): boolean {
  const { cues: found, reading: { words } } = context // prettier-ignore
  const holds = (cue: CueName): boolean => found.within(cue, 0, words.length - 1).length > 0
  if (cues && !cues.some(holds)) return false
  // A sentence that says nothing else is no quotation or denial, whatever stands around it; a jest it may be.
  if (becomes !== 'hyperbole' && standsAlone(context, match)) return false
  // What students say of themselves is theirs, whoever else the passage speaks of, or whatever book.
  const own = subjectOf(context, match.from) === 'self' || holdsI(words, match)
  if (becomes === 'about someone else') return subjectOf(context, match.from) === 'other' && !holdsSelf(words, match)
  if (becomes === 'quoted' && own) return false
  // “he makes me want to …” is said of a person, in jest or not.
  const blames = holds('makes_me') && makesMe(context, 0, words.length - 1) === 0
  return match.group.explicit && !blames && !holds('serious')
}

/** Whether a match is about all that its sentence says. */
function standsAlone({ reading: { words }, bounds }: MessageContext, { from, to }: Span): boolean {
  const sentence = bounds[words[from]!.sentence]!
  return sentence.to - sentence.from - (to - from) <= 2
}

/** What was heard beyond the phrases: the gravest passage of each kind. */
export function hear(reading: SecondReading, ruled: readonly RuledMatch[]): RuledMatch[] {
  const heard = new Map<string, { match: RuledMatch; sureness: number }>()
  for (const passage of reading.passages) {
    const found = hearOne(passage, ruled, reading)
    if (!found) continue
    const { manner, ...kind } = found
    const sureness = passage.manners[manner]
    if ((heard.get(kind.name)?.sureness ?? -1) >= sureness) continue
    heard.set(kind.name, { match: matchOf(kind, passage.telling(manner)), sureness })
  }
  return [...heard.values()].map(({ match }) => match)
}

interface Kind {
  name: string
  category: PatternCategory
  confidence: number
  tier: RiskTier
  meaning: MatchMeaning
}

const kinds = {
  crisis: { name: 'worded as danger', category: 'suicidal_ideation', confidence: 0.95, tier: 'crisis', meaning: 'affirmed' },
  high: { name: 'worded like danger', category: 'suicidal_ideation', confidence: 0.84, tier: 'high', meaning: 'affirmed' },
  jest: { name: 'worded as a deadly jest', category: 'suicidal_ideation', confidence: 0.95, tier: 'high', meaning: 'hyperbole' },
  other: { name: 'worded as worry about another', category: 'suicidal_ideation', confidence: 0.95, tier: 'high', meaning: 'about someone else' },
  threat: { name: 'worded as a threat', category: 'harm_to_others', confidence: 0.84, tier: 'high', meaning: 'affirmed' },
  abuse: { name: 'worded as abuse suffered', category: 'abuse_disclosure', confidence: 0.84, tier: 'high', meaning: 'affirmed' },
  concern: { name: 'worded as despair', category: 'hopelessness', confidence: 0.7, tier: 'caution', meaning: 'affirmed' },
} as const satisfies Record<string, Kind> // prettier-ignore

function hearOne(
  { from, to, manners }: Passage,
  ruled: readonly RuledMatch[],
  { context, thresholds, deadly, idioms }: SecondReading,
): (Kind & { manner: Manner }) | null {
  const rulings = spansWithin(ruled, { from, to })
  const named = rulings.some(({ group, meaning }) => ownLife.has(group.category) && !taken.has(meaning))
  // Where the rules have taken every grave word away, or found an idiom only, they are not overruled in doubt,
  // and a denial in plain words never.
  const takenAway =
    rulings.every(({ meaning }) => taken.has(meaning)) &&
    (rulings.length > 0 || spansWithin(idioms, { from, to }).length > 0)
  const denied = takenAway && rulings.some(({ meaning }) => meaning === 'negated')
  // A word or two (“goodbye”) is heard only where the rules hear it too.
  if (!named && to - from + 1 < leastHeard) return null
  const holdsDeadly = (): boolean => {
    for (let i = from; i <= to; i += 1) if (deadly.has(context.reading.words[i]!.forms[0]!)) return true
    return false
  }
  const band = to - from + 1 < fewWords ? thresholds.few : thresholds.more
  const enough = named ? band.crisis_named : takenAway ? thresholds.taken.crisis : band.crisis
  // A few words that name neither death nor a means may mean anything: they are for a person to look at, no alarm.
  const vague = !named && band === thresholds.few && !holdsDeadly()
  if (manners.danger >= enough && !vague) return { ...(denied ? kinds.high : kinds.crisis), manner: 'danger' }
  for (const manner of ['other', 'threat', 'abuse'] as const)
    if (manners[manner] >= band.other && manners[manner] > manners.plain) return { ...kinds[manner], manner }
  if (!takenAway && !vague && manners.danger >= band.high) return { ...kinds.high, manner: 'danger' }
  if (!takenAway && manners.jest >= band.jest && holdsDeadly()) return { ...kinds.jest, manner: 'jest' }
  const any = manners.danger + manners.concern + manners.other + manners.threat + manners.abuse
  if (!(any >= (takenAway ? thresholds.taken.caution : band.caution))) return null
  return { ...kinds.concern, manner: manners.danger > manners.concern ? 'danger' : 'concern' }
}

/** Spans looked at in one passage, so that crafted text costs no more than other text of its length. */
const mostSpans = 200

/** The spans that lie within a passage; `spans` are in order of their first word. */
function spansWithin<T extends Span>(spans: readonly T[], { from, to }: Span): T[] {
  const within: T[] = []
  for (let i = firstFrom(spans, from); i < spans.length && spans[i]!.from <= to && within.length < mostSpans; i += 1)
    if (spans[i]!.to <= to) within.push(spans[i]!)
  return within
}

/** Categories whose phrases speak of the student's own life. */
const ownLife: ReadonlySet<PatternCategory> = new Set([
  'suicidal_intent',
  'suicidal_ideation',
  'self_harm',
  'coded_language',
])

/** Meanings under which a phrase says nothing for a danger of the student's own. */
const taken: ReadonlySet<MatchMeaning> = new Set([
  'past',
  'negated',
  'quoted',
  'about someone else',
  'hyperbole',
  'trivial cause',
])

function matchOf({ meaning, ...kind }: Kind, { from, to }: Span): RuledMatch {
  const group: PatternGroup = { ...kind, speaker: 'self', explicit: false, past: false, phrases: [] }
  return { group, from, to, meaning, resolved: false, doubtful: false }
}
