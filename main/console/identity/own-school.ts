import { ConsoleError } from '../../../shared/errors.ts'
import { keepSchool, storedSchool, type Database } from '../../store/console/index.ts'

/**
 * The school that this console serves, read when it is asked: the one the configuration or the token told at
 * the start, else the one that a person has named; '' until then.
 */
export function ownSchool(db: Database, told: string): () => string {
  return () => told || (storedSchool(db) ?? '')
}

/** Who names a school at start; null = nobody there does. */
export interface NamedSchools {
  /** PSYFLO_SCHOOL_ID. */
  configured: string | null
  /** `school_id` of the sign-in token. */
  token: string | null
}

/**
 * The school of this console, kept with its data; empty while nobody has named one. Throws ConsoleError
 * `school_mismatch` where two are named: the crises of one of them would be put aside here.
 */
export function settleSchool(db: Database, named: NamedSchools): string {
  const stored = storedSchool(db)
  const mismatch = schoolMismatch(named, stored)
  if (mismatch !== null) throw mismatch
  const school = named.configured ?? named.token ?? stored ?? ''
  keepSchool(db, school)
  return school
}

/** What speaks against serving one school; null where all that are named are the same. */
export function schoolMismatch({ configured, token }: NamedSchools, stored: string | null): ConsoleError | null {
  const safe =
    'Nothing was received or changed. A desk takes in no student’s message until it runs; elsewhere events wait in the queue.'
  if (configured !== null && token !== null && configured !== token)
    return new ConsoleError({
      code: 'school_mismatch',
      happened: `PSYFLO_SCHOOL_ID names school ${configured}, and the sign-in token school ${token}.`,
      safe,
      todo: 'Set both to the same school; otherwise no one would see the alerts of one of them.',
    })
  const named = configured ?? token
  if (named === null || stored === null || named === stored) return null
  const by = configured === null ? 'the sign-in token' : 'PSYFLO_SCHOOL_ID'
  return new ConsoleError({
    code: 'school_mismatch',
    happened: `This console’s data belongs to school ${stored}, and ${by} names school ${named}.`,
    safe,
    todo: 'Use the school this data belongs to, or give the other school its own data directory with --data-dir.',
  })
}
