import { useEffect, useState } from 'react'
import { undoLasts } from '../../shared/thresholds.ts'
import { announce } from '../app/index.ts'
import { useAction } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { besideListed } from './beside-listed.ts'
import type { Undo } from './promised.ts'

/** Something that was just done stays where it stood until it can no longer be taken back. */
export interface Settled<Item> {
  key: string
  item: Item
  /** What was done, in words. */
  said: string
  undo: Undo
  /** It was taken back: it stands as before until it is listed again. */
  undone?: true
}

/** What was done a moment ago among what is listed; each with its undo, for as long as that is offered. */
export function useSettled<Item>(listed: readonly Item[], keyOf: (item: Item) => string) {
  const [settled, setSettled] = useState<readonly Settled<Item>[]>([])
  const [timers] = useState(() => new Map<string, ReturnType<typeof setTimeout>>())
  const drop = (key: string) => {
    clearTimeout(timers.get(key))
    timers.delete(key)
    setSettled((known) => known.filter((one) => one.key !== key))
  }
  useEffect(() => () => timers.forEach((timer) => clearTimeout(timer)), [timers])
  const undo = useAction(
    ({ undo }: Settled<Item>) => undo(),
    (_, { key }) => {
      setSettled((known) => known.map((one) => (one.key === key ? { ...one, undone: true } : one)))
      announce(words.myDay.undone)
    },
  )
  const { items, done } = besideListed(settled, listed, keyOf)
  return {
    /** What is listed, with what was just done in its place. */
    items,
    /** How an item was settled; undefined = it was not. */
    of: (key: string | null) => done.find((one) => one.key === key),
    add(one: Settled<Item>) {
      drop(one.key)
      setSettled((known) => [...known, one])
      timers.set(
        one.key,
        setTimeout(() => drop(one.key), undoLasts),
      )
    },
    undo(one: Settled<Item>) {
      if (!undo.busy) void undo.run(one)
    },
    error: undo.error,
  }
}
