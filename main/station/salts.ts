/** The salt of each school's pseudonyms: made once, kept in the station's database, never replaced. */
import { ConsoleError } from '../../shared/errors.ts'
import type { Randomness } from '../platform/ports.ts'
import { findSalt, hasSessions, insertSalt, type Database } from '../store/station/index.ts'

/**
 * The salts of the schools that this station serves, by school. `given` (PSYFLO_STUDENT_SALT) is the salt
 * of a station with one school; null = found in the database, or made there for a new school. Throws
 * ConsoleError `salt` rather than making another student of everybody.
 */
export function openSalts(
  db: Database,
  schools: readonly string[],
  given: string | null,
  randomness: Randomness,
): ReadonlyMap<string, string> {
  if (given !== null && schools.length > 1)
    throw refused('PSYFLO_STUDENT_SALT is set, but the API keys name more than one school.')
  return new Map(schools.map((school) => [school, openSalt(db, school, given, randomness)]))
}

function openSalt(db: Database, school: string, given: string | null, randomness: Randomness): string {
  const kept = findSalt(db, school)
  if (kept === null) {
    if (hasSessions(db, school)) throw refused('The salt of a school that has sessions here is gone.')
    const salt = given ?? randomness.bytes(32).toString('hex')
    insertSalt(db, school, salt)
    return salt
  }
  if (given !== null && given !== kept)
    throw refused('PSYFLO_STUDENT_SALT is not the salt with which this school’s students are known here.')
  return kept
}

function refused(happened: string): ConsoleError {
  return new ConsoleError({
    code: 'salt',
    happened,
    safe: 'Nothing was changed: with another salt every student would become somebody else.',
    todo: 'Correct or remove PSYFLO_STUDENT_SALT, or restore the data directory from a backup, and start again.',
  })
}
