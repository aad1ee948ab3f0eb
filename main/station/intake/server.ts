/** The intake over REST (contracts §3): who may call, what is refused and how, one log entry a request. */
import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
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
import { endsOf, Refusal, type RefusalKind } from '../sessions/index.ts'
import type { ApiKeyScope } from '../../../shared/api-keys.ts'
import { seconds } from '../../../shared/time.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import type { StationMetrics } from '../metrics.ts'
import type { Replies } from '../replies/index.ts'
import { presentedKey, sameKey, type Caller } from './api-keys.ts'
import { NotJson, OtherType, OversizedBody, readBody, UnreadableText } from './body.ts'
import { chatPageRoutes } from './chat-page.ts'
import type { MessageSender, SchoolIntake } from './intake.ts'
import { isListed, isLocalPeer, isSecure } from './proxies.ts'
import { attemptLimit, defaultRateLimit, rateLimiter, type RateLimit } from './rate-limit.ts'
import { healthSchema, readySchema, refusals } from './schemas.ts'
import { NotAllowed, sessionRoutes } from './session-routes.ts'

export interface ServerOptions {
  /** Who calls with this key; null for an unknown or revoked one. Throws DatabaseGone where nobody could look. */
  findCaller: (presented: string) => Promise<Caller | null>
  /** The crisis reply to a text by itself, or to its two ends, of a sender who could not be looked up; null where it is no crisis. */
  replyAlone: (sender: MessageSender, text: string) => string | null
  intakeOf: (schoolId: string) => SchoolIntake
  /** Whether messages can be taken. */
  isReady: () => Promise<boolean>
  /** What does not work as it should although messages can be taken, for /ready. */
  degraded?: () => string[]
  /** Null or absent = there is no /metrics. */
  metrics?: StationMetrics | null
  /** Who answers students; null or absent = nobody here. */
  replies?: Replies | null
  reach?: Reach
  logger: Logger
  clock: Clock
  randomness: Randomness
  rateLimit?: RateLimit
  /** Adds calls of the station that are no chat's; they see to their own admission. */
  moreRoutes?: (app: ZodApp) => void
  /** Whether the chat page is served. */
  chatPage?: boolean
  /** How long a close waits for requests in hand (milliseconds). */
  patience?: number
}

/** From where the server can be reached. */
export interface Reach {
  /** The proxies that speak TLS in front; null = none, and whoever calls is on this machine. */
  trustedProxies: BlockList | null
  /** Whether others than this machine reach it: then /metrics asks for a key, or for this token. */
  isPublic: boolean
  operatorToken: string | null
}
const thisMachineOnly: Reach = { trustedProxies: null, isPublic: false, operatorToken: null }

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
    scope?: ApiKeyScope
    /** Its body may hold a student's words: they are assessed before any refusal by size or rate. */
    readsText?: boolean
  }
  interface FastifyRequest {
    caller: Caller | null
    /** Seconds to wait when this request is one too many, else 0. */
    waitSeconds: number
    /** It came once the station had begun to stop. */
    cameTooLate: boolean
    /** The database does not answer, and its key is none of those that are known without it. */
    couldNotBeLookedUp: boolean
  }
}

const statuses: Record<RefusalKind, number> = {
  invalid: 400,
  'unknown session': 404,
  ended: 409,
  reused: 409,
  overtaken: 409,
  'too recent': 400,
  'too large': 413,
  'too many': 429,
  'not stored': 500,
  unavailable: 503,
  stopping: 503,
}

/** When to try again where the database does not answer, or where the station stops (seconds). */
const retryAfter = 5

/**
 * Serves until closed. Rejects with the listening error (EADDRINUSE …) of the system. A close refuses what comes
 * from then on (503; a message once its text is assessed), lets what is in hand finish, for `patience` at most, and
 * only then hangs up.
 */
export async function serveIntake(
  options: ServerOptions,
  address: { host: string; port: number },
): Promise<{ url: string; close: () => Promise<void> }> {
  const { clock, patience = seconds(6) } = options
  const closing = { begun: false }
  const app = buildIntakeServer(options, closing)
  let inHand = 0
  let onIdle = (): void => undefined
  app.addHook('onRequest', async (_request, { raw }) => {
    inHand += 1
    raw.once('close', () => {
      inHand -= 1
      if (inHand === 0) onIdle()
    })
  })
  const url = await app.listen(address)
  return {
    url,
    async close() {
      closing.begun = true
      if (inHand > 0)
        await new Promise<void>((resolve) => {
          const cancel = clock.after(patience, resolve)
          onIdle = () => {
            cancel()
            resolve()
          }
        })
      await app.close()
    },
  }
}

