/** The calls of the sessions. A session of another school is, to its caller, no session. */
import type { FastifyRequest } from 'fastify'
import type { ApiKeyScope } from '../../../shared/api-keys.ts'
import { clockSkew, toldAfter } from '../../../shared/thresholds.ts'
import type { Clock } from '../../platform/ports.ts'
import type { StoredSession } from '../../store/station/index.ts'
import type { Replies } from '../replies/index.ts'
import { Refusal, type Receipt } from '../sessions/index.ts'
import type { Caller } from './api-keys.ts'
import { NotJson, OtherType, OversizedBody, salvage, UnreadableText } from './body.ts'
import type { MessageSender, SchoolIntake } from './intake.ts'
import {
  endSessionSchema,
  messageSchema,
  receiptSchema,
  refusals,
  sessionDetailSchema,
  sessionPathSchema,
  sessionQuerySchema,
  sessionsSchema,
  startedSchema,
  startSessionSchema,
  summarySchema,
} from './schemas.ts'
import type { ZodApp } from './server.ts'

/** A key that may not do what was asked. */
export class NotAllowed extends Error {
  readonly scope: ApiKeyScope
  /** The protocol reply where a crisis was refused; it has been alerted. */
  readonly reply: string | null
  constructor(scope: ApiKeyScope, reply: string | null = null) {
    super('This API key may not do that.')
    this.name = 'NotAllowed'
    this.scope = scope
    this.reply = reply
  }
}

export interface SessionRoutesOptions {
  clock: Clock
  callerOf: (request: FastifyRequest) => Caller
  intakeOf: (request: FastifyRequest) => SchoolIntake
  /** Who answers students; null = nobody here. */
  replies: Replies | null
  /** Refuses a message whose sender could not be looked up, once its text is assessed. Throws Refusal `unavailable`. */
  refuseUnknown: (sender: MessageSender, text: string) => never
}

