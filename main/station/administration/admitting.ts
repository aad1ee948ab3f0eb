import type { FastifyReply, FastifyRequest } from 'fastify'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Role } from '../../../shared/people.ts'
import type { Clock } from '../../platform/ports.ts'
import { readSignInToken, type SignInKeys } from '../../platform/sign-in-token.ts'
import { attemptLimit, errorSchema, rateLimiter, refusals, sameKey, type ZodApp } from '../intake/index.ts'

/** Who may say anything about the station: the people of the schools, and whoever runs it. */
export interface Administration {
  /** What verifies the people of the schools. */
  signIn: SignInKeys
  /** Of whoever runs the station, for every school; null = there is none. It is never a person's. */
  operatorToken: string | null
}

/** Who asks. */
export interface SignedIn {
  /** Id of the person; `operator` for whoever runs the station. */
  by: string
  /** Null = every school: the operator. */
  school_id: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | null
  }
}

interface Admitted {
  roles: readonly Role[]
  /** Whether whoever runs the station is admitted too. */
  operator: boolean
  /** Says who is, to somebody who is not. */
  others: string
}

/** What a call does whose callers are admitted so, and how it says so in its description. */
export interface Admitting {
  (who: Admitted): {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
    /** The refusals of whoever is not. */
    refused: ReturnType<typeof refusedAs>
  }
}

/**
 * Admits callers by the token that they present, before their body is read. Whoever tries tokens is slowed down, by
 * all calls together (429 with `Retry-After`); nobody who is admitted is.
 */
export function admitting(app: ZodApp, options: Administration & { clock: Clock }): Admitting {
  const attempts = rateLimiter(options.clock, attemptLimit)
  app.decorateRequest('signedIn', null)
  return (who) => ({
    async onRequest(request, reply) {
      const caller = await callerWith(request, options)
      const admitted = caller !== null && (caller.role === 'operator' ? who.operator : who.roles.includes(caller.role))
      if (admitted) {
        request.signedIn = caller
        return undefined
      }
      const wait = attempts(request.ip)
      if (wait > 0) {
        reply.header('retry-after', wait)
        return reply.code(429).send({ error: 'Too many attempts; try again later.' })
      }
      if (caller !== null) return reply.code(403).send({ error: who.others })
      reply.header('www-authenticate', 'Bearer realm="psyflo"')
      return reply.code(401).send({ error: 'A sign-in token is needed (Authorization: Bearer …).' })
    },
    refused: refusedAs(who.others),
  })
}

const refusedAs = (others: string) => ({
  401: errorSchema.describe('No sign-in token, or one that proves nobody'),
  403: errorSchema.describe(others),
  ...refusals(429),
})

/** The caller of a call that admits its callers. */
export function callerIn({ signedIn }: FastifyRequest): SignedIn {
  if (!signedIn) throw new Error('a call that admits nobody')
  return signedIn
}

/** Who presents this token; null where it proves nobody. */
async function callerWith(
  request: FastifyRequest,
  { signIn, operatorToken, clock }: Administration & { clock: Clock },
): Promise<(SignedIn & { role: Role | 'operator' }) | null> {
  const token = /^Bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return null
  if (operatorToken !== null && sameKey(token, operatorToken))
    return { school_id: null, by: 'operator', role: 'operator' }
  try {
    const { id, school_id, role } = await readSignInToken(token, signIn, clock.now())
    return { school_id, by: id, role }
  } catch (error) {
    if (error instanceof ConsoleError) return null
    throw error
  }
}
