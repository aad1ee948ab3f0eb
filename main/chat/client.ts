/** The calls a chat makes: over REST, with parsed answers, and sent again while none comes. */
import { z } from 'zod'
import { sessionSummarySchema, type SessionSummary } from '../../shared/events.ts'
import { decidedBySchema, probabilitySchema, riskTierSchema } from '../../shared/risk.ts'
import { seconds } from '../../shared/time.ts'
import { pause } from '../platform/pause.ts'
import type { Clock } from '../platform/ports.ts'
import { CallFailed } from './call-failed.ts'
import type { Target } from './target.ts'

/** A message as the intake takes it. The same `client_message_id` is the same message, however often it is sent. */
interface OutgoingMessage {
  sender: 'user' | 'assistant' | 'system'
  content: string
  client_message_id: string
  /** When it was said (UTC milliseconds), where a past is told; that takes a key of the scope backfill. */
  at?: number
}

/** Where sessions come from, recorded with the session. */
interface SessionMetadata {
  locale?: string
  channel?: string
  device?: string
}

const startedSchema = z.object({ session_id: z.string().min(1) })

const answerSchema = z.object({
  message_id: z
    .string()
    .nullish()
    .transform((id) => id ?? null),
  sequence: z.int(),
  tier: riskTierSchema,
  score: probabilitySchema,
  decided_by: decidedBySchema.nullish().transform((by) => by ?? null),
  /** What the chat shows instead of any other answer; on a crisis the protocol reply. */
  reply: z
    .string()
    .nullish()
    .transform((reply) => reply ?? null),
  /** What the station's own assistant says, where it has one. Late: a fixed sentence, the answer is still to come. */
  assistant: z
    .object({ text: z.string(), late: z.boolean().default(false) })
    .nullish()
    .transform((assistant) => assistant ?? null),
})
/** What the intake answers to a message, as far as a chat heeds it. */
export type Answer = z.output<typeof answerSchema>

const sessionSchema = z.object({
  buffer: z.array(z.object({ sequence: z.int(), role: z.string(), content: z.string().nullable() })),
})

const takenSchema = z.object({ kept: z.int(), known: z.int() })

const refusalSchema = z.object({ details: z.object({ reply: z.string() }) })

/** Why a call is to be sent again, and after how long. */
export interface Waiting {
  why: 'no answer' | 'too many' | 'not ready'
  /** Milliseconds until the next try. */
  delay: number
  /** The protocol reply that came with a refusal: to be shown now, whatever becomes of the next try. */
  reply: string | null
}

export interface ClientOptions {
  /** Asked before each try: a desk that was started again has another address. */
  target: () => Target
  clock: Clock
  /** Ends the waiting between two tries. A call made afterwards is tried once. */
  signal: AbortSignal
  /** How often a call is tried where no answer comes, or none but a failure of the station. */
  tries: number
  onWaiting?: (waiting: Waiting) => void
}

/**
 * Every call rejects with CallFailed, and with nothing else that the station could cause. `at` (UTC milliseconds): when
 * it happened, where a past is told; that takes a key of the scope backfill.
 */
export interface IntakeClient {
  startSession(input: { user_id: string; metadata?: SessionMetadata; at?: number }): Promise<{ session_id: string }>
  send(sessionId: string, message: OutgoingMessage): Promise<Answer>
  endSession(sessionId: string, at?: number): Promise<SessionSummary>
  /**
   * Tells what people did in the past, as messages of the acknowledgement queue. Answers how many of them were new to
   * the station, and how many it knew.
   */
  tellRecords(records: readonly object[]): Promise<{ kept: number; known: number }>
  /** What the assistant said after the message of this sequence number, as far as the session keeps it. Tried once. */
  assistantSince(sessionId: string, sequence: number): Promise<string[]>
}

/** How long one try may take, milliseconds; a station answers within the two seconds its assistant may take. */
const patience = seconds(15)
/** Delays between tries, milliseconds; the last one goes on. */
const backoff = [1, 2, 4, 8, 15].map(seconds)
/** The longest time that a `Retry-After` is heeded, milliseconds. */
const longestWait = seconds(60)

/** What one try brought; null = no answer, or none to its end. */
type Tried = { status: number; body: unknown; retryAfter: number } | null

export function intakeClient({ target, clock, signal, tries, onWaiting }: ClientOptions): IntakeClient {
  async function call<Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
    most = tries,
  ): Promise<z.output<Schema>> {
    for (let tried = 1; ; tried++) {
      const answer = await request(target(), path, body)
      if (answer !== null && answer.status < 300) {
        const parsed = schema.safeParse(answer.body)
        if (parsed.success) return parsed.data
        throw new CallFailed('unreadable')
      }
      const failed = new CallFailed(answer === null ? 'no answer' : answer.status, replyIn(answer))
      const why = reasonToWait(answer)
      if (why === null || signal.aborted) throw failed
      // Being one of too many is no failure: the station says itself when to come back.
      if (why === 'too many') tried--
      else if (tried >= most) throw failed
      const delay = Math.max(answer?.retryAfter ?? 0, why === 'too many' ? 0 : (backoff[tried - 1] ?? backoff.at(-1)!))
      onWaiting?.({ why, delay, reply: failed.reply })
      await pause(clock, delay, signal)
      if (signal.aborted) throw failed
    }
  }

  const sessionPath = (sessionId: string) => `/sessions/${encodeURIComponent(sessionId)}`
  return {
    // An address where nothing answers from the first is more likely wrong than down.
    startSession: (input) => call('/sessions', onTheWire(input), startedSchema, Math.min(tries, 3)),
    send: (sessionId, message) => call(`${sessionPath(sessionId)}/messages`, onTheWire(message), answerSchema),
    endSession: (sessionId, at) => call(`${sessionPath(sessionId)}/end`, onTheWire({ at }), sessionSummarySchema),
    tellRecords: (records) => call('/records', { records }, takenSchema),
    async assistantSince(sessionId, sequence) {
      const session = sessionSchema.safeParse((await request(target(), sessionPath(sessionId), undefined))?.body)
      const after = session.data?.buffer.filter((message) => message.sequence > sequence) ?? []
      return after.flatMap(({ role, content }) => (role === 'assistant' && content !== null ? [content] : []))
    },
  }
}

/** Times are ISO 8601 on the wire. */
function onTheWire<Body extends object>({ at, ...body }: Body & { at?: number | undefined }): object {
  return at === undefined ? body : { ...body, at: new Date(at).toISOString() }
}

/** One try: a POST of the body, or without one a GET. */
async function request({ url, key }: Target, path: string, body: unknown): Promise<Tried> {
  try {
    const response = await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      // Words go where they were meant to go and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    })
    const text = await response.text()
    const wait = seconds(Number(response.headers.get('retry-after')) || 1)
    return { status: response.status, body: parseJson(text), retryAfter: Math.min(Math.max(wait, 0), longestWait) }
  } catch {
    return null
  }
}

function reasonToWait(answer: Tried): Waiting['why'] | null {
  if (answer === null) return 'no answer'
  if (answer.status === 429) return 'too many'
  return answer.status >= 500 ? 'not ready' : null
}

function replyIn(answer: Tried): string | null {
  const refusal = refusalSchema.safeParse(answer?.body)
  return refusal.success ? refusal.data.details.reply : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
