import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { z } from 'zod'
import { ConsoleError } from '../../shared/errors.ts'
import { roles, roleSchema, type Person } from '../../shared/people.ts'
import { normalSchoolId } from '../../shared/school.ts'

export interface SignInKeys {
  jwtSecret: string | null
  jwksUrl: string | null
  /** What `iss` must be; null = not asked. */
  jwtIssuer: string | null
  /** What `aud` must be, or hold; null = not asked. */
  jwtAudience: string | null
}

/** No NUL, which no database takes. */
const word = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0]*$/)
/** Names that are nobody's: the clock's own, and that of whoever runs a station. */
const reservedIds = ['system', 'operator']
const claimsSchema = z.object({
  sub: word.refine((sub) => !reservedIds.includes(sub)),
  school_id: word.overwrite(normalSchoolId).min(1),
  role: z
    .string()
    .transform((role) => role.toUpperCase())
    .pipe(roleSchema),
  name: word.optional(),
})

/** Clock skew allowed, seconds. */
const clockTolerance = 60

/** What a claim must be, where more can be said than that it cannot be used. */
const wanted: Record<string, string> = {
  sub: 'a person’s id of 1 to 200 characters',
  school_id: 'a school’s id of 1 to 200 characters',
  role: `${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}`,
  name: 'a name of 1 to 200 characters',
  iss: 'that of PSYFLO_JWT_ISSUER',
  aud: 'that of PSYFLO_JWT_AUDIENCE',
  iat: 'a time that is past',
  nbf: 'a time that is past',
}

/**
 * The person of a school's token (JWT: sub, school_id, role, name, iat, exp). The algorithm is pinned by
 * the kind of key: HS256 with a shared secret, RS256 or ES256 with the school's key set. Throws
 * ConsoleError `sign_in_*` when the token proves nobody; it names the claim at fault, never a value.
 */
export async function readSignInToken(token: string, keys: SignInKeys, now: number): Promise<Person> {
  const payload = await verify(token, keys, now)
  const claims = claimsSchema.safeParse(payload)
  if (!claims.success) {
    const claim = String(claims.error.issues[0]?.path[0])
    throw wrongClaim(claim, payload[claim] === undefined)
  }
  const { sub, school_id, role, name } = claims.data
  return { id: sub, name: name ?? sub, role, school_id }
}

async function verify(token: string, keys: SignInKeys, now: number): Promise<JWTPayload> {
  const { jwtSecret, jwksUrl, jwtIssuer, jwtAudience } = keys
  const options = {
    currentDate: new Date(now),
    clockTolerance,
    requiredClaims: ['exp', 'iat'],
    maxTokenAge: '24h',
    ...(jwtIssuer !== null && { issuer: jwtIssuer }),
    ...(jwtAudience !== null && { audience: jwtAudience }),
  }
  try {
    if (jwtSecret !== null) {
      const key = new TextEncoder().encode(jwtSecret)
      return (await jwtVerify(token, key, { ...options, algorithms: ['HS256'] })).payload
    }
    if (jwksUrl !== null) {
      return (await jwtVerify(token, keySetAt(jwksUrl), { ...options, algorithms: ['RS256', 'ES256'] })).payload
    }
  } catch (cause) {
    throw explain(cause, jwtSecret !== null)
  }
  throw refused(
    'sign_in_no_key',
    'There is a sign-in token, but nothing to verify it with.',
    'Set PSYFLO_JWT_SECRET to the secret it was signed with, or PSYFLO_JWKS_URL to the school’s key set.',
  )
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** The key set at an address, asked again where it lacks the key of a token: not for every request of an admin. */
function keySetAt(url: string): ReturnType<typeof createRemoteJWKSet> {
  const found = keySets.get(url) ?? createRemoteJWKSet(new URL(url), { timeoutDuration: 5000 })
  keySets.set(url, found)
  return found
}

/** Why a token was not accepted. `shared`: it is verified with the shared secret. */
function explain(cause: unknown, shared: boolean): ConsoleError {
  if (cause instanceof errors.JWTExpired) {
    const happened =
      cause.claim === 'iat'
        ? 'The sign-in token was issued more than 24 hours ago (claim iat).'
        : 'The sign-in token has expired (claim exp).'
    return refused('sign_in_expired', happened, 'Set a fresh token in PSYFLO_SIGN_IN_TOKEN.', cause)
  }
  if (cause instanceof errors.JWTClaimValidationFailed)
    return wrongClaim(cause.claim, cause.reason === 'missing', cause)
  const unverified = (why: string, todo: string) =>
    refused('sign_in_refused', `The sign-in token could not be verified. ${why}`, todo, cause)
  const keys = shared ? 'PSYFLO_JWT_SECRET' : 'PSYFLO_JWKS_URL'
  if (cause instanceof errors.JWSSignatureVerificationFailed || cause instanceof errors.JWKSNoMatchingKey)
    return unverified(
      shared
        ? 'It was not signed with the secret in PSYFLO_JWT_SECRET.'
        : 'It was not signed with any key at PSYFLO_JWKS_URL.',
      `Set a token in PSYFLO_SIGN_IN_TOKEN and the key it was signed with in ${keys}.`,
    )
  if (cause instanceof errors.JOSEAlgNotAllowed)
    return unverified(
      shared
        ? 'With PSYFLO_JWT_SECRET a token is signed with HS256; this one is not.'
        : 'With PSYFLO_JWKS_URL a token is signed with RS256 or ES256; this one is not.',
      'Have it signed again, or set the other kind of key.',
    )
  if (cause instanceof errors.JWTInvalid || cause instanceof errors.JWSInvalid)
    return unverified('It is not a signed JWT (three parts separated by dots).', 'Copy the whole token again.')
  if (!shared)
    return unverified(
      'The key set at PSYFLO_JWKS_URL could not be read.',
      'Check the address, and that this computer can reach it.',
    )
  return unverified('Its form is unknown here.', 'Copy the whole token again, and its secret into PSYFLO_JWT_SECRET.')
}

function wrongClaim(claim: string, missing: boolean, cause?: unknown): ConsoleError {
  const happened = missing
    ? `The sign-in token has no claim ${claim}.`
    : `The sign-in token’s claim ${claim} is not ${wanted[claim] ?? 'one that can be used'}.`
  const todo =
    claim === 'iat'
      ? 'Compare this computer’s clock with that of the computer that issued the token, or request a new token.'
      : 'Request a token with every claim; `npm run doctor -- --help` lists them.'
  return refused('sign_in_claim', happened, todo, cause)
}

function refused(code: string, happened: string, todo: string, cause?: unknown): ConsoleError {
  return new ConsoleError({ code, happened, safe: 'No one was signed in, and nothing was changed.', todo }, { cause })
}
