import { useEffect, useState } from 'react'
import { undoLasts } from '../../shared/thresholds.ts'
import { announce } from '../app/index.ts'
import { useAction } from '../controls/index.ts'
import { words } from '../words/index.ts'
import type { Undo } from './promised.ts'

/** Something that was just done stays where it stood until it can no longer be taken back. */
export interface Settled<Item> {
  key: string
  item: Item
  /** What was done, in words. */
  said: string
  undo: Undo
}

/**
 * What was done a moment ago, oldest first; each with its undo, for as long as that is offered. `refresh` asks again
 * for what is listed: an item that was taken back stays until it is listed once more, and keeps the focus.
 */
export function useSettled<Item>(refresh: () => Promise<unknown>) {
  const [settled, setSettled] = useState<readonly Settled<Item>[]>([])
  const [timers] = useState(() => new Map<string, ReturnType<typeof setTimeout>>())
  const drop = (key: string) => {
    clearTimeout(timers.get(key))
    timers.delete(key)
    setSettled((known) => known.filter((one) => one.key !== key))
  }
  useEffect(() => () => timers.forEach((timer) => clearTimeout(timer)), [timers])
  const undo = useAction(
    async ({ undo }: Settled<Item>) => {
      await undo()
      await refresh()
    },
    (_, { key }) => {
      drop(key)
      announce(words.myDay.undone)
    },
  )
  return {
    settled,
    add(one: Settled<Item>) {
      drop(one.key)
      setSettled((known) => [...known, one])
      timers.set(
        one.key,
        setTimeout(() => drop(one.key), undoLasts),
      )
    },
    undo: (one: Settled<Item>) => {
      if (!undo.busy) void undo.run(one)
    },
    error: undo.error,
  }
}
