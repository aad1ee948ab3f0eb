/** Drafts of the person at this window: asked for once, and kept by main with each letter. */
import { useEffect, useState } from 'react'
import { beginDrafts } from '../controls/index.ts'
import { createKeeper } from './keeper.ts'
import { trpc } from './wire.ts'

/**
 * Whether the drafts of whoever sits here are at hand; until then nothing is typed over them. Not asked for
 * again: what is typed while the wire is lost is newer than what main knows.
 */
export function useDraftsBegun(): boolean {
  const [begun, setBegun] = useState(false)
  useEffect(() => {
    let over = false
    const begin = ({ person, drafts }: { person: string; drafts: Record<string, string> }) => {
      if (over) return
      beginDrafts(
        read(drafts),
        createKeeper((name, draft) => trpc.drafts.keep.mutate({ person, name, draft })),
      )
      setBegun(true)
    }
    // What cannot be asked for is no reason to show no alert.
    trpc.drafts.mine.query().then(begin, () => begin({ person: '', drafts: {} }))
    return () => {
      over = true
    }
  }, [])
  return begun
}

function read(known: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(known).flatMap(([name, draft]) => parsed(name, draft)))
}

/** One that cannot be read keeps nobody from the others, or from an alert. */
function parsed(name: string, draft: string): [string, unknown][] {
  try {
    return [[name, JSON.parse(draft) as unknown]]
  } catch {
    return []
  }
}
