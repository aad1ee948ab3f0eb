/** What the assistant asked right before a message. */
import type { QuestionTopic } from '../data/index.ts'
import type { PhraseHit } from '../phrases/index.ts'
import type { Span } from '../text/index.ts'
import type { ConversationPhrases } from './phrases.ts'

export interface Question {
  /** Dangers named by the question or in the same turn before it, the gravest first. */
  dangers: readonly Danger[]
  /** It asks for a time, a place, a means or a degree. */
  asksPlan: boolean
  /** “No” is the worrying answer: it asks whether anybody would miss the student, or whether they are safe. */
  reversed: boolean
  asksSafety: boolean
  /** It offers help rather than asking about a danger. */
  offers: boolean
  /** It asks whether somebody else is in danger of their own doing. */
  aboutOther: boolean
  /** It asks whether somebody who was spoken of is the student. */
  aboutSelf: boolean
  /** Its words, as the student would say them in agreeing: “I am thinking about it”. */
  affirmed: string
  /** Of the alternatives it offers (“… or …?”), which ones name a danger; one entry where it offers none. */
  alternatives: readonly boolean[]
}

/** A topic that is a danger by itself. */
export type Danger = Exclude<QuestionTopic, 'plan' | 'safety'>

const gravestFirst = ['suicide', 'self_harm', 'harm_to_others', 'abuse'] as const satisfies readonly Danger[]

/** Characters of an earlier turn that are read: its end, where the question stands. */
const readOfTurn = 1000

/** Words that part the alternatives of a question. */
const partings: ReadonlySet<string> = new Set(['or', 'o'])

export interface TurnReading {
  /** The last question of the turn; null where it asks nothing. */
  question: Question | null
  /** It holds words that say little alone, and are worth a look before a short answer. */
  hinted: boolean
  /** The assistant has understood that something else was meant. */
  cleared: boolean
}

/** Reads an earlier turn of the conversation. */
export function readTurn({ questions }: ConversationPhrases, text: string): TurnReading {
  const message = questions.tokenize(text.slice(-readOfTurn))
  const hits = questions.find(message)
  const roles = hits.map((hit) => ({ hit, role: questions.roleOf(hit) }))
  const hinted = roles.some(({ role }) => role.kind === 'hint')
  const cleared = roles.some(({ role }) => role.kind === 'cleared')
  const asked = [...message.questions].findLast((sentence) => message.sentences[sentence]!.to >= 0)
  if (asked === undefined) return { question: null, hinted, cleared }
  const span = message.sentences[asked]!
  const inside = ({ from, to }: Span): boolean => from >= span.from && to <= span.to
  const upTo = roles.filter(({ hit }) => hit.to <= span.to)
  const has = (kind: string): boolean => roles.some(({ hit, role }) => role.kind === kind && inside(hit))
  const topics = (of: typeof roles): Set<QuestionTopic> => new Set(of.flatMap(({ role }) => (role.kind === 'topic' ? [role.topic] : []))) // prettier-ignore
  const inQuestion = topics(roles.filter(({ hit }) => inside(hit)))
  const named = topics(upTo)
  const own = gravestFirst.filter((topic) => inQuestion.has(topic))
  const dangers = own.length > 0 ? own : gravestFirst.filter((topic) => named.has(topic))
  const dangerous = upTo.flatMap(({ hit, role }) =>
    role.kind === 'topic' && role.topic !== 'plan' && role.topic !== 'safety' ? [hit] : [],
  )
  const asksSafety = inQuestion.has('safety') && own.length === 0
  const question: Question = {
    dangers,
    asksPlan: inQuestion.has('plan'),
    reversed: has('reversed') || asksSafety,
    asksSafety,
    offers: has('offer') && own.length === 0,
    aboutOther: has('about others') && (dangers[0] === 'suicide' || dangers[0] === 'self_harm'),
    aboutSelf: has('about the student'),
    affirmed: asAffirmed(words(message, span)),
    alternatives: own.length > 0 ? alternativesOf(message.tokens, span, dangerous) : [dangers.length > 0],
  }
  return { question, hinted, cleared }
}

const words = ({ tokens }: { tokens: readonly { forms: readonly string[] }[] }, { from, to }: Span): string[] =>
  tokens.slice(from, to + 1).map(({ forms }) => forms[0]!)

/** What a question turns to where it is agreed to: its verb behind the student, and the student in the first person. */
const verbs: Readonly<Record<string, string>> = { are: 'am', were: 'was', do: '', did: '', have: 'have', would: 'would', will: 'will', can: 'can', could: 'could' } // prettier-ignore
const firstPerson: Readonly<Record<string, string>> = { you: 'i', your: 'my', yours: 'mine', yourself: 'myself', u: 'i', ur: 'my' } // prettier-ignore

function asAffirmed(question: readonly string[]): string {
  const at = question.findIndex((word, index) => Object.hasOwn(verbs, word) && firstPerson[question[index + 1] ?? ''] === 'i') // prettier-ignore
  if (at < 0) return ''
  const rest = question.slice(at + 2).map((word) => firstPerson[word] ?? word)
  return ['i', verbs[question[at]!]!, ...rest].filter((word) => word !== '').join(' ')
}

/** Tokens of an alternative at least: “or not”, “or anything” are none. */
const leastOfAlternative = 2

function alternativesOf(
  tokens: readonly { forms: readonly string[] }[],
  { from, to }: Span,
  dangers: readonly PhraseHit[],
): boolean[] {
  const parts: Span[] = []
  let start = from
  for (let i = from; i <= to + 1; i += 1) {
    if (i <= to && !partings.has(tokens[i]!.forms[0]!)) continue
    if (i - start >= leastOfAlternative) parts.push({ from: start, to: i - 1 })
    start = i + 1
  }
  return parts.map((part) => dangers.some((hit) => hit.from >= part.from && hit.to <= part.to))
}
