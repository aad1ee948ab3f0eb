/** Drafts of the person at this window: asked for once, and kept by main with each letter. */
import { beginDrafts, useQuery } from '../controls/index.ts'
import { createKeeper } from './keeper.ts'
import { trpc } from './wire.ts'

/** Whether the drafts of whoever sits here are at hand; until then nothing is typed over them. */
export function useDraftsBegun(): boolean {
  // What cannot be asked for is no reason to show no alert.
  const asked = useQuery(
    ['drafts'],
    async () => {
      const known = await trpc.drafts.mine.query().catch(() => ({}))
      const send = (name: string, draft: string | null) => trpc.drafts.keep.mutate({ name, draft })
      beginDrafts(read(known), createKeeper(send))
      return true
    },
    { fresh: true },
  )
  return asked.data === true
}

function read(known: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(known).map(([name, draft]) => [name, JSON.parse(draft) as unknown]))
}
