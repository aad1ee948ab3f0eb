/** Who may call the intake: API keys with a school and a scope. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { ConsoleError } from '../../../shared/errors.ts'
import { normalSchoolId } from '../../../shared/school.ts'

const scopes = ['read', 'write', 'analytics'] as const
export type Scope = (typeof scopes)[number]

export interface ApiKey {
  key: string
  /** Null = the station's own school. */
  school_id: string | null
  scopes: readonly Scope[]
}

/** A key whose school is settled. */
export interface SchoolKey extends ApiKey {
  school_id: string
}

/** Gives the keys that name no school the station's own. */
export function withSchool(keys: readonly ApiKey[], schoolId: string): SchoolKey[] {
  return keys.map((key) => ({ ...key, school_id: key.school_id ?? schoolId }))
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
    .map((entry, index) => {
      const [key = '', school = '', scopeNames = ''] = entry.split(':').map((part) => part.trim())
      const named = scopeNames === '' ? ['read', 'write'] : scopeNames.split('+')
      if (key.length < shortestKey) throw invalid(index, `is shorter than ${shortestKey} characters`)
      if (!named.every(isScope)) throw invalid(index, `has a scope other than ${scopes.join(', ')}`)
      return { key, school_id: normalSchoolId(school) || null, scopes: named }
    })
}

/** Finds the key a request carries; every known key is compared, in constant time. */
export function keyFinder(keys: readonly SchoolKey[]): (presented: string | null) => SchoolKey | null {
  const known = keys.map((key) => ({ key, digest: digestOf(key.key) }))
  return (presented) => {
    if (presented === null) return null
    const digest = digestOf(presented)
    let found: SchoolKey | null = null
    for (const each of known) if (timingSafeEqual(each.digest, digest)) found = each.key
    return found
  }
}

/** Whether two keys are the same, in constant time. */
export function sameKey(a: string, b: string): boolean {
  return timingSafeEqual(digestOf(a), digestOf(b))
}

/** The key of `Authorization: Bearer …` or `X-API-Key: …`; null when neither is there. */
export function presentedKey(headers: Record<string, string | string[] | undefined>): string | null {
  const bearer = /^Bearer +(\S+)\s*$/i.exec(first(headers.authorization) ?? '')
  return bearer?.[1] ?? first(headers['x-api-key']) ?? null
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
const digestOf = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest()
const isScope = (name: string): name is Scope => (scopes as readonly string[]).includes(name)

function invalid(index: number, problem: string): ConsoleError {
  return new ConsoleError({
    code: 'api_keys',
    happened: `API key number ${index + 1} of CONSULTX_API_KEYS ${problem}.`,
    safe: 'The intake has not been opened.',
    todo: 'Correct the entry (KEY, KEY:SCHOOL or KEY:SCHOOL:read+write) and start again.',
  })
}
