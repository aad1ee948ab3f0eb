/** The handlers of the session calls. A session of another school is, to its caller, no session. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Refusal, type ReceiveResult, type TrackedSession } from '../sessions/index.ts'
import { OversizedBody, salvage } from './body.ts'
import { calls, parameters, type Call } from './calls.ts'
import type { Intake } from './intake.ts'

/** A request that does not fit its schema: where and how, never what it held. */
export class InvalidRequest extends Error {
  readonly problems: { path: string; problem: string }[]
  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('The request is not valid.')
    this.problems = issues.map(({ path, message }) => ({ path: path.join('.'), problem: message }))
  }
}

export function sessionCalls(app: FastifyInstance, intake: Intake): void {
  serve(app, calls.startSession, (request) => {
    const school = schoolOf(request)
    const started = intake.startSession({
      ...parse(calls.startSession.body, request.body),
      ...(school === null ? {} : { school_id: school }),
    })
    const { status, started_at } = known(request, started.session_id)
    return { ...started, status, started_at: iso(started_at) }
  })

  serve(app, calls.listSessions, (request) => {
    const query = parse(calls.listSessions.query, request.query)
    const { total, sessions } = intake.sessions({ ...query, school_id: schoolOf(request) })
    return { sessions: sessions.map(sessionAnswer), total, limit: query.limit, offset: query.offset }
  })

  serve(app, calls.getSession, (request) => {
    const session = known(request, sessionIdOf(request))
    return { ...sessionAnswer(session), buffer: bufferAnswer(session.buffer) }
  })

  serve(app, calls.receiveMessage, async (request) => {
    const session_id = ownSession(request)
    if (request.body instanceof OversizedBody) {
      const message = { session_id, ...salvage(request.body), incomplete: true }
      throw new Refusal('too large', (await intake.examine(message, 'too large'))?.reply ?? null)
    }
    const message = { session_id, ...parse(calls.receiveMessage.body, request.body) }
    if (request.waitSeconds > 0)
      throw new Refusal('too many', (await intake.examine(message, 'too many'))?.reply ?? null)
    const { buffer, ...answer } = await intake.receive(message)
    return { ...answer, buffer: bufferAnswer(buffer) }
  })

  serve(app, calls.endSession, (request) => intake.endSession({ session_id: ownSession(request) }))
  serve(app, calls.getSummary, (request) => intake.summary(ownSession(request)))

  const schoolOf = (request: FastifyRequest) => request.caller?.school_id ?? intake.schoolId

  function ownSession(request: FastifyRequest): string {
    const id = sessionIdOf(request)
    if (intake.schoolOf(id) !== schoolOf(request)) throw new Refusal('unknown session')
    return id
  }

  function known(request: FastifyRequest, id: string) {
    const session = intake.session(id)
    if (!session || session.school_id !== schoolOf(request)) throw new Refusal('unknown session')
    return session
  }
}

function serve(app: FastifyInstance, call: Call, handle: (request: FastifyRequest) => unknown): void {
  app.route({
    method: call.method,
    url: call.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { call },
    handler: async (request, reply) => {
      if (request.body instanceof OversizedBody && !call.readsText) throw new Refusal('too large')
      const answer = await handle(request)
      return reply.code(call.status).send(answer)
    },
  })
}

function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new InvalidRequest(parsed.error.issues)
  return parsed.data
}

const sessionIdOf = (request: FastifyRequest): string => parse(parameters.session, request.params).id

function sessionAnswer(session: TrackedSession) {
  const { school_id: _school, ...rest } = session
  return {
    ...rest,
    started_at: iso(session.started_at),
    ended_at: session.ended_at === null ? null : iso(session.ended_at),
    last_message_at: session.last_message_at === null ? null : iso(session.last_message_at),
  }
}

const bufferAnswer = (buffer: ReceiveResult['buffer']) => buffer.map((message) => ({ ...message, at: iso(message.at) }))

const iso = (at: number): string => new Date(at).toISOString()