export function sessionRoutes(
  app: ZodApp,
  { clock, callerOf, intakeOf, replies, refuseUnknown }: SessionRoutesOptions,
): void {
  /** Whether a key may say when something happened. */
  const mayTell = (request: FastifyRequest): boolean => callerOf(request).scopes.includes('backfill')
  const isToCome = (at: number): boolean => at > clock.now() + clockSkew
  /** Only a key for it may say when something happened, and nobody that it is still to happen. */
  const checkTold = (request: FastifyRequest, at: number | undefined): void => {
    if (at === undefined) return
    if (!mayTell(request)) throw new NotAllowed('backfill')
    if (isToCome(at)) throw new Refusal('invalid')
  }
  /** How a message is refused that may not be told as a past, which nobody hears; null where it may. */
  const refusalOfTold = (
    request: FastifyRequest,
    at: number | undefined,
  ): ((reply: string | null) => Refusal | NotAllowed) | null => {
    if (at === undefined) return null
    if (!mayTell(request)) return (reply) => new NotAllowed('backfill', reply)
    if (isToCome(at)) return (reply) => new Refusal('invalid', reply)
    return at > clock.now() - toldAfter ? (reply) => new Refusal('too recent', reply) : null
  }

  app.post(
    '/sessions',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'startSession',
        summary: 'Start a session for a student. The user_id is hashed on arrival and never kept.',
        body: startSessionSchema,
        response: { 201: startedSchema.describe('Started'), ...refusals(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      checkTold(request, request.body.at)
      const started = await intakeOf(request).startSession(request.body)
      return reply.code(201).send({ ...started, started_at: iso(started.started_at) })
    },
  )

  app.get(
    '/sessions',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listSessions',
        summary: 'Sessions of the school of the key, newest first.',
        querystring: sessionQuerySchema,
        response: { 200: sessionsSchema.describe('A page of sessions'), ...refusals(400, 401, 403, 429, 500, 503) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query
      const { total, sessions } = await intakeOf(request).sessions(request.query)
      return { sessions: sessions.map(sessionBody), total, limit, offset }
    },
  )

  app.get(
    '/sessions/:id',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getSession',
        summary: 'One session: metadata, metrics and the rolling buffer.',
        params: sessionPathSchema,
        response: { 200: sessionDetailSchema.describe('The session'), ...refusals(400, 401, 403, 404, 429, 500, 503) },
      },
    },
    async (request) => {
      const { buffer, ...session } = await intakeOf(request).session(request.params.id)
      return { ...sessionBody(session), buffer: bufferBody(buffer) }
    },
  )

  app.post(
    '/sessions/:id/messages',
    {
      config: { scope: 'write', readsText: true },
      schema: {
        operationId: 'receiveMessage',
        summary:
          'Receive one message. A refusal with 400, 409, 413, 415, 429 or 503, or of its `at`, has assessed the text first; details.reply is then the crisis reply.',
        params: sessionPathSchema,
        body: messageSchema,
        response: {
          200: receiptSchema.describe('Stored'),
          ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
        },
      },
      // Before the body is parsed: what is too large fits no schema, and must be assessed all the same.
      preValidation: async (request) => {
        // As it came: nothing has been parsed by a schema yet.
        const body: unknown = request.body
        if (messageSchema.safeParse(body).success) return
        const salvaged = salvage(body)
        const isTooLarge = body instanceof OversizedBody
        const isUnreadable = body instanceof UnreadableText
        const hasWords = salvaged.content.trim() !== '' && sessionPathSchema.safeParse(request.params).success
        if (request.couldNotBeLookedUp && (hasWords || isTooLarge)) refuseUnknown(salvaged.sender, salvaged.content)
        const message = { session_id: request.params.id, ...salvaged, ...(isTooLarge && { incomplete: true }) }
        // What has another form than it should is kept, where there is danger in it, as what may be sent again.
        const found =
          hasWords || isTooLarge
            ? await intakeOf(request).assessRefused(message, isTooLarge ? 'too large' : 'too many')
            : null
        if (isTooLarge) throw new Refusal('too large', found?.reply ?? null)
        if (found?.reply != null) throw new Refusal('invalid', found.reply)
        // Without a crisis in it the answer says what does not fit.
        if (isUnreadable) throw body.isOtherType ? new OtherType() : new NotJson()
      },
    },
    async (request) => {
      if (request.couldNotBeLookedUp) refuseUnknown(request.body.sender, request.body.content)
      const intake = intakeOf(request)
      const message = { session_id: request.params.id, ...request.body }
      const refuseTold = refusalOfTold(request, message.at)
      // Whatever it says of its time, it may be said now: kept, where there is danger in it, as what may be sent again.
      if (refuseTold)
        throw refuseTold((await intake.assessRefused({ ...message, at: undefined }, 'too many'))?.reply ?? null)
      if (request.cameTooLate)
        // Kept, where there is danger in it, as what may be sent again and is then taken.
        throw new Refusal('stopping', (await intake.assessRefused(message, 'too many'))?.reply ?? null)
      if (request.waitSeconds > 0)
        throw new Refusal('too many', (await intake.assessRefused(message, 'too many'))?.reply ?? null)
      // What was said in the past was answered then.
      const { receipt, assistant } =
        replies && request.body.at === undefined
          ? await replies.receive(intake, message)
          : { receipt: await intake.receive(message), assistant: null }
      return { ...receipt, buffer: bufferBody(receipt.buffer), assistant }
    },
  )

  app.post(
    '/sessions/:id/end',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'endSession',
        summary: 'End a session; a second call gives the same summary.',
        params: sessionPathSchema,
        body: endSessionSchema,
        response: {
          200: summarySchema.describe('The summary'),
          ...refusals(400, 401, 403, 404, 413, 415, 429, 500, 503),
        },
      },
    },
    (request) => {
      const at = request.body?.at
      checkTold(request, at)
      return intakeOf(request).endSession({ session_id: request.params.id, at })
    },
  )

  app.get(
    '/sessions/:id/summary',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getSummary',
        summary: 'The summary of an ended session, or of a running one as it stands.',
        params: sessionPathSchema,
        response: { 200: summarySchema.describe('The summary'), ...refusals(400, 401, 403, 404, 429, 500, 503) },
      },
    },
    (request) => intakeOf(request).summary(request.params.id),
  )
}

function sessionBody(session: StoredSession) {
  return {
    ...session,
    started_at: iso(session.started_at),
    ended_at: session.ended_at === null ? null : iso(session.ended_at),
    last_message_at: session.last_message_at === null ? null : iso(session.last_message_at),
  }
}

const bufferBody = (buffer: Receipt['buffer']) => buffer.map((message) => ({ ...message, at: iso(message.at) }))

const iso = (at: number): string => new Date(at).toISOString()
