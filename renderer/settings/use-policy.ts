import { useState } from 'react'
import type { KeptPolicy } from '../../shared/policy.ts'
import type { DirectoryView } from '../../shared/views.ts'
import { announce, trpc, useMay, useMe } from '../app/index.ts'
import { useAction, useKept, useLatest } from '../controls/index.ts'

/**
 * The school's policy as a page of Settings shows it and lets it be edited. `name`: of what is edited, under which it is
 * kept while one looks at another screen; `begin`: what editing begins with; `savedText`: said when it was saved.
 */
export function usePolicy<Editing>(name: string, begin: (base: KeptPolicy) => Editing, savedText: string) {
  const view = useLatest<DirectoryView>((on) => trpc.policy.watch.subscribe(undefined, on), [])
  const manages = useMay('directory.manage')
  const { person } = useMe()
  const [editing, setEditing] = useKept<Editing | null>(`${name} ${person.id}`, null)
  /** As the station answered; its own word comes over the queue a moment later. */
  const [saved, setSaved] = useState<KeptPolicy | null>(null)
  const edit = useAction(
    () => trpc.policy.edit.mutate(),
    (base) => setEditing(begin(base)),
  )
  // Not by their versions: a station that was restored from a copy counts on from a lower one.
  const newest = saved && (saved.changed_at ?? 0) > (view?.kept?.changed_at ?? 0) ? saved : (view?.kept ?? null)
  return {
    view,
    newest,
    /** What stands is what was saved here. */
    isSaved: saved !== null && saved === newest,
    manages,
    edit,
    editing: manages ? editing : null,
    setEditing,
    onSaved(kept: KeptPolicy) {
      setSaved(kept)
      setEditing(null)
      announce(savedText)
    },
    onEnd: () => setEditing(null),
  }
}
