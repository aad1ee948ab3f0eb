/** What a school's pseudonyms and envelopes are made with: made once, kept wrapped, never replaced. */
import type { Unit } from './tables.ts'

/** Salt and content key of a school, wrapped. */
export interface WrappedSecrets {
  salt: string
  content_key: string
}

/** Null for a school that has none yet. */
export async function findSecrets(unit: Unit, schoolId: string): Promise<WrappedSecrets | null> {
  const row = await unit
    .selectFrom('schools')
    .select(['salt', 'content_key'])
    .where('school_id', '=', schoolId)
    .executeTakeFirst()
  return row ?? null
}

/** Keeps the secrets of a school that has none; where another station was first, its own stand. */
export async function insertSecrets(unit: Unit, schoolId: string, secrets: WrappedSecrets): Promise<void> {
  await unit
    .insertInto('schools')
    .values({ school_id: schoolId, salt: secrets.salt, content_key: secrets.content_key })
    .onConflict((conflict) => conflict.column('school_id').doNothing())
    .execute()
}

/** The schools that have data here. */
export async function knownSchools(unit: Unit): Promise<string[]> {
  const rows = await unit.selectFrom('schools').select('school_id').orderBy('school_id').execute()
  return rows.map(({ school_id }) => school_id)
}
