import type { Preferences } from '../../shared/views.ts'
import { queryClient, useQuery } from '../controls/index.ts'
import { trpc } from './wire.ts'

const key = ['preferences']

/** How this console looks and sounds. */
export function usePreferences(): Preferences | undefined {
  return useQuery<Preferences>(key, () => trpc.settings.preferences.query()).data
}

/** Changes some of it: on screen at once, then kept. Rejects when it could not be kept. */
export async function setPreferences(change: Partial<Preferences>): Promise<void> {
  queryClient.setQueryData<Preferences>(key, (before) => (before ? { ...before, ...change } : before))
  try {
    await trpc.settings.setPreferences.mutate(change)
  } finally {
    await queryClient.invalidateQueries({ queryKey: key })
  }
}
