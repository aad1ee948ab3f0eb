/**
 * State by name that outlives its component: what is being typed stays when another width of the window
 * draws the screen anew. Drafts outlive the page, too: whoever keeps them (`keepDraftsWith`) is told of each.
 */
import { useCallback, useState, useSyncExternalStore } from 'react'

const kept = new Map<string, unknown>()
const drafts = new Set<string>()
const listeners = new Set<() => void>()
let keeper: Keeper = { keep: () => undefined, whenKept: () => undefined }

interface Keeper {
  /** Keeps a draft under its name from now on; undefined = there is none any more. */
  keep(name: string, draft: unknown): void
  /** Calls once every draft is kept where neither the page’s end nor the program’s takes it. */
  whenKept(call: () => void): void
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function tellAll(): void {
  listeners.forEach((listener) => listener())
}

/** State by name; whoever is done with it calls `forget`. All who use one name share it. */
export function useKept<Value>(name: string, initial: Value): [Value, (next: Value) => void] {
  const [first] = useState(initial)
  const value = useSyncExternalStore(listen, () => (kept.has(name) ? (kept.get(name) as Value) : first))
  const set = useCallback(
    (next: Value) => {
      kept.set(name, next)
      tellAll()
    },
    [name],
  )
  return [value, set]
}

/** The same for what a person typed: it is there again after the page was loaded anew or the program was. */
export function useDraft<Value>(name: string, initial: Value): [Value, (next: Value) => void] {
  const [value, setKept] = useKept(name, initial)
  const set = useCallback(
    (next: Value) => {
      drafts.add(name)
      setKept(next)
      keeper.keep(name, isEmpty(next) ? undefined : next)
    },
    [name, setKept],
  )
  return [value, set]
}

/** Whether something is kept under one of these names. */
export function hasDraft(beginning: string): boolean {
  return [...kept].some(([name, value]) => name.startsWith(beginning) && !isEmpty(value))
}

/** Calls once everything that was typed is kept: whoever says so before may be proven wrong by the program’s end. */
export function whenDraftsAreKept(call: () => void): void {
  keeper.whenKept(call)
}

/** Forgets everything whose name begins so. */
export function forget(beginning: string): void {
  for (const name of [...kept.keys()].filter((name) => name.startsWith(beginning))) {
    kept.delete(name)
    if (drafts.delete(name)) keeper.keep(name, undefined)
  }
  tellAll()
}

/** Begins with the drafts of whoever sits here now: none of anybody else’s stay. */
export function beginDrafts(known: Readonly<Record<string, unknown>>, keeps: Keeper): void {
  keeper = keeps
  kept.clear()
  drafts.clear()
  for (const [name, draft] of Object.entries(known)) {
    kept.set(name, draft)
    drafts.add(name)
  }
  tellAll()
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  )
}
