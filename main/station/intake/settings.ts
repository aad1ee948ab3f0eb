/** What the environment says about the intake. */
import { ConsoleError } from '../../../shared/errors.ts'
import { parseApiKeys, type ApiKey } from './api-keys.ts'

export interface IntakeSettings {
  keys: ApiKey[]
  /** Messages of the rolling buffer. */
  bufferSize: number
}

/**
 * Reads CONSULTX_API_KEYS, CONSULTX_API_KEYS_FILE and CONSULTX_BUFFER_SIZE (2–200 messages, default
 * 20). Throws ConsoleError `api_keys` or `buffer_size`.
 */
export function readIntakeSettings(
  environment: Record<string, string | undefined>,
  readFile: (file: string) => string,
): IntakeSettings {
  const file = environment.CONSULTX_API_KEYS_FILE
  const keys = [
    ...parseApiKeys(environment.CONSULTX_API_KEYS ?? ''),
    ...(file ? parseApiKeys(keysIn(file, readFile)) : []),
  ]
  const bufferSize = Number(environment.CONSULTX_BUFFER_SIZE || 20)
  if (Number.isInteger(bufferSize) && bufferSize >= 2 && bufferSize <= 200) return { keys, bufferSize }
  throw new ConsoleError({
    code: 'buffer_size',
    happened: 'CONSULTX_BUFFER_SIZE is not a whole number from 2 to 200.',
    safe: 'The intake has not been opened.',
    todo: 'Correct or remove it and start again.',
  })
}

/** Throws ConsoleError `api_keys` for a key of another school: where one school is served, nobody would see its alerts. */
export function refuseOtherSchools({ keys }: IntakeSettings, schoolId: string): void {
  if (keys.every(({ school_id }) => school_id === null || school_id === schoolId)) return
  throw new ConsoleError({
    code: 'api_keys',
    happened: 'CONSULTX_API_KEYS, or its file, contains a key for a school other than this desk’s.',
    safe: 'The intake has not been opened: no one here would see that school’s alerts.',
    todo: 'Remove the entry, or the school from it, and start again.',
  })
}

function keysIn(file: string, readFile: (file: string) => string): string {
  try {
    return readFile(file)
  } catch (error) {
    throw new ConsoleError(
      {
        code: 'api_keys',
        happened: 'The file named by CONSULTX_API_KEYS_FILE cannot be read.',
        safe: 'The intake has not been opened.',
        todo: 'Correct the path or its permissions and start again.',
      },
      { cause: error },
    )
  }
}
