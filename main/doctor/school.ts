import { schoolMismatch } from '../console/identity/index.ts'
import type { Configuration } from '../configuration/index.ts'
import type { Person } from '../../shared/people.ts'
import { storedSchool } from '../store/console/index.ts'
import type { OpenedData } from './data.ts'
import { failed, ok, skipped, type Check } from './report.ts'

/** The school this console serves; null = it is not known. */
export function schoolServed(
  { schoolId }: Pick<Configuration, 'schoolId'>,
  ofToken: Person | null,
  opened: OpenedData,
): string | null {
  return schoolId ?? ofToken?.school_id ?? (opened.kind === 'open' ? storedSchool(opened.db) : null)
}

/** Whether the variable, the token and the data name one school. */
export function checkSchool({ demo, schoolId }: Configuration, ofToken: Person | null, opened: OpenedData): Check {
  const name = 'School'
  if (demo) return skipped(name, 'The demonstration school is a school of its own.')
  const stored = opened.kind === 'open' ? storedSchool(opened.db) : null
  const mismatch = schoolMismatch({ configured: schoolId, token: ofToken?.school_id ?? null }, stored)
  if (mismatch) return failed(name, mismatch.happened, mismatch.todo)
  const school = schoolServed({ schoolId }, ofToken, opened)
  if (school === null && opened.kind !== 'open' && opened.kind !== 'empty') return skipped(name, opened.why)
  return school === null
    ? skipped(name, 'This console’s school is not set; PSYFLO_SCHOOL_ID or the sign-in token sets it.')
    : ok(name, `This console serves school ${school}.`)
}
