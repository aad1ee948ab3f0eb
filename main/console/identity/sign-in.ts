import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import { z } from 'zod'
import { ConsoleError } from '../../../shared/errors.ts'
import { roleSchema, type Person } from '../../../shared/people.ts'
import { normalSchoolId } from '../../../shared/school.ts'

export interface SignInKeys {
  jwtSecret: string | null
  jwksUrl: string | null
}

const claimsSchema = z.object({
  // `system` is the clock's own name.
  sub: z
    .string()
    .min(1)
    .max(200)
    .refine((sub) => sub !== 'system'),
  school_id: z.string().min(1).max(200).transform(normalSchoolId),
  role: z
    .string()
    .transform((role) => role.toUpperCase())
    .pipe(roleSchema),
  name: z.string().min(1).max(200).optional(),
})

/** Clock skew allowed, seconds. */
const clockTolerance = 60

/**
 * The person of a school's token (JWT: sub, school_id, role, iat, exp). The algorithm is pinned by
 * the kind of key: HS256 with a shared secret, RS256 or ES256 with the school's key set. Throws
 * ConsoleError `sign_in_*` when the token proves nobody.
 */
export async function readSignInToken(token: string, keys: SignInKeys, now: number): Promise<Person> {
  const payload = await verify(token, keys, now)
  const claims = claimsSchema.safeParse(payload)
  if (!claims.success) {
    throw refused('sign_in_role', 'The sign-in token names no school or no role that may use this console.')
  }
  const { sub, school_id, role, name } = claims.data
  return { id: sub, name: name ?? sub, role, school_id }
}

async function verify(token: string, { jwtSecret, jwksUrl }: SignInKeys, now: number): Promise<JWTPayload> {
  const options = { currentDate: new Date(now), clockTolerance, requiredClaims: ['exp', 'iat'], maxTokenAge: '24h' }
  try {
    if (jwtSecret !== null) {
      const key = new TextEncoder().encode(jwtSecret)
      return (await jwtVerify(token, key, { ...options, algorithms: ['HS256'] })).payload
    }
    if (jwksUrl !== null) {
      decodeProtectedHeader(token)
      const key = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5000 })
      return (await jwtVerify(token, key, { ...options, algorithms: ['RS256', 'ES256'] })).payload
    }
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw refused('sign_in_expired', 'The sign-in token has expired.', cause)
    throw refused('sign_in_refused', 'The sign-in token could not be verified.', cause)
  }
  throw refused('sign_in_no_key', 'There is a sign-in token, but nothing to verify it with.')
}

function refused(code: string, happened: string, cause?: unknown): ConsoleError {
  return new ConsoleError(
    {
      code,
      happened,
      safe: 'Nobody was signed in, and nothing was changed.',
      todo: 'Set a fresh token in PSYFLO_SIGN_IN_TOKEN, and its secret in PSYFLO_JWT_SECRET or its keys in PSYFLO_JWKS_URL.',
    },
    { cause },
  )
}
