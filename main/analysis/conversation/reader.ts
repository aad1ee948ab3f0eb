/** Reads a message with the turns before it: as the answer to a question, or as a fragment of what was said. */
import type { PatternMatch } from '../../../shared/assessment.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import { recentMessages, type AssessmentInput, type ConversationMessage } from '../assessment-input.ts'
import type { InterpretedMatch } from '../context/index.ts'
import type { DetectionData } from '../data/index.ts'
import { readAnswer, shortAnswer } from './answer.ts'
import {
  agreement,
  agrees,
  answerEvidence,
  choosesHarmless,
  fragmentEvidence,
  matchOf,
  readWithContext,
  type Evidence,
} from './evidence.ts'
import { conversationPhrases } from './phrases.ts'
import { readTurn } from './question.ts'

/** What the conversation adds to a message. */
interface ConversationReading {
  scored: { match: InterpretedMatch; confidence: number }[]
  matches: PatternMatch[]
  /** A sentence for people, quoting nobody; null where the conversation adds nothing. */
  reason: string | null
}

/** The tier that a text demands alone. `surelyOf` asks the second reader to be surer: nobody has said these words. */
interface ReadAlone {
  tierOf(text: string): RiskTier
  surelyOf(text: string): RiskTier
}

export interface ConversationReader {
  /**
   * Reads `input.text` with the last turns of `input.recent`. `found`: the message alone names a danger already;
   * `alone` reads a text outside any conversation. Linear in the bounded length of what is read; never throws.
   */
  read(input: AssessmentInput, found: boolean, alone: ReadAlone): ConversationReading
}

const nothing: ConversationReading = { scored: [], matches: [], reason: null }

/** Characters of the student's message before that a fragment is joined to: its end. */
const joinedLength = 300

/** Builds the reader. Throws DetectionFileError where a phrase of the data cannot be parsed. */
export function createConversationReader(data: Pick<DetectionData, 'lexicon' | 'conversation'>): ConversationReader {
  const phrases = conversationPhrases(data)
  return {
    read: (input, found, { tierOf, surelyOf }) => {
      const recent = input.recent.slice(-recentMessages)
      const before = recent.at(-1)
      if (before === undefined) return nothing
      // A student may send two messages where one is meant: the question stands before both.
      const asked = before.role === 'assistant' ? before : recent.at(-2)
      // What was told in between was heard: the question is answered, and does not stand any more.
      const stands = before.role === 'assistant' || tierBefore(input, before) === 'ok'
      const assistant = stands && asked?.role === 'assistant' ? asked : undefined
      const turn = assistant ? readTurn(phrases, assistant.text) : null
      const { answer, tokens } = readAnswer(phrases, data.conversation, input.text)
      const question = turn?.question ?? null
      const direct = question && answerEvidence(question, answer)
      if (direct) return reading(direct, input.text)
      if (found || turn?.cleared || tokens > shortAnswer) return nothing
      if (question && agrees(question, answer) && surelyOf(question.affirmed) === 'crisis')
        return reading(agreement, input.text)
      // A “no” to a direct question is an answer, and so is what was meant instead.
      if (question?.dangers.length && (answer === 'no' || answer === 'correction' || choosesHarmless(question, answer)))
        return nothing
      const student = recent.findLast(({ role }) => role === 'student')
      const tiers = { before: tierBefore(input, student), joined: student ? tierOf(joined(student.text, input.text)) : 'ok' } as const // prettier-ignore
      const hinted = recent.some(({ text }) => readTurn(phrases, text).hinted)
      const evidence = fragmentEvidence({ ...tiers, hinted, question }, answer)
      return evidence ? reading(evidence, input.text) : nothing
    },
  }
}

/** Tier of the student's message before, as it was assessed in its own conversation. */
function tierBefore({ previous }: AssessmentInput, student: ConversationMessage | undefined): RiskTier {
  return (student && previous.at(-1)?.tier) ?? 'ok'
}

const joined = (before: string, fragment: string): string => `${before.slice(-joinedLength)} ${fragment}`

function reading(evidence: Evidence, text: string): ConversationReading {
  const { category, confidence, meaning, name } = evidence
  const reason = name === readWithContext ? 'Read with what was said before it.' : `The student’s message is ${name}.`
  return {
    scored: [{ match: matchOf(evidence), confidence }],
    matches: [{ category, confidence, start: 0, end: text.length, meaning, signal: 'clinical' }],
    reason,
  }
}
