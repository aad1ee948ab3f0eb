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

/** Several ConsoleErrors `configuration` (one at least) as one that says them all: nobody corrects one variable a start. */
export function allAsOne(problems: readonly ConsoleError[]): ConsoleError {
  const [first, ...more] = problems
  if (first === undefined) throw new RangeError('nothing is misconfigured')
  if (more.length === 0) return first
  return misconfigured(problems.map(({ happened }) => happened).join('\n'), {
    safe: first.safe,
    todo: `Correct all ${problems.length}, and start again.`,
  })
}
