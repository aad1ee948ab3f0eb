/** The shapes of the REST calls: requests and responses are parsed by them, and /openapi.json says them. */
import { z } from 'zod'
import { sessionSummarySchema } from '../../../shared/events.ts'
import {
  decidedBySchema,
  patternCategorySchema,
  riskLevelSchema,
  riskTierSchema,
  signalNameSchema,
} from '../../../shared/risk.ts'

/** No NUL: it stands in no id, and a database takes none. */
export const idSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0]*$/, 'holds a NUL')
const userId = z.string().trim().min(1).max(200)
const time = z.iso.datetime()
const probability = z.number().min(0).max(1)
const roleSchema = z.enum(['student', 'assistant', 'system'])
const statusSchema = z.enum(['active', 'ended', 'escalated'])
const metadataSchema = z
  .object({ locale: z.string().max(40), channel: z.string().max(40), device: z.string().max(100) })
  .partial()

export const sessionPathSchema = z.object({ id: idSchema })

/** When it happened, for whoever tells a past: in UTC, and only with a key of the scope `backfill`. */
const toldAt = z.iso
  .datetime()
  .transform((text) => Date.parse(text))
  .optional()
  .describe('When it happened (UTC); needs a key of the scope backfill')

export const startSessionSchema = z.object({ user_id: userId, metadata: metadataSchema.optional(), at: toldAt })
export const endSessionSchema = z.object({ at: toldAt }).nullish()
export const startedSchema = z.object({ session_id: idSchema, status: statusSchema, started_at: time })

export const sessionQuerySchema = z.object({
  status: statusSchema.optional(),
  user_id: userId.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
})

const sessionSchema = z.object({
  session_id: idSchema,
  student_hash: z.string(),
  status: statusSchema,
  started_at: time,
  ended_at: time.nullable(),
  last_message_at: time.nullable(),
  metadata: metadataSchema,
  message_count: z.int(),
  student_turns: z.int(),
  assistant_turns: z.int(),
  sentiment_average: z.number().nullable(),
  highest_tier: riskTierSchema,
  notes: z.array(z.string()),
  suggested_resources: sessionSummarySchema.shape.suggested_resources,
})
export const sessionsSchema = z.object({
  sessions: z.array(sessionSchema),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
})

const bufferSchema = z.array(
  z.object({
    message_id: idSchema,
    sequence: z.int(),
    role: roleSchema,
    content: z.string().nullable(),
    at: time,
    tier: riskTierSchema,
    score: probability,
    sentiment: z.number(),
    flagged_keywords: z.array(patternCategorySchema),
  }),
)
export const sessionDetailSchema = sessionSchema.extend({ buffer: bufferSchema })

export const messageSchema = z.object({
  sender: z.enum(['user', 'assistant', 'system']),
  content: z.string().min(1),
  client_message_id: idSchema.optional(),
  at: toldAt.describe('When it was said (UTC), at least ten minutes ago; needs a key of the scope backfill'),
})

export const receiptSchema = z.object({
  message_id: idSchema,
  session_id: idSchema,
  sequence: z.int(),
  role: roleSchema,
  tier: riskTierSchema,
  level: riskLevelSchema,
  score: probability,
  decided_by: decidedBySchema.nullable(),
  degraded: z.array(signalNameSchema),
  buffer: bufferSchema,
  question: z.null().describe('Question understanding, where it is made'),
  reply: z.string().nullable().describe('On a crisis: the fixed text the chat shows instead of any other answer'),
  assistant: z
    .object({
      text: z.string(),
      late: z.boolean().describe('A fixed sentence: no answer came in time; a late one stands in the session'),
    })
    .nullable()
    .describe('What the chat shows as the answer; null on a crisis, and where nobody is asked for one'),
})

export { sessionSummarySchema as summarySchema } from '../../../shared/events.ts'

export const healthSchema = z.object({ status: z.literal('ok') })
export const readySchema = z.object({
  status: z.literal('ready'),
  degraded: z.array(z.string()).describe('What does not work as it should although messages can be taken'),
})

/** What every refusal answers. */
export const errorSchema = z.object({ error: z.string(), details: z.unknown().optional() })

const refusalMeanings = {
  400: 'The request is not valid',
  401: 'No key, or an unknown one',
  403: 'The key lacks the scope',
  404: 'There is no such session',
  409: 'The session has ended, or the client_message_id was used for another message',
  413: 'The request is too large',
  415: 'The body is not JSON by its content type',
  429: 'Too many requests',
  500: 'Internal error; details.correlation_id is in the log',
  503: 'The database does not answer or has no room, or the station stops; try again after Retry-After seconds',
} as const
type RefusalStatus = keyof typeof refusalMeanings

/** The responses of a call beside its answer: each has the form of an error. */
export function refusals<Status extends RefusalStatus>(
  ...statuses: readonly Status[]
): Record<Status, typeof errorSchema> {
  return Object.fromEntries(
    statuses.map((status) => [status, errorSchema.describe(refusalMeanings[status])]),
  ) as Record<Status, typeof errorSchema>
}
