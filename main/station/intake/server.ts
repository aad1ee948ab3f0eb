/** The intake over REST (contracts §3): who may call, what is refused and how, one log entry a request. */
import type { IncomingMessage } from 'node:http'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { z } from 'zod'
import { DatabaseGone } from '../../store/station/index.ts'
import { Refusal, type RefusalKind } from '../sessions/index.ts'
import { minutes } from '../../../shared/time.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import { presentedKey, type Caller, type Scope } from './api-keys.ts'
import { NotJson, OversizedBody, readBody } from './body.ts'
import { chatPageRoutes } from './chat-page.ts'
import type { SchoolIntake } from './intake.ts'
import { defaultRateLimit, rateLimiter, type RateLimit } from './rate-limit.ts'
import { healthSchema, readySchema, refusals } from './schemas.ts'
import { NotAllowed, sessionRoutes } from './session-routes.ts'

export interface ServerOptions {
  /** Who calls with this key; null for an unknown or revoked one. */
  findCaller: (presented: string) => Promise<Caller | null>
  intakeOf: (schoolId: string) => SchoolIntake
  /** Whether messages can be taken. */
  isReady: () => Promise<boolean>
  /** Since when no event gets through (UTC ms); null while they do. What is taken is kept meanwhile. */
  publishFailingSince?: () => number | null
  logger: Logger
  clock: Clock
  randomness: Randomness
  rateLimit?: RateLimit
  /** Whether the chat page is served. */
  chatPage?: boolean
}

/** A server whose routes are typed, parsed and serialised by their zod schemas. */
export type ZodApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key must be allowed to; without it no key is asked for. */
    scope?: Scope
    /** Its body may hold a student's words: they are assessed before any refusal by size or rate. */
    readsText?: boolean
  }
  interface FastifyRequest {
    caller: Caller | null
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
  unavailable: 503,
}

/** After how long of failing that is said of publishing (milliseconds). */
const publishPatience = minutes(1)
/** When to try again where the database does not answer (seconds). */
const retryAfter = 5

/** Serves until closed. Rejects with the listening error (EADDRINUSE …) of the system. */
export async function serveIntake(
  options: ServerOptions,
  address: { host: string; port: number },
): Promise<{ url: string; close: () => Promise<void> }> {
  const app = buildIntakeServer(options)
  const url = await app.listen(address)
  return { url, close: () => app.close() }
}

/** The server without its socket. */
export function buildIntakeServer(options: ServerOptions): FastifyInstance {
  const { logger, randomness } = options
  const app = Fastify({
    logger: false,
    // Short, so that a log which removes identifiers leaves it alone.
    genReqId: () => randomness.bytes(6).toString('hex'),
    requestTimeout: 30_000,
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', null)
  app.decorateRequest('waitSeconds', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (_request: FastifyRequest, stream: IncomingMessage) => readBody(stream))

  app.addHook('onRequest', admission(options))
  app.addHook('preValidation', async (request) => {
    if (request.body instanceof OversizedBody && !request.routeOptions.config.readsText) throw new Refusal('too large')
  })
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

  if (options.chatPage) chatPageRoutes(app)
  void app.register(swagger, description)
  // A plugin of its own: only what is declared after the description is loaded stands in it.
  void app.register((routes, _options, done) => {
    const typed = routes.withTypeProvider<ZodTypeProvider>()
    const callerOf = ({ caller }: FastifyRequest): Caller => {
      if (!caller) throw new Error('a session call without a scope')
      return caller
    }
    sessionRoutes(typed, {
      clock: options.clock,
      callerOf,
      intakeOf: (request) => options.intakeOf(callerOf(request).school_id),
    })
    ownRoutes(typed, options)
    done()
  })
  return app
}

const openApiVersion = '3.1.0'

/** The head of /openapi.json; its paths come from the routes and their schemas. */
const description: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: openApiVersion,
    info: { title: 'PsyFlo intake', version: '1' },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
    security: [{ bearer: [] }, { apiKey: [] }],
  },
  transform: jsonSchemaTransform,
}

/** What the server says of itself, to anybody. */
function ownRoutes(app: ZodApp, { isReady, clock, publishFailingSince = () => null }: ServerOptions): void {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'health',
        summary: 'The process answers.',
        security: [],
        response: { 200: healthSchema.describe('It does') },
      },
    },
    () => ({ status: 'ok' as const }),
  )
  app.get(
    '/ready',
    {
      schema: {
        operationId: 'ready',
        summary: 'Messages can be taken: the database answers. Whether their events get through is said beside it.',
        security: [],
        response: { 200: readySchema.describe('They can'), ...refusals(503) },
      },
    },
    async (_request, reply) => {
      if (!(await isReady())) return reply.code(503).send({ error: 'The database does not answer.' })
      const since = publishFailingSince()
      const failing = since !== null && clock.now() - since >= publishPatience
      return { status: 'ready' as const, publishing: failing ? ('failing' as const) : ('ok' as const) }
    },
  )
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'describe',
        summary: 'This description.',
        security: [],
        response: { 200: z.looseObject({ openapi: z.string() }).describe('OpenAPI 3.1') },
      },
    },
    () => ({ ...app.swagger(), openapi: openApiVersion }),
  )
}

/** Key, scope and rate, before any body is read. Messages one too many go on: their text is assessed before the refusal. */
function admission({
  findCaller,
  clock,
  rateLimit = defaultRateLimit,
}: Pick<ServerOptions, 'findCaller' | 'clock' | 'rateLimit'>) {
  const limiter = rateLimiter(clock, rateLimit)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-correlation-id', request.id)
    const { scope, readsText } = request.routeOptions.config
    if (!scope) return
    const presented = presentedKey(request.headers)
    const caller = presented === null ? null : await findCaller(presented)
    if (!caller) {
      reply.header('www-authenticate', 'Bearer realm="psyflo"')
      return reply.code(401).send({ error: 'An API key is needed (Authorization: Bearer … or X-API-Key).' })
    }
    if (!caller.scopes.includes(scope)) throw new NotAllowed(scope)
    request.caller = caller
    request.waitSeconds = limiter(caller.id)
    if (request.waitSeconds === 0) return
    reply.header('retry-after', request.waitSeconds)
    if (!readsText) throw new Refusal('too many')
  }
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  if (hasZodFastifySchemaValidationErrors(error))
    return reply.code(400).send({ error: 'The request is not valid.', details: problemsOf(error.validation) })
  if (error instanceof NotJson) return reply.code(400).send({ error: error.message })
  if (error instanceof NotAllowed)
    return reply.code(403).send({ error: error.message, details: { scope: error.scope } })
  if (error instanceof DatabaseGone || (error instanceof Refusal && error.kind === 'unavailable')) {
    logger.error({ correlation_id: request.id }, 'the database does not answer')
    const details = { correlation_id: request.id, ...(error instanceof Refusal ? crisisDetails(error).details : {}) }
    return reply.code(503).header('retry-after', retryAfter).send({ error: error.message, details })
  }
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

/** Where a request does not fit its schema and how, never what it held. */
function problemsOf(validation: readonly { instancePath: string; message?: string }[]) {
  return validation.map(({ instancePath, message = 'is not valid' }) => ({
    path: instancePath.replace(/^\//, '').replaceAll('/', '.'),
    problem: message,
  }))
}

/** A refused crisis still gives the chat what it must show. */
function crisisDetails({ reply }: Refusal): { details?: { tier: 'crisis'; reply: string } } {
  return reply === null ? {} : { details: { tier: 'crisis', reply } }
}
