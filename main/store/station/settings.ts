import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

/** This station's own id, made at first use. */
export function stationId(db: Database, make: () => string): string {
  prepared(db, `INSERT INTO settings (name, value) VALUES ('station_id', ?) ON CONFLICT (name) DO NOTHING`).run(make())
  return prepared(db, `SELECT value FROM settings WHERE name = 'station_id'`).pluck().get() as string
}

/** The salt of a school's pseudonyms; null for a school that has none yet. */
export function findSalt(db: Database, schoolId: string): string | null {
  const salt = prepared(db, 'SELECT student_salt FROM schools WHERE school_id = ?').pluck().get(schoolId)
  return (salt as string | undefined) ?? null
}

/** Keeps the salt of a school that has none; there is never a second one. */
export function insertSalt(db: Database, schoolId: string, salt: string): void {
  prepared(db, 'INSERT INTO schools (school_id, student_salt) VALUES (?, ?)').run(schoolId, salt)
}
