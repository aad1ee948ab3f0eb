/** API keys that were given out here: label and scopes, and of the key itself a digest. Times are UTC milliseconds. */
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

export interface StoredApiKey {
  id: string
  school_id: string
  label: string
  scopes: string[]
  created_at: number
  /** Null = it opens. */
  revoked_at: number | null
}

interface ApiKeyRow extends Omit<StoredApiKey, 'scopes'> {
  scopes: string
}

const columns = 'id, school_id, label, scopes, created_at, revoked_at'

export function insertApiKey(
  db: Database,
  { digest, scopes, ...key }: Omit<StoredApiKey, 'revoked_at'> & { digest: string },
): void {
  prepared(
    db,
    `INSERT INTO api_keys (id, school_id, label, digest, scopes, created_at)
     VALUES (@id, @school_id, @label, @digest, @scopes, @created_at)`,
  ).run({ ...key, digest, scopes: JSON.stringify(scopes) })
}

/** Every key of a school, the newest first. */
export function apiKeysOf(db: Database, schoolId: string): StoredApiKey[] {
  const rows = prepared(db, `SELECT ${columns} FROM api_keys WHERE school_id = ? ORDER BY created_at DESC, id`)
  return (rows.all(schoolId) as ApiKeyRow[]).map(fromRow)
}

/** The key with this digest, unless it was revoked. */
export function findApiKey(db: Database, digest: string): StoredApiKey | null {
  const row = prepared(db, `SELECT ${columns} FROM api_keys WHERE digest = ? AND revoked_at IS NULL`).get(digest)
  return row === undefined ? null : fromRow(row as ApiKeyRow)
}

/** False where the school has no such key that opens. */
export function markRevoked(db: Database, schoolId: string, id: string, at: number): boolean {
  const { changes } = prepared(
    db,
    'UPDATE api_keys SET revoked_at = ? WHERE school_id = ? AND id = ? AND revoked_at IS NULL',
  ).run(at, schoolId, id)
  return changes > 0
}

const fromRow = ({ scopes, ...row }: ApiKeyRow): StoredApiKey => ({ ...row, scopes: JSON.parse(scopes) as string[] })
