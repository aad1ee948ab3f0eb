/** API keys that are given out and revoked while the station runs. */
import { createHash } from 'node:crypto'
import type { Clock, Randomness } from '../platform/ports.ts'
import { apiKeysOf, findApiKey, insertApiKey, markRevoked, type Database } from '../store/station/index.ts'
import type { SchoolKey, Scope } from './intake/index.ts'

/** A key that was given out, without the key. Times are UTC milliseconds; `revoked_at` null = it opens. */
interface IssuedKey {
  id: string
  label: string
  scopes: string[]
  created_at: number
  revoked_at: number | null
}

/** The keys of the station's school. */
export interface Keys {
  /** The key itself is in this answer and nowhere else. */
  issue(input: { label: string; scopes: readonly Scope[] }): Promise<{ id: string; key: string }>
  list(): Promise<IssuedKey[]>
  /** From now on it opens nothing; false where there is none of this id that did. */
  revoke(id: string): Promise<boolean>
}

export function issuedKeys(
  db: Database,
  school_id: string,
  { clock, randomness }: { clock: Clock; randomness: Randomness },
): Keys & {
  /** The key that a request carries; null where it was not given out here, or was revoked. */
  find(presented: string): SchoolKey | null
} {
  return {
    issue({ label, scopes }) {
      const id = randomness.uuid()
      const key = `psyflo_${randomness.bytes(32).toString('base64url')}`
      insertApiKey(db, { id, school_id, label, scopes: [...scopes], digest: digestOf(key), created_at: clock.now() })
      return Promise.resolve({ id, key })
    },
    list: () => Promise.resolve(apiKeysOf(db, school_id).map(({ school_id: _, ...key }) => key)),
    revoke: (id) => Promise.resolve(markRevoked(db, school_id, id, clock.now())),
    find(presented) {
      // Looked up by digest: how long that takes tells nothing of the key.
      const found = findApiKey(db, digestOf(presented))
      return found && { key: presented, school_id: found.school_id, scopes: found.scopes as Scope[] }
    },
  }
}

const digestOf = (key: string): string => createHash('sha256').update(key, 'utf8').digest('hex')
