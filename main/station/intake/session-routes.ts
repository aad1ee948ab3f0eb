/** The calls of the sessions. A session of another school is, to its caller, no session. */
import type { FastifyRequest } from 'fastify'
import type { StoredSession } from '../../store/station/index.ts'
import type { Replies } from '../replies/index.ts'
import { Refusal, type Receipt } from '../sessions/index.ts'
import { OversizedBody, salvage } from './body.ts'
import type { SchoolIntake } from './intake.ts'
import {
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

export function sessionRoutes(
  app: ZodApp,
  intakeOf: (request: FastifyRequest) => SchoolIntake,
  replies: Replies | null,
): void {
  app.post(
    '/sessions',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'startSession',
        summary: 'Start a session for a student. The user_id is hashed on arrival and never kept.',
        body: startSessionSchema,
        response: { 201: startedSchema.describe('Started'), ...refusals(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async (request, reply) => {
      const started = intakeOf(request).startSession(request.body)
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
        response: { 200: sessionsSchema.describe('A page of sessions'), ...refusals(400, 401, 403, 429, 500) },
      },
    },
    (request) => {
      const { limit, offset } = request.query
      const { total, sessions } = intakeOf(request).sessions(request.query)
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
        response: { 200: sessionDetailSchema.describe('The session'), ...refusals(400, 401, 403, 404, 429, 500) },
      },
    },
    (request) => {
      const { buffer, ...session } = intakeOf(request).session(request.params.id)
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
          'Receive one message. A refusal with 409, 413 or 429 has assessed the text first; details.reply is then the crisis reply.',
        params: sessionPathSchema,
        body: messageSchema,
        response: {
          200: receiptSchema.describe('Stored'),
          ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 500),
        },
      },
      // Before the body is parsed: what is too large fits no schema, and must be assessed all the same.
      preValidation: async (request) => {
        if (!(request.body instanceof OversizedBody)) return
        const message = { session_id: request.params.id, ...salvage(request.body), incomplete: true }
        throw new Refusal('too large', (await intakeOf(request).assessRefused(message, 'too large'))?.reply ?? null)
      },
    },
    async (request) => {
      const intake = intakeOf(request)
      const message = { session_id: request.params.id, ...request.body }
      if (request.waitSeconds > 0)
        throw new Refusal('too many', (await intake.assessRefused(message, 'too many'))?.reply ?? null)
      const { receipt, assistant } = replies
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
        response: { 200: summarySchema.describe('The summary'), ...refusals(400, 401, 403, 404, 413, 415, 429, 500) },
      },
    },
    (request) => intakeOf(request).endSession({ session_id: request.params.id }),
  )

  app.get(
    '/sessions/:id/summary',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getSummary',
        summary: 'The summary of an ended session, or of a running one as it stands.',
        params: sessionPathSchema,
        response: { 200: summarySchema.describe('The summary'), ...refusals(400, 401, 403, 404, 429, 500) },
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
