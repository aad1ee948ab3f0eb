/** The salt of each school's pseudonyms: made once, kept in the station's database, never replaced. */
import { ConsoleError } from '../../shared/errors.ts'
import type { Randomness } from '../platform/ports.ts'
import { findSalt, hasSessions, insertSalt, type Database } from '../store/station/index.ts'

/**
 * The salts of the schools that this station serves, by school. `given` is the salt
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
    throw refused(
      'A salt was given, but the API keys name more than one school.',
      'Start without it: each school keeps a salt of its own.',
    )
  return new Map(schools.map((school) => [school, openSalt(db, school, given, randomness)]))
}

function openSalt(db: Database, school: string, given: string | null, randomness: Randomness): string {
  const kept = findSalt(db, school)
  if (kept === null) {
    if (hasSessions(db, school))
      throw refused(
        'The salt of a school that has sessions here is gone.',
        'Restore the data directory from a backup, and start again.',
      )
    const salt = given ?? randomness.bytes(32).toString('hex')
    insertSalt(db, school, salt)
    return salt
  }
  if (given !== null && given !== kept)
    throw refused(
      'The salt that was given is not the one with which this school’s students are known here.',
      'Start without it: the salt that these data were made with is kept with them.',
    )
  return kept
}

function refused(happened: string, todo: string): ConsoleError {
  return new ConsoleError({
    code: 'salt',
    happened,
    safe: 'Nothing was changed: with another salt every student would become somebody else.',
    todo,
  })
}
