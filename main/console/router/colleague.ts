import { TRPCError } from '@trpc/server'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import type { Caller } from './context.ts'
import { notFound } from './trpc.ts'

/** A person of the caller's school. */
export function colleague({ parts, person }: Caller, id: string): Person {
  const found = parts.people.find(id)
  if (found?.school_id !== person.school_id) throw notFound('person')
  return found
}

/** A plan must be for later: one that is overdue from the start would open its alert again at once. */
export function duePassed(): TRPCError {
  return new TRPCError({
    code: 'BAD_REQUEST',
    cause: new ConsoleError({
      code: 'due_passed',
      happened: 'The due time has already passed.',
      safe: 'Nothing was changed.',
      todo: 'Choose a time in the future.',
    }),
  })
}
