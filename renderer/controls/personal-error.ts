import type { PersonalError } from '../../shared/errors.ts'
import { words } from '../words/index.ts'

function isPersonal(value: unknown): value is PersonalError {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['code', 'happened', 'safe', 'todo'].every((field) => typeof (value as Record<string, unknown>)[field] === 'string')
  )
}

/** What a person reads about a failed call: the program's own words where it sent them, else a general sentence. */
export function personalErrorOf(error: unknown): PersonalError {
  if (isPersonal(error)) return error
  const data: unknown = typeof error === 'object' && error !== null && 'data' in error ? error.data : null
  const personal: unknown = typeof data === 'object' && data !== null && 'personal' in data ? data.personal : null
  return isPersonal(personal) ? personal : words.error.unexpected
}
