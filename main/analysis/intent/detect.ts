/** Dangers that the classifier finds in a message and no phrase has named. */
import type { MatchMeaning } from '../../../shared/assessment.ts'
import type { PatternCategory, RiskTier } from '../../../shared/risk.ts'
import type { InterpretedMatch, MessageContext } from '../context/index.ts'
import type { IntentCalibration, IntentClass, PatternGroup } from '../data/index.ts'
import { firstSpanFrom, type Span } from '../text/index.ts'
import type { ClassifiedPassage } from './classifier.ts'
import { lengthOf, shortPassage } from './passages.ts'
import { anythingGrave, dangerToLife, leastTokens } from './probability.ts'

/** A message as the classifier and the context rules see it. */
export interface ClassifiedMessage {
  context: MessageContext
  passages: readonly ClassifiedPassage[]
  calibration: IntentCalibration
  /** Words of death and its means. */
  lethalTerms: ReadonlySet<string>
  /** Full confidence from which a match is severe. */
  severe: number
  /** Idioms found, in order of their first token. */
  idioms: readonly Span[]
}

/** The matches of the classifier: the most probable passage of each kind. */
export function detectIntents(message: ClassifiedMessage, matches: readonly InterpretedMatch[]): InterpretedMatch[] {
  const best = new Map<string, { match: InterpretedMatch; probability: number }>()
  for (const passage of message.passages) {
    const found = detectInPassage(passage, matches, message)
    if (!found) continue
    const { intent, ...kind } = found
    const probability = passage.probabilities[intent]
    if ((best.get(kind.name)?.probability ?? -1) >= probability) continue
    best.set(kind.name, { match: matchOf(kind, passage.strongestSpan(intent)), probability })
  }
  return [...best.values()].map(({ match }) => match)
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
  joking: { name: 'worded as a joke about dying', category: 'suicidal_ideation', confidence: 0.95, tier: 'high', meaning: 'hyperbole' },
  third_party: { name: 'worded as worry about another', category: 'suicidal_ideation', confidence: 0.95, tier: 'high', meaning: 'about someone else' },
  threat: { name: 'worded as a threat', category: 'harm_to_others', confidence: 0.84, tier: 'high', meaning: 'affirmed' },
  abuse: { name: 'worded as abuse suffered', category: 'abuse_disclosure', confidence: 0.84, tier: 'high', meaning: 'affirmed' },
  distress: { name: 'worded as despair', category: 'hopelessness', confidence: 0.7, tier: 'caution', meaning: 'affirmed' },
} as const satisfies Record<string, Kind> // prettier-ignore

function detectInPassage(
  { from, to, probabilities }: ClassifiedPassage,
  matches: readonly InterpretedMatch[],
  { context, calibration, lethalTerms, idioms }: ClassifiedMessage,
): (Kind & { intent: IntentClass }) | null {
  const length = to - from + 1
  const inside = spansWithin(matches, { from, to })
  const hasOwnPhrase = inside.some(({ group, meaning }) => ownLife.has(group.category) && !discounting.has(meaning))
  // Where the context rules have discounted every phrase, or found an idiom only, they are not overruled in doubt,
  // and a denial in plain words never.
  const discounted =
    inside.every(({ meaning }) => discounting.has(meaning)) &&
    (inside.length > 0 || spansWithin(idioms, { from, to }).length > 0)
  const negated = discounted && inside.some(({ meaning }) => meaning === 'negated')
  if (!hasOwnPhrase && length < leastTokens) return null
  const hasLethalTerm = (): boolean => {
    for (let i = from; i <= to; i += 1) if (lethalTerms.has(context.message.tokens[i]!.forms[0]!)) return true
    return false
  }
  const { danger, distress, joking, neutral } = probabilities
  const thresholds = calibration[lengthOf(context.message.tokens.length)]
  const crisis = hasOwnPhrase
    ? thresholds.crisis_with_phrase
    : discounted || inside.some(({ group }) => explaining.has(group.category))
      ? calibration.discounted.crisis
      : thresholds.crisis
  // A few words that name neither death nor a means may mean anything: they are for a person to look at, no alarm.
  const vague = !hasOwnPhrase && length < shortPassage && !hasLethalTerm()
  const toLife = dangerToLife(probabilities)
  if (toLife >= crisis && !vague) return { ...(negated ? kinds.high : kinds.crisis), intent: 'danger' }
  for (const intent of ['third_party', 'threat', 'abuse'] as const)
    if (probabilities[intent] >= thresholds.other && probabilities[intent] > neutral) return { ...kinds[intent], intent }
  if (!discounted && !vague && toLife >= thresholds.high) return { ...kinds.high, intent: 'danger' }
  if (!discounted && joking >= thresholds.joking && hasLethalTerm()) return { ...kinds.joking, intent: 'joking' }
  if (!(anythingGrave(probabilities) >= (discounted ? calibration.discounted.caution : thresholds.caution))) return null
  return { ...kinds.distress, intent: danger > distress ? 'danger' : 'distress' }
} // prettier-ignore

/** Spans looked at in one passage, so that crafted text costs no more than other text of its length. */
const mostSpans = 200

/** The spans that lie within a passage; `spans` are in order of their first token. */
function spansWithin<T extends Span>(spans: readonly T[], { from, to }: Span): T[] {
  const within: T[] = []
  for (let i = firstSpanFrom(spans, from); i < spans.length && spans[i]!.from <= to && within.length < mostSpans; i += 1)
    if (spans[i]!.to <= to) within.push(spans[i]!)
  return within
} // prettier-ignore

/** Categories whose phrases speak of the student's own life. */
const ownLife: ReadonlySet<PatternCategory> = new Set([
  'suicidal_intent',
  'suicidal_ideation',
  'self_harm',
  'coded_language',
])

/** Categories that explain why words sound like a farewell or like despair: alarms of their own kind. */
const explaining: ReadonlySet<PatternCategory> = new Set([
  'running_away',
  'abuse_disclosure',
  'harm_to_others',
  'disordered_eating',
])

/** Meanings under which a phrase says nothing for a danger of the student's own. */
const discounting: ReadonlySet<MatchMeaning> = new Set([
  'past',
  'negated',
  'quoted',
  'about someone else',
  'hyperbole',
  'trivial cause',
])

function matchOf({ meaning, ...kind }: Kind, { from, to }: Span): InterpretedMatch {
  const group: PatternGroup = { ...kind, experiencer: 'self', explicit: false, past: false, phrases: [] }
  return { group, from, to, meaning, resolved: false }
}
