import { ConsoleError, type PersonalError } from '../../shared/errors.ts'
import type { Logger } from './ports.ts'

/** Any failure as something a person can act on; what only a developer could use goes to the log. */
export function asPersonalError(error: unknown, logger: Logger): PersonalError {
  if (error instanceof ConsoleError) return error
  logger.error({ error }, 'unexpected')
  const code = (error as NodeJS.ErrnoException | null)?.code
  return {
    code: 'unexpected',
    happened: `The console had to stop${typeof code === 'string' && /^[A-Z_0-9]+$/.test(code) ? ` (${code})` : ''}.`,
    safe: 'What was recorded is safe in the encrypted store. A desk receives no student messages until it runs again; elsewhere, events wait in the queue.',
    todo: 'Start it again. If that does not help, run `npm run doctor`.',
  }
}

/** What happened, what is safe, what to do: three lines for a terminal. */
export function inLines(error: PersonalError): string {
  return `${error.happened}\n${error.safe}\n${error.todo}\n`
}
