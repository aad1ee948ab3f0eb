/** Who may call the intake: API keys with a school and a scope. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { apiKeyScopes, isApiKeyScope, type ApiKeyScope } from '../../../shared/api-keys.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import { normalSchoolId } from '../../../shared/school.ts'

export interface ApiKey {
  key: string
  /** Null = the station's own school. */
  school_id: string | null
  scopes: readonly ApiKeyScope[]
}

/** Who calls, as its key says. */
export interface Caller {
  /** Digest of the key, hex: stands for it where it is counted. */
  id: string
  school_id: string
  scopes: readonly ApiKeyScope[]
}

/** The callers of keys; those that name no school are of `schoolId`. */
export function callersOf(keys: readonly ApiKey[], schoolId: string): Caller[] {
  return keys.map(({ key, school_id, scopes: granted }) => ({
    id: digestOf(key),
    school_id: school_id ?? schoolId,
    scopes: granted,
  }))
}

/** Shortest key accepted, in characters: 16 random characters cannot be guessed over HTTP. */
const shortestKey = 16

/**
 * Reads keys as CONSULTX_API_KEYS and its file hold them: separated by commas or lines, each
 * `KEY`, `KEY:SCHOOL` or `KEY:SCHOOL:read+write`. Lines beginning with # are comments. Without a
 * scope a key may read and write. Throws ConsoleError `api_keys` naming the entry by number only.
 */
export function parseApiKeys(text: string): ApiKey[] {
  return text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.startsWith('#'))
    .map((entry, index, all) => {
      const [key = '', school = '', scopeNames = ''] = entry.split(':').map((part) => part.trim())
      const named = scopeNames === '' ? ['read', 'write'] : scopeNames.split('+')
      if (key.length < shortestKey) throw invalid(index, `is shorter than ${shortestKey} characters`)
      if (all.findIndex((other) => other.split(':')[0]?.trim() === key) < index)
        throw invalid(index, 'is there already, and a key opens one school')
      if (!named.every(isApiKeyScope)) throw invalid(index, `has a scope other than ${apiKeyScopes.join(', ')}`)
      return { key, school_id: normalSchoolId(school) || null, scopes: named }
    })
}

/** The caller with this key; every known digest is compared, in constant time. */
export function callerWith(callers: readonly Caller[], presented: string): Caller | null {
  const digest = Buffer.from(digestOf(presented), 'hex')
  let found: Caller | null = null
  for (const caller of callers) if (timingSafeEqual(Buffer.from(caller.id, 'hex'), digest)) found = caller
  return found
}

/** What is kept of a key: SHA-256, hex. Keys are random enough that it gives nothing away. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex')
}

/** Whether two keys are the same, in constant time. */
export function sameKey(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(a), 'hex'), Buffer.from(digestOf(b), 'hex'))
}

/** The key of `Authorization: Bearer …` or `X-API-Key: …`; null when neither is there. */
export function presentedKey(headers: Record<string, string | string[] | undefined>): string | null {
  const bearer = /^Bearer +(\S+)\s*$/i.exec(first(headers.authorization) ?? '')
  return bearer?.[1] ?? first(headers['x-api-key']) ?? null
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function invalid(index: number, problem: string): ConsoleError {
  return new ConsoleError({
    code: 'api_keys',
    happened: `API key number ${index + 1} of CONSULTX_API_KEYS ${problem}.`,
    safe: 'The intake has not been opened.',
    todo: 'Correct the entry (KEY, KEY:SCHOOL or KEY:SCHOOL:read+write) and start again.',
  })
}
