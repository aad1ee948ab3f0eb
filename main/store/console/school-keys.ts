/** The content keys that this console holds, and the events that brought them sealed. */
import type { SchoolKeySealed } from '../../../shared/events.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

export interface SchoolKey {
  school_id: string
  key_id: string
  /** 32 bytes. */
  content_key: Buffer
  /** Fingerprint of this console's keys to which it was sealed. */
  fingerprint: string
  /** UTC milliseconds. */
  approved_at: number
}

/** Keeps a content key; the same again changes nothing. */
export function insertSchoolKey(db: Database, key: SchoolKey): void {
  prepared(
    db,
    `INSERT INTO school_keys (school_id, key_id, content_key, fingerprint, approved_at)
     VALUES (@school_id, @key_id, @content_key, @fingerprint, @approved_at) ON CONFLICT DO NOTHING`,
  ).run(key)
}

/** The content keys of a school, newest first. */
export function schoolKeys(db: Database, schoolId: string): Pick<SchoolKey, 'key_id' | 'content_key'>[] {
  return prepared(
    db,
    'SELECT key_id, content_key FROM school_keys WHERE school_id = ? ORDER BY approved_at DESC, key_id',
  ).all(schoolId) as Pick<SchoolKey, 'key_id' | 'content_key'>[]
}

/** When a school first sealed a key to these keys of the console, UTC milliseconds; null = it never has. */
export function approvedSince(db: Database, of: { school_id: string; fingerprint: string }): number | null {
  return prepared(
    db,
    'SELECT min(approved_at) FROM school_keys WHERE school_id = @school_id AND fingerprint = @fingerprint',
  )
    .pluck()
    .get(of) as number | null
}

/** What came sealed after a place in the log, in order. */
export function sealedKeysAfter(db: Database, seq: number): { seq: number; event: SchoolKeySealed | null }[] {
  const rows = prepared(
    db,
    `SELECT seq, body FROM events WHERE event_type = 'SCHOOL_KEY_SEALED' AND seq > ? ORDER BY seq LIMIT 100`,
  ).all(seq) as { seq: number; body: string | null }[]
  return rows.map(({ seq: at, body }) => ({
    seq: at,
    event: body === null ? null : (JSON.parse(body) as SchoolKeySealed),
  }))
}
