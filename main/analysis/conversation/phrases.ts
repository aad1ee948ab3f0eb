/** The phrases of questions and answers, compiled apart from those of risk: neither changes how the other is read. */
import type { AnswerKind, DetectionData, QuestionTopic } from '../data/index.ts'
import { createPhraseFinder, type PhraseFinder } from '../phrases/index.ts'

type QuestionRole =
  | { kind: 'topic'; topic: QuestionTopic }
  | { kind: 'reversed' | 'offer' | 'about the student' | 'cleared' | 'about others' | 'hint' }
type AnswerRole = AnswerKind | 'correction'

export interface ConversationPhrases {
  questions: PhraseFinder<QuestionRole>
  answers: PhraseFinder<AnswerRole>
}

type Data = Pick<DetectionData, 'lexicon' | 'conversation'>

const file = 'conversation.yaml'

/** Compiles the phrases. Throws DetectionFileError naming the one that cannot be parsed. */
export function conversationPhrases({ lexicon, conversation }: Data): ConversationPhrases {
  const { asks, answers, reversed, offers, about_others, about_self, cleared, hints, corrections, fillers } = conversation
  const withFillers = { ...lexicon, fillers: [...fillers] }
  const entries = <T extends string>(lists: Record<T, string[]>): [T, string[]][] =>
    Object.entries(lists) as [T, string[]][]
  return {
    questions: createPhraseFinder<QuestionRole>(withFillers, file, [
      ...entries(asks).map(([topic, phrases]) => ({ path: `asks.${topic}`, phrases, role: { kind: 'topic', topic } as const })),
      { path: 'reversed', phrases: reversed, role: { kind: 'reversed' } },
      { path: 'offers', phrases: offers, role: { kind: 'offer' } },
      { path: 'about_others', phrases: about_others, role: { kind: 'about others' } },
      { path: 'about_self', phrases: about_self, role: { kind: 'about the student' } },
      { path: 'cleared', phrases: cleared, role: { kind: 'cleared' } },
      { path: 'hints', phrases: hints, role: { kind: 'hint' } },
    ]),
    answers: createPhraseFinder<AnswerRole>(withFillers, file, [
      ...entries(answers).map(([kind, phrases]) => ({ path: `answers.${kind}`, phrases, role: kind })),
      { path: 'corrections', phrases: corrections, role: 'correction' as const },
    ]),
  }
} // prettier-ignore
