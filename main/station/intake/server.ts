/** The intake over REST (contracts §3): who may call, what is refused and how, one log entry a request. */
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal, type RefusalKind } from '../sessions/index.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import { keyFinder, presentedKey, type ApiKey } from './api-keys.ts'
import { NotJson, readBody } from './body.ts'
import type { Call } from './calls.ts'
import type { Intake } from './intake.ts'
import { openApiDocument } from './openapi.ts'
import { defaultRateLimit, rateLimiter, type RateLimit } from './rate-limit.ts'
import { InvalidRequest, sessionCalls } from './session-calls.ts'

export interface ServeOptions {
  /** Loopback on the desk: 127.0.0.1. */
  host: string
  /** 0 = any free port. */
  port: number
  keys: readonly ApiKey[]
  logger: Logger
  clock: Clock
  randomness: Randomness
  rateLimit?: RateLimit
}

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call
  }
  interface FastifyRequest {
    caller: ApiKey | null
    /** Seconds to wait when this request is one too many, else 0. */
    waitSeconds: number
  }
}

const statuses: Record<RefusalKind, number> = {
  invalid: 400,
  'unknown session': 404,
  ended: 409,
  reused: 409,
  'too large': 413,
  'too many': 429,
  'not stored': 500,
}

/** Serves an intake until closed. Rejects with the listening error (EADDRINUSE …) of the system. */
export async function serveIntake(
  intake: Intake,
  options: ServeOptions,
): Promise<{ url: string; close: () => Promise<void> }> {
  const app = buildIntakeServer(intake, options)
  const url = await app.listen({ host: options.host, port: options.port })
  return { url, close: () => app.close() }
}

/** The server without its socket. */
export function buildIntakeServer(intake: Intake, options: Omit<ServeOptions, 'host' | 'port'>): FastifyInstance {
  const { logger, randomness } = options
  const app = Fastify({
    logger: false,
    // Short, so that a log which removes identifiers leaves it alone.
    genReqId: () => randomness.bytes(6).toString('hex'),
    requestTimeout: 30_000,
    forceCloseConnections: true,
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('waitSeconds', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (_request: FastifyRequest, stream: IncomingMessage) => readBody(stream))

  app.addHook('onRequest', admission(options))
  app.addHook('onResponse', async (request, reply) => {
    logger.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unmatched',
        status: reply.statusCode,
        latency_ms: Math.round(reply.elapsedTime * 10) / 10,
        correlation_id: request.id,
      },
      'request',
    )
  })
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply, logger))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'There is no such call.' }))

  sessionCalls(app, intake)
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) =>
    intake.ready() ? { status: 'ready' } : reply.code(503).send({ error: 'The database does not answer.' }),
  )
  app.get('/openapi.json', async () => openApiDocument())
  return app
}

/** Key, scope and rate, before any body is read. Messages one too many go on: their text is read before the refusal. */
function admission({ keys, clock, rateLimit = defaultRateLimit }: Pick<ServeOptions, 'keys' | 'clock' | 'rateLimit'>) {
  const find = keyFinder(keys)
  const limiter = rateLimiter(clock, rateLimit)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-correlation-id', request.id)
    const call = request.routeOptions.config.call
    if (!call?.scope) return
    const caller = find(presentedKey(request.headers))
    if (!caller) {
      reply.header('www-authenticate', 'Bearer realm="psyflo"')
      return reply.code(401).send({ error: 'An API key is needed (Authorization: Bearer … or X-API-Key).' })
    }
    if (!caller.scopes.includes(call.scope))
      return reply.code(403).send({ error: 'This API key may not do that.', details: { scope: call.scope } })
    request.caller = caller
    request.waitSeconds = limiter(caller.key)
    if (request.waitSeconds === 0) return
    reply.header('retry-after', request.waitSeconds)
    if (!call.readsText) throw new Refusal('too many')
  }
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  if (error instanceof InvalidRequest) return reply.code(400).send({ error: error.message, details: error.problems })
  if (error instanceof NotJson) return reply.code(400).send({ error: error.message })
  if (error instanceof Refusal && error.kind !== 'not stored')
    return reply.code(statuses[error.kind]).send({ error: error.message, ...crisisDetails(error) })
  const status = (error as { statusCode?: number }).statusCode ?? 500
  // Fastify's own sentences may hold parts of the request; the status says enough.
  if (status >= 400 && status < 500) return reply.code(status).send({ error: 'The request could not be read.' })
  logger.error(
    { correlation_id: request.id, error: error instanceof Error ? error.name : typeof error },
    'request failed',
  )
  const details = { correlation_id: request.id, ...(error instanceof Refusal ? crisisDetails(error).details : {}) }
  return reply.code(500).send({ error: error instanceof Refusal ? error.message : 'Internal error.', details })
}

/** A refused crisis still gives the chat what it must show. */
function crisisDetails({ reply }: Refusal): { details?: { tier: 'crisis'; reply: string } } {
  return reply === null ? {} : { details: { tier: 'crisis', reply } }
}
