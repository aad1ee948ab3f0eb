import { TRPCError } from '@trpc/server'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import type { Caller } from './context.ts'
import { notFound } from './trpc.ts'

/**
 * The people of the caller's school: those who signed in here, and, at a console of a district, those whom the school's
 * directory lists, who sit at other consoles. By name. At a desk nobody but those with accounts can be reached.
 */
export function colleagues({ parts, person }: Caller): Person[] {
  const { school_id } = person
  const here = parts.people.ofSchool(school_id)
  if (parts.accounts !== null) return here
  const known = new Set(here.map(({ id }) => id))
  const elsewhere = (parts.directory.view(person).kept?.policy.people ?? [])
    .filter(({ id, school_ids }) => school_ids.includes(school_id) && !known.has(id))
    .map(({ id, name, role }): Person => ({ id, name, role, school_id }))
  return [...here, ...elsewhere].sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
}

/** A person of the caller's school. Throws NOT_FOUND where there is none of this id. */
export function colleague(caller: Caller, id: string): Person {
  const found = caller.parts.people.find(id) ?? colleagues(caller).find((each) => each.id === id)
  if (found?.school_id !== caller.person.school_id) throw notFound('person')
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
