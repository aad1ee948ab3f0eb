/** How targets, people and channels are called on this page. */
import type { Assigned } from '../../../shared/escalation/index.ts'
import type { Target } from '../../../shared/on-call.ts'
import type { Policy } from '../../../shared/policy.ts'
import { words } from '../../words/index.ts'

const text = words.onCall

/** Names by id, as the directory and the rotas have them. */
export interface Names {
  person(id: string): string
  /** Whether the directory has them. */
  isListed(id: string): boolean
  target(target: Target): string
}

/** Of those whom the directory has, who may look after students. */
export const counselorsIn = ({ people }: Policy): Policy['people'] => people.filter(({ role }) => role !== 'ADMIN')

/** Who looks after the student of the alert that might come, as far as the directory says it: of nobody comes nobody. */
export function assignedIn(policy: Policy): Assigned {
  const [first, ...more] = counselorsIn(policy)
  return more.length > 0 ? 'various' : (first?.id ?? null)
}

/** Of the people and rotas of a policy. */
export function namesIn({ people, on_call }: Policy): Names {
  const person = (id: string) =>
    id === 'assigned' ? text.target.assigned : (people.find((each) => each.id === id)?.name ?? text.target.gonePerson)
  return {
    person,
    isListed: (id) => people.some((each) => each.id === id),
    target(target) {
      if (target.kind === 'assigned') return text.target.assigned
      if (target.kind === 'role') return text.target.role[target.role]
      if (target.kind === 'person') return person(target.person)
      const rota = on_call.rotas.find(({ id }) => id === target.rota)
      return rota ? text.target.rota(rota.name) : text.target.goneRota
    },
  }
}
