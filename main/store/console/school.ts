import { normalSchoolId } from '../../../shared/school.ts'
import type { Database } from '../open.ts'

/** The school that the data of this console belong to; null until one is known. */
export function storedSchool(db: Database): string | null {
  const stored = db.prepare(`SELECT value FROM settings WHERE name = 'school_id'`).pluck().get() as string | undefined
  return normalSchoolId(stored ?? '') || null
}

/**
 * Keeps the school of these data, in its one form; people and roster of before are that school's. An empty
 * one says that none is known yet.
 */
export function keepSchool(db: Database, school: string): void {
  db.prepare(
    `INSERT INTO settings (name, value) VALUES ('school_id', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(school)
  for (const table of ['people', 'roster'])
    db.prepare(`UPDATE ${table} SET school_id = ? WHERE school_id = ''`).run(school)
}
