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
