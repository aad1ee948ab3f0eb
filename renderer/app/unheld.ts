/** The alerts that wait for somebody, live: what rings, what `.` opens, and the longest overdue of them. */
import { useCallback } from 'react'
import type { AlertRow, InboxChange } from '../../shared/views.ts'
import { queryClient, useQuery } from '../controls/index.ts'
import { waitingAfter } from './arrivals.ts'
import { trpc } from './wire.ts'

const key = ['unheld'] as const
const none: readonly AlertRow[] = []

/** `change` takes each change of the inbox. */
export function useUnheld(me: string): { unheld: readonly AlertRow[]; change: (change: InboxChange) => void } {
  const { data } = useQuery<readonly AlertRow[]>(key, () => trpc.unheld.list.query())
  const change = useCallback(
    (change: InboxChange) => {
      const before = queryClient.getQueryData<readonly AlertRow[]>(key)
      const after = before && waitingAfter(before, change, me)
      if (after) queryClient.setQueryData(key, after)
      else void queryClient.invalidateQueries({ queryKey: key })
    },
    [me],
  )
  return { unheld: data ?? none, change }
}
