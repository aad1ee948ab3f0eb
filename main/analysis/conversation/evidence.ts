/** What an answer means by what was asked, and a fragment by what was spoken of before it. */
import { patternCategories, tierRank, type PatternCategory, type RiskTier } from '../../../shared/risk.ts'
import type { MatchMeaning } from '../../../shared/assessment.ts'
import type { InterpretedMatch } from '../context/index.ts'
import type { Answer } from './answer.ts'
import type { Danger, Question } from './question.ts'

/** A danger that the conversation gives to the words of a message. */
export interface Evidence {
  name: string
  category: PatternCategory
  confidence: number
  /** Tier it asks for at least. */
  tier: RiskTier
  meaning: MatchMeaning
}

const categoryOf: Record<Danger, PatternCategory> = {
  suicide: 'suicidal_ideation',
  self_harm: 'self_harm',
  harm_to_others: 'harm_to_others',
  abuse: 'abuse_disclosure',
}

const asked: Record<Danger, string> = {
  suicide: 'suicide',
  self_harm: 'self-harm',
  harm_to_others: 'harm to others',
  abuse: 'abuse',
}

/** Confidence of an affirmed answer about suicide: above what makes a crisis by itself. */
const affirmedSuicide = 0.97
/** Confidences of what is at most high, and at most caution. */
const atMostHigh = 0.84
const atMostCaution = 0.7

const affirming: ReadonlySet<Answer> = new Set(['yes', 'when', 'where', 'means', 'number', 'forever', 'both'])

/** What an answer to a direct question says of a danger; null where it says of none. */
export function answerEvidence(question: Question, answer: Answer): Evidence | null {
  const danger = question.dangers[0] ?? (question.asksSafety ? 'suicide' : undefined)
  if (danger === undefined || question.offers || answer === 'correction') return null
  // Asked when, where or how, a student names something that no list foresees; asked whether, something else was meant.
  if (answer === 'matter')
    return question.asksPlan && danger === 'suicide' ? evidence(danger, 'an unread answer', 'caution') : null
  if (answer === 'silence') return evidence(danger, 'no answer', 'caution')
  if (answer === 'statement' || answer === 'relief') return evidence(danger, 'an unread answer', 'caution')
  if (question.reversed) return answer === 'yes' ? null : evidence(danger, 'an answer', 'high')
  if (answer === 'no') return null
  const { alternatives } = question
  const choice = choiceOf(question, answer)
  const chooses = alternatives.length > 1 && !alternatives.every(Boolean)
  if (choice === false) return null
  if (question.aboutOther && !affirming.has(answer)) return null
  if (question.aboutOther)
    return { ...evidence(danger, 'an answer', 'high'), confidence: affirmedSuicide, meaning: 'about someone else' }
  // “Yeah” to one thing or the other may mean either.
  const affirmed = choice === true || (affirming.has(answer) && !(chooses && answer === 'yes' && !question.asksPlan))
  if (affirmed && danger === 'suicide') return affirmedEvidence(question.asksPlan)
  if (affirmed && danger === 'self_harm' && question.asksPlan) return affirmedEvidence(true)
  return evidence(danger, 'an answer', 'high')
}

/** Whether the alternative that an answer chooses names a danger; undefined where it chooses none. */
function choiceOf({ alternatives }: Question, answer: Answer): boolean | undefined {
  return answer === 'first' ? alternatives[0] : answer === 'second' ? alternatives[1] : undefined
}

/** Whether an answer chooses what is no danger: “the second one”, of ending a life or a friendship. */
export function choosesHarmless(question: Question, answer: Answer): boolean {
  return choiceOf(question, answer) === false
}

function affirmedEvidence(plan: boolean): Evidence {
  const category = plan ? 'suicidal_intent' : 'suicidal_ideation'
  const name = plan ? 'an answer to a direct question about a plan' : 'an answer to a direct question about suicide'
  return { name, category, confidence: affirmedSuicide, tier: 'crisis', meaning: 'affirmed' }
}

function evidence(danger: Danger, what: string, tier: 'caution' | 'high'): Evidence {
  const category = categoryOf[danger]
  const confidence = tier === 'high' ? Math.min(patternCategories[category], atMostHigh) : atMostCaution
  return {
    name: `${what} to a direct question about ${asked[danger]}`,
    category,
    confidence,
    tier,
    meaning: 'affirmed',
  }
}

/** Whether an answer says yes to a question in whatever words, where none of them is a danger by the phrases. */
export function agrees({ dangers, reversed, asksSafety, offers, aboutOther, alternatives }: Question, answer: Answer): boolean {
  const isOpen = dangers.length === 0 && !reversed && !asksSafety && !offers && !aboutOther && alternatives.length < 2
  return isOpen && affirming.has(answer)
} // prettier-ignore

/** What agreeing says to a question whose own words would be grave in the student's mouth. */
export const agreement: Evidence = {
  name: 'an answer to a question about a danger',
  category: 'suicidal_ideation',
  confidence: atMostHigh,
  tier: 'high',
  meaning: 'affirmed',
}

/** Name of what the surroundings alone give. */
export const readWithContext = 'read with what was said before it'

/** What was spoken of before a fragment. */
export interface Surroundings {
  /** Tier of the student's message before it, in its own conversation. */
  before: RiskTier
  /** Tier of that message and the fragment, read as one and alone. */
  joined: RiskTier
  /** One of the turns before holds words that are worth a look. */
  hinted: boolean
  question: Question | null
}

/**
 * What a fragment says by its surroundings alone; null where they are harmless or the fragment turns away from them.
 * What it takes over from the message before it is no more than caution: where an alert is open already, “in the library”
 * must not ring again, and no chain of fragments goes on.
 */
export function fragmentEvidence({ before, joined, hinted, question }: Surroundings, answer: Answer): Evidence | null {
  const asksPlan = question?.asksPlan === true
  // Asked when or how, a student who is known to be in danger names something that no list foresees.
  if (answer === 'matter') return asksPlan && tierRank(before) >= tierRank('high') ? fragment('high') : null
  const refuses = answer === 'no' && question?.reversed !== true
  if (answer === 'correction' || answer === 'silence' || refuses) return null
  if (before === 'crisis' && affirming.has(answer) && asksPlan) return affirmedEvidence(true)
  const isThemselves = question?.aboutSelf === true && affirming.has(answer)
  if (isThemselves && tierRank(before) >= tierRank('high')) return affirmedEvidence(false)
  const isGrave = tierRank(before) >= tierRank('high') || tierRank(joined) >= tierRank('high')
  return isGrave || (hinted && answer !== 'unsure') ? fragment('caution') : null
}

function fragment(tier: 'caution' | 'high'): Evidence {
  const isHigh = tier === 'high'
  const category = isHigh ? 'suicidal_ideation' : 'hopelessness'
  return { name: readWithContext, category, confidence: isHigh ? atMostHigh : atMostCaution, tier, meaning: 'affirmed' }
}

/** The match of an evidence, as the floor reads it; its tokens are the whole message, and are not looked at. */
export function matchOf({ name, category, confidence, tier, meaning }: Evidence): InterpretedMatch {
  const group = { name, category, confidence, tier, experiencer: 'self' as const, explicit: false, past: false, phrases: [] }
  return { group, from: 0, to: 0, meaning, resolved: false }
} // prettier-ignore
