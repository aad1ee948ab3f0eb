/** API keys that the station itself has given out. Of each only a digest is kept. */
import type { Unit } from './tables.ts'

/** A key as it is listed. `scopes` are separated by `+`; times are UTC milliseconds. */
export interface StoredApiKey {
  id: string
  school_id: string
  label: string
  /** SHA-256 of the key, hex. */
  digest: string
  scopes: string
  created_at: number
  revoked_at: number | null
}

export async function insertApiKey(unit: Unit, key: Omit<StoredApiKey, 'revoked_at'>): Promise<void> {
  await unit.insertInto('api_keys').values(key).execute()
}

/** The keys of a school, oldest first; of every school where none is named. */
export async function storedApiKeys(unit: Unit, schoolId: string | null = null): Promise<StoredApiKey[]> {
  return unit
    .selectFrom('api_keys')
    .select(['id', 'school_id', 'label', 'digest', 'scopes', 'created_at', 'revoked_at'])
    .$if(schoolId !== null, (query) => query.where('school_id', '=', schoolId as string))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Whether there was such a key of this school to revoke. One that is revoked stays so, since when it was. */
export async function markRevoked(
  unit: Unit,
  { school_id, id }: { school_id: string; id: string },
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await unit
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('school_id', '=', school_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
