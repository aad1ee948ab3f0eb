/** The form of what is known of questions and of answers to them (`resources/detection/conversation.yaml`). */
import { z } from 'zod'
import { phrasesSchema, versionSchema, wordSetSchema } from './common.ts'

/** What a question may be about, the gravest first; `plan` and `safety` only where a danger is spoken of. */
const questionTopics = ['suicide', 'self_harm', 'harm_to_others', 'abuse', 'plan', 'safety'] as const
export type QuestionTopic = (typeof questionTopics)[number]

const answerKinds = [
  'yes', 'no', 'unsure', 'when', 'where', 'means', 'number', 'who', 'forever', 'relief', 'first', 'second', 'both',
] as const // prettier-ignore
/** What an answer, or a part of one, says. */
export type AnswerKind = (typeof answerKinds)[number]

export const conversationSchema = z.strictObject({
  version: versionSchema,
  fillers: wordSetSchema,
  small_words: wordSetSchema,
  asks: z.record(z.enum(questionTopics), phrasesSchema),
  reversed: phrasesSchema,
  offers: phrasesSchema,
  about_others: phrasesSchema,
  about_self: phrasesSchema,
  cleared: phrasesSchema,
  hints: phrasesSchema,
  answers: z.record(z.enum(answerKinds), phrasesSchema),
  corrections: phrasesSchema,
  signs: z.strictObject({ yes: wordSetSchema, no: wordSetSchema }),
})
export type ConversationData = z.infer<typeof conversationSchema>
