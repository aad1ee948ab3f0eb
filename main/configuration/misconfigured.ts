import { ConsoleError, type PersonalError } from '../../shared/errors.ts'

/** ConsoleError `configuration`. `happened` names variables, never their values. */
export function misconfigured(
  happened: string,
  { cause, ...more }: Partial<PersonalError> & { cause?: unknown } = {},
): ConsoleError {
  return new ConsoleError(
    {
      code: 'configuration',
      happened,
      safe: 'Nothing was opened or changed.',
      todo: 'Correct the variable, or remove it, and start again.',
      ...more,
    },
    { cause },
  )
}
