/** What an address may lead to, a piece at a time: an address holds a keyed digest, so each is tried. */
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { ofSchool } from './labels.ts'

/** Keys and former keys of alerts of this school that follow one, '' = from the first, in their order. */
export function alertKeysAfter(db: Database, school: string, after: string, limit: number): string[] {
  return prepared(
    db,
    `SELECT alias FROM alert_keys WHERE alias > @after AND ${ofSchool('alert_keys', school)} ORDER BY alias LIMIT @limit`,
  )
    .pluck()
    .all({ school, after, limit }) as string[]
}

/** Hashes of students of this school that follow one, likewise. */
export function studentHashesAfter(db: Database, school: string, after: string, limit: number): string[] {
  return prepared(
    db,
    `SELECT DISTINCT student_hash FROM students WHERE student_hash > @after AND ${ofSchool('students', school)}
     ORDER BY student_hash LIMIT @limit`,
  )
    .pluck()
    .all({ school, after, limit }) as string[]
}
