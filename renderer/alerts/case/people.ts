import type { Person } from '../../../shared/people.ts'
import { trpc } from '../../app/index.ts'
import { useQuery } from '../../controls/index.ts'

/** Everybody who may hold an alert or a commitment. */
export function usePeople(): Person[] {
  return useQuery<Person[]>(['people'], () => trpc.me.people.query()).data ?? []
}
