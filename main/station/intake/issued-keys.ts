/** API keys that the station gives out by itself: of each only a digest is kept. */
import { isApiKeyScope, type ApiKeyScope } from '../../../shared/api-keys.ts'
import { seconds } from '../../../shared/time.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import type { Clock, Randomness } from '../../platform/ports.ts'
import { insertApiKey, markRevoked, storedApiKeys, type StationStore } from '../../store/station/index.ts'
import { callerWith, digestOf, type Caller } from './api-keys.ts'

/** A key as it is listed: never the key itself. Times are UTC milliseconds. */
export interface IssuedKey {
  id: string
  school_id: string
  /** What whoever made it calls it. */
  label: string
  scopes: ApiKeyScope[]
  created_at: number
  revoked_at: number | null
}

export interface IssuedKeys {
  /** Makes a key for a school, with secrets of its own where it is new here. The key is answered this once. */
  issueApiKey(key: {
    school_id: string
    label: string
    scopes: readonly ApiKeyScope[]
  }): Promise<{ id: string; key: string }>
  /** The keys of a school, or of every school (null), oldest first, revoked ones included. */
  listApiKeys(schoolId: string | null): Promise<IssuedKey[]>
  /** From now on the key opens nothing: here at once, at other stations within seconds. False where there is none to revoke. */
  revokeApiKey(key: { school_id: string; id: string }): Promise<boolean>
  /**
   * Who calls with this key; null for an unknown or revoked one. Throws DatabaseGone where the database does not answer
   * and the key is none of those known before: it may be good.
   */
  find(presented: string): Promise<Caller | null>
}

/** How long what other stations have issued or revoked may be unknown here. */
const freshFor = seconds(2)

export function issuedKeys(options: {
  store: StationStore
  clock: Clock
  randomness: Randomness
  /** Makes a school known: keys are given to no school without secrets. */
  ensureSchool(schoolId: string): Promise<unknown>
}): IssuedKeys {
  const { store, clock, randomness } = options
  /** `at`: when they were asked for; null = something was changed since, and they hold only while nobody can look. */
  let kept: { callers: (Caller & { key_id: string })[]; at: number | null } | null = null
  /** How often something was changed here: a look that began before a change is told no more as what is. */
  let changes = 0
  const changed = (): void => {
    changes += 1
    if (kept) kept.at = null
  }

  const refresh = async (): Promise<Caller[]> => {
    const [at, seen] = [clock.now(), changes]
    const rows = await store.asStation((unit) => storedApiKeys(unit))
    if (seen !== changes) return refresh()
    const callers = rows
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ id, digest, school_id, scopes }) => ({ id: digest, key_id: id, school_id, scopes: scopesIn(scopes) }))
    kept = { callers, at }
    return callers
  }
  const find = async (presented: string): Promise<Caller | null> => {
    const age = kept?.at == null ? null : clock.now() - kept.at
    if (kept && age !== null && age >= 0 && age < freshFor) return callerWith(kept.callers, presented)
    try {
      return callerWith(await refresh(), presented)
    } catch (error) {
      // While the database is away, the keys read before stay valid, so that a crisis is answered even then.
      const known = callerWith(kept?.callers ?? [], presented)
      // A good key must not look unknown because nobody could look: that is said, and tried again.
      if (known === null) throw error
      return known
    }
  }

  return {
    async issueApiKey({ label, scopes, ...given }) {
      const school_id = normalSchoolId(given.school_id)
      await options.ensureSchool(school_id)
      const id = randomness.uuid()
      const key = `psyflo-${randomness.bytes(24).toString('base64url')}`
      const row = { id, school_id, label, digest: digestOf(key), scopes: scopes.join('+'), created_at: clock.now() }
      await store.asSchool(school_id, (unit) => insertApiKey(unit, row))
      changed()
      return { id, key }
    },
    listApiKeys: (schoolId) => listIssuedKeys(store, schoolId),
    async revokeApiKey({ id, ...given }) {
      const school_id = normalSchoolId(given.school_id)
      const revoked = await store.asSchool(school_id, (unit) => markRevoked(unit, { school_id, id }, clock.now()))
      changed()
      if (kept && revoked) kept.callers = kept.callers.filter(({ key_id }) => key_id !== id)
      return revoked
    },
    find,
  }
}

/** The keys of a school, or of every school (null), oldest first, revoked ones included. Only reads. */
export async function listIssuedKeys(
  store: Pick<StationStore, 'asSchool' | 'asStation'>,
  schoolId: string | null,
): Promise<IssuedKey[]> {
  const school_id = schoolId === null ? null : normalSchoolId(schoolId)
  const rows = await (school_id === null
    ? store.asStation((unit) => storedApiKeys(unit))
    : store.asSchool(school_id, (unit) => storedApiKeys(unit, school_id)))
  return rows.map(({ digest: _, scopes, ...row }) => ({ ...row, scopes: scopesIn(scopes) }))
}

const scopesIn = (text: string): ApiKeyScope[] => text.split('+').filter(isApiKeyScope)