/** The server without its socket. Once `closing` has begun, it takes nothing more; a refused text is assessed. */
export function buildIntakeServer(options: ServerOptions, closing = { begun: false }): FastifyInstance {
  const { logger, randomness, metrics, reach = thisMachineOnly } = options
  const { trustedProxies } = reach
  const app = Fastify({
    logger: false,
    // Whose address counts for the limits: a header says it only where one of the own proxies wrote it.
    trustProxy: trustedProxies !== null && ((address) => isListed(trustedProxies, address)),
    // Short, so that a log which removes identifiers leaves it alone.
    genReqId: () => randomness.bytes(6).toString('hex'),
    requestTimeout: 30_000,
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', null)
  app.decorateRequest('waitSeconds', 0)
  app.decorateRequest('cameTooLate', false)
  app.decorateRequest('couldNotBeLookedUp', false)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (_request: FastifyRequest, stream: IncomingMessage) => readBody(stream))
  app.addContentTypeParser('*', async ({ routeOptions }: FastifyRequest, stream: IncomingMessage) => {
    if (!routeOptions.config.readsText) throw new OtherType()
    return readBody(stream, true)
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-correlation-id', request.id)
    if (closing.begun) {
      reply.headers({ connection: 'close', 'retry-after': retryAfter })
      if (!request.routeOptions.config.readsText) throw new Refusal('stopping')
      request.cameTooLate = true
    }
    if (trustedProxies !== null && !arrivedSafely(request, trustedProxies))
      return reply.code(403).send({ error: 'This station is called over TLS only: use its https address.' })
  })
  app.addHook('onRequest', admission(options))
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.readsText) return
    if (request.body instanceof OversizedBody) throw new Refusal('too large')
    if (request.body instanceof UnreadableText) throw new NotJson()
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched'
    metrics?.requestAnswered(request.method, route, reply.statusCode, reply.elapsedTime)
    logger.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        latency_ms: Math.round(reply.elapsedTime * 10) / 10,
        correlation_id: request.id,
      },
      'request',
    )
  })
  app.setErrorHandler((error, request, reply) => {
    if (request.caller !== null && isUnattended(error)) metrics?.crisisUnattended()
    return refuse(error, request, reply, logger)
  })
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
      replies: options.replies ?? null,
      refuseUnknown: (sender, text) => {
        // Anybody may be behind it: what it costs to read is bounded, however much came.
        const reply = options.replyAlone(sender, endsOf(text))
        if (reply !== null) metrics?.crisisOfUnknown()
        throw new Refusal('unavailable', reply)
      },
    })
    ownRoutes(typed, options)
    options.moreRoutes?.(typed)
    if (metrics) metricsRoute(typed, metrics, options, reach)
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
function ownRoutes(app: ZodApp, { isReady, degraded = () => [] }: ServerOptions): void {
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
        summary: 'Messages can be taken: the database answers and has room. What does not work all the same is named.',
        security: [],
        response: { 200: readySchema.describe('They can'), ...refusals(503) },
      },
    },
    async (_request, reply) =>
      (await isReady())
        ? { status: 'ready' as const, degraded: degraded() }
        : reply.code(503).send({ error: 'The database does not answer, or has no room.' }),
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

/** The figures, to anybody on this machine; where others reach the server, to an analyst's key or the operator. */
function metricsRoute(
  app: ZodApp,
  metrics: StationMetrics,
  { findCaller, clock }: Pick<ServerOptions, 'findCaller' | 'clock'>,
  reach: Reach,
): void {
  const { operatorToken } = reach
  const attempts = rateLimiter(clock, attemptLimit)
  const problemOf = async (presented: string | null): Promise<401 | 403 | null> => {
    if (!reach.isPublic || (presented !== null && operatorToken !== null && sameKey(presented, operatorToken)))
      return null
    const caller = presented === null ? null : await findCaller(presented)
    return caller === null ? 401 : caller.scopes.includes('analytics') ? null : 403
  }
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'metrics',
        summary: 'Figures in Prometheus text; where others than this machine reach the server, for a key only.',
        security: [{}, { bearer: [] }, { apiKey: [] }],
        response: {
          200: { description: 'The figures', content: { 'text/plain': { schema: z.string() } } },
          ...refusals(401, 403, 429),
        },
      },
    },
    async (request, reply) => {
      const problem = await problemOf(presentedKey(request.headers))
      const wait = problem === null ? 0 : attempts(request.ip)
      if (wait > 0) {
        reply.header('retry-after', wait)
        throw new Refusal('too many')
      }
      if (problem === 401) return unauthenticated(reply)
      if (problem === 403) return notInScope(reply, 'analytics')
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  )
}

