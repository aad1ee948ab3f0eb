/** The REST calls of the intake and their shapes: what is parsed, and what /openapi.json says. */
import { z } from 'zod'
import { sessionSummarySchema } from '../../../shared/events.ts'
import {
  decidedBySchema,
  patternCategorySchema,
  riskLevelSchema,
  riskTierSchema,
  signalNameSchema,
} from '../../../shared/risk.ts'
import type { Scope } from './api-keys.ts'

const id = z.string().min(1).max(200)
const time = z.iso.datetime()
const probability = z.number().min(0).max(1)
const statusSchema = z.enum(['active', 'ended', 'escalated'])
const metadataSchema = z
  .object({ locale: z.string().max(40), channel: z.string().max(40), device: z.string().max(100) })
  .partial()

export const errorSchema = z.object({ error: z.string(), details: z.unknown().optional() })

const sessionSchema = z.object({
  session_id: id,
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

const bufferSchema = z.array(
  z.object({
    message_id: id,
    sequence: z.int(),
    role: z.enum(['student', 'assistant', 'system']),
    content: z.string().nullable(),
    at: time,
    tier: riskTierSchema,
    score: probability,
    sentiment: z.number(),
    flagged_keywords: z.array(patternCategorySchema),
  }),
)

const answerSchema = z.object({
  message_id: id,
  session_id: id,
  sequence: z.int(),
  role: z.enum(['student', 'assistant', 'system']),
  tier: riskTierSchema,
  level: riskLevelSchema,
  score: probability,
  decided_by: decidedBySchema.nullable(),
  degraded: z.array(signalNameSchema),
  buffer: bufferSchema,
  question: z.null().describe('Question understanding, where it is made'),
  reply: z.string().nullable().describe('On a crisis: the fixed text the chat shows instead of any other answer'),
})

export interface Call {
  method: 'GET' | 'POST'
  /** With OpenAPI's {parameters}. */
  path: string
  summary: string
  /** Null = no key is asked for. */
  scope: Scope | null
  query?: z.ZodObject
  body?: z.ZodType
  status: number
  answer: z.ZodType
  refusals: readonly number[]
  /** Its body may hold a student's words: they are read before any refusal by size or rate. */
  readsText?: boolean
}

const sessionPath = z.object({ id })
export const parameters = { session: sessionPath }

export const calls = {
  startSession: {
    method: 'POST',
    path: '/sessions',
    summary: 'Start a session for a student. The user_id is hashed on arrival and never kept.',
    scope: 'write',
    body: z.object({ user_id: z.string().trim().min(1).max(200), metadata: metadataSchema.optional() }),
    status: 201,
    answer: z.object({ session_id: id, status: statusSchema, started_at: time }),
    refusals: [400, 401, 403, 413, 429, 500],
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'Sessions of the school of the key, newest first.',
    scope: 'read',
    query: z.object({
      status: statusSchema.optional(),
      user_id: z.string().trim().min(1).max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
    }),
    status: 200,
    answer: z.object({ sessions: z.array(sessionSchema), total: z.int(), limit: z.int(), offset: z.int() }),
    refusals: [400, 401, 403, 429, 500],
  },
  getSession: {
    method: 'GET',
    path: '/sessions/{id}',
    summary: 'One session: metadata, metrics and the rolling buffer.',
    scope: 'read',
    status: 200,
    answer: sessionSchema.extend({ buffer: bufferSchema }),
    refusals: [401, 403, 404, 429, 500],
  },
  receiveMessage: {
    method: 'POST',
    path: '/sessions/{id}/messages',
    summary:
      'Receive one message. A refusal with 409, 413 or 429 has analysed the text first; details.reply is then the crisis reply.',
    scope: 'write',
    body: z.object({
      sender: z.enum(['user', 'assistant', 'system']),
      content: z.string().min(1),
      client_message_id: id.optional(),
    }),
    status: 200,
    answer: answerSchema,
    refusals: [400, 401, 403, 404, 409, 413, 429, 500],
    readsText: true,
  },
  endSession: {
    method: 'POST',
    path: '/sessions/{id}/end',
    summary: 'End a session; a second call gives the same summary.',
    scope: 'write',
    status: 200,
    answer: sessionSummarySchema,
    refusals: [401, 403, 404, 429, 500],
  },
  getSummary: {
    method: 'GET',
    path: '/sessions/{id}/summary',
    summary: 'The summary of an ended session, or of a running one as it stands.',
    scope: 'read',
    status: 200,
    answer: sessionSummarySchema,
    refusals: [401, 403, 404, 429, 500],
  },
  health: {
    method: 'GET',
    path: '/health',
    summary: 'The process answers.',
    scope: null,
    status: 200,
    answer: z.object({ status: z.literal('ok') }),
    refusals: [],
  },
  ready: {
    method: 'GET',
    path: '/ready',
    summary: 'Messages can be taken: the database answers.',
    scope: null,
    status: 200,
    answer: z.object({ status: z.literal('ready') }),
    refusals: [503],
  },
} as const satisfies Record<string, Call>
