/** Who else is looking at which alert; and telling others that this person does. */
import { useEffect, useSyncExternalStore } from 'react'
import type { AlertViewers } from '../../shared/views.ts'
import { attendedFor } from '../../shared/thresholds.ts'
import { trpc, useLocked } from '../app/index.ts'
import { useHandsAtRest, useSubscription } from '../controls/index.ts'
import { words } from '../words/index.ts'

let viewers: ReadonlyMap<string, readonly string[]> = new Map()
const listeners = new Set<() => void>()

function know(next: readonly AlertViewers[]): void {
  viewers = new Map(next.map(({ key, names }) => [key, names]))
  listeners.forEach((tell) => tell())
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Follows who looks at what while the component is mounted; what was known before is forgotten. */
export function useViewersFollowed(): void {
  useSubscription<AlertViewers[]>((on) => trpc.viewing.watch.subscribe(undefined, on), know, [])
  useEffect(() => () => know([]), [])
}

/** “K. Osei is looking at this.”; '' = nobody else is. Draws again only when that changes. */
export function useViewers(key: string): string {
  return useSyncExternalStore(listen, () => {
    const names = viewers.get(key) ?? []
    return names.length === 0 ? '' : words.alerts.viewing(names)
  })
}

const signs = ['focus', 'blur'] as const

function listenFocus(listener: () => void): () => void {
  for (const sign of signs) window.addEventListener(sign, listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    for (const sign of signs) window.removeEventListener(sign, listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** Others are told that this alert is open here, while somebody sits before it in a window that has the focus; null = none is. */
export function useLooking(key: string | null): void {
  const inFront = useSyncExternalStore(listenFocus, () => document.visibilityState === 'visible' && document.hasFocus())
  const unattended = useHandsAtRest(attendedFor)
  const locked = useLocked()
  const looking = inFront && !unattended && !locked ? key : null
  useEffect(() => {
    if (looking === null) return
    // Where it cannot be told, nothing is missing here.
    const told = trpc.viewing.look.subscribe({ key: looking }, { onError: () => undefined })
    return () => told.unsubscribe()
  }, [looking])
}