function unauthenticated(reply: FastifyReply): FastifyReply {
  reply.header('www-authenticate', 'Bearer realm="psyflo"')
  return reply.code(401).send({ error: 'An API key is needed (Authorization: Bearer … or X-API-Key).' })
}

function notInScope(reply: FastifyReply, scope: ApiKeyScope): FastifyReply {
  return reply.code(403).send({ error: 'This API key may not do that.', details: { scope } })
}

/** Whether nobody on the way could read the request: TLS up to one of the own proxies, or this machine alone. */
function arrivedSafely({ socket, headers }: FastifyRequest, proxies: BlockList): boolean {
  return isListed(proxies, socket.remoteAddress) ? isSecure(headers) : isLocalPeer(socket.remoteAddress)
}

/** Key, scope and rate, before any body is read. Messages one too many go on: their text is assessed before the refusal. */
function admission({
  findCaller,
  clock,
  rateLimit = defaultRateLimit,
}: Pick<ServerOptions, 'findCaller' | 'clock' | 'rateLimit'>) {
  const limiter = rateLimiter(clock, rateLimit)
  const attempts = rateLimiter(clock, attemptLimit)
  const goneOr = (request: FastifyRequest) => (error: unknown) => {
    if (!(error instanceof DatabaseGone) || !request.routeOptions.config.readsText) throw error
    request.couldNotBeLookedUp = true
    return null
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { scope, readsText } = request.routeOptions.config
    if (!scope) return
    const presented = presentedKey(request.headers)
    const caller = presented === null ? null : await findCaller(presented).catch(goneOr(request))
    if (!caller) {
      // Whoever tries keys is slowed down; nobody is whose key is known.
      const wait = attempts(request.ip)
      if (wait > 0) {
        reply.header('retry-after', wait)
        throw new Refusal('too many')
      }
      // Its text is assessed before the refusal, whoever it may be.
      return request.couldNotBeLookedUp ? undefined : unauthenticated(reply)
    }
    if (!caller.scopes.includes(scope)) return notInScope(reply, scope)
    request.caller = caller
    // Whoever may tell a past tells years of it, and only whom the school has given such a key to.
    request.waitSeconds = caller.scopes.includes('backfill') ? 0 : limiter(caller.id)
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
    return reply
      .code(403)
      .send({ error: error.message, details: { scope: error.scope, ...crisisDetails(error).details } })
  if (error instanceof DatabaseGone || (error instanceof Refusal && error.kind === 'unavailable')) {
    logger.error({ correlation_id: request.id }, 'the database does not answer, or has no room')
    const details = { correlation_id: request.id, ...(error instanceof Refusal ? crisisDetails(error).details : {}) }
    return reply.code(503).header('retry-after', retryAfter).send({ error: error.message, details })
  }
  if (error instanceof Refusal && error.kind !== 'not stored')
    return reply
      .code(isOtherType(request) ? 415 : statuses[error.kind])
      .send({ error: error.message, ...crisisDetails(error) })
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

const isOtherType = ({ body }: FastifyRequest): boolean => body instanceof UnreadableText && body.isOtherType

/** Where a request does not fit its schema and how, never what it held. */
function problemsOf(validation: readonly { instancePath: string; message?: string }[]) {
  return validation.map(({ instancePath, message = 'is not valid' }) => ({
    path: instancePath.replace(/^\//, '').replaceAll('/', '.'),
    problem: message,
  }))
}

/** Whether a crisis was shown the protocol and is kept nowhere. */
const isUnattended = (error: unknown): boolean =>
  error instanceof Refusal && error.reply !== null && (error.kind === 'unavailable' || error.kind === 'not stored')

/** A refused crisis still gives the chat what it must show. */
function crisisDetails({ reply }: Pick<Refusal, 'reply'>): { details?: { tier: 'crisis'; reply: string } } {
  return reply === null ? {} : { details: { tier: 'crisis', reply } }
}
