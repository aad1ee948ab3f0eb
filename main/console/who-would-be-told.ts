/** Who would be told if a crisis arrived now, in the names of this school: as its station said in its newest heartbeat. */
import type { CoverageNow } from '../../shared/events.ts'
import { roles, type Role } from '../../shared/people.ts'
import type { CoverageView } from '../../shared/views.ts'

/** Somebody of the school's directory. */
export interface Listed {
  id: string
  name: string
  role: Role
}

/** So many are named; of more it is said how many they are. */
const mostNamed = 3

/** Ids stand in no answer: whoever is not in the directory is one more person. */
export function coverageView({ rungs, next_gap }: CoverageNow, people: readonly Listed[]): CoverageView {
  const called = new Map(people.map((person) => [person.id, person]))
  return {
    rungs: rungs.map(({ after_s, to, more = 0, channels }) => ({
      after_s,
      told: told(new Set(to), more, called),
      only_at_console: channels.every((channel) => channel === 'desktop'),
    })),
    next_gap: next_gap ?? null,
  }
}

type Told = CoverageView['rungs'][number]['told']

/** `more`: how many more there are than those named. */
function told(ids: ReadonlySet<string>, more: number, called: ReadonlyMap<string, Listed>): Told {
  const wholeRoles = roles.filter((role) => {
    const members = [...called.values()].filter((person) => person.role === role)
    return members.length > 1 && members.every(({ id }) => ids.has(id))
  })
  const rest = [...ids].filter((id) => id !== 'assigned' && !wholeRoles.some((role) => called.get(id)?.role === role))
  const names = rest.flatMap((id) => called.get(id)?.name ?? [])
  const others = rest.length - names.length + more
  const people: Told =
    rest.length + more > mostNamed
      ? [{ kind: 'people', count: rest.length + more }]
      : [
          ...names.map((name) => ({ kind: 'person' as const, name })),
          ...(others > 0 ? [{ kind: 'people' as const, count: others }] : []),
        ]
  return [
    ...(ids.has('assigned') ? [{ kind: 'assigned' as const }] : []),
    ...people,
    ...wholeRoles.map((role) => ({ kind: 'role' as const, role })),
  ]
}
