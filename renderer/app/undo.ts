/** What was done a moment ago and can be taken back: one thing at a time, the latest. Times are UTC milliseconds. */
import { useSyncExternalStore } from 'react'

export interface Undoable {
  /** What was done, and about whom: “Acknowledged: Jordan P.” */
  said: string
  /** Takes it back; rejects where it no longer can be. */
  undo: () => Promise<unknown>
}

export interface Offer extends Undoable {
  until: number
}

let offer: Offer | null = null
let over: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: Offer | null): void {
  clearTimeout(over)
  offer = next
  if (next) over = setTimeout(() => set(null), next.until - Date.now())
  listeners.forEach((tell) => tell())
}

/** Offers to take something back for `lasts` milliseconds, in place of what was offered before. */
export function beginOffer(made: Undoable, lasts: number): void {
  set({ ...made, until: Date.now() + lasts })
}

/** Offers nothing any more: it was taken back, or somebody else sits here. */
export function endOffer(): void {
  set(null)
}

/** What can be taken back just now; null = nothing. */
export function useOffer(): Offer | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offer,
  )
}
