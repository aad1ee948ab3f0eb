import { useState } from 'react'

const kept = new Map<string, unknown>()

/**
 * State by name that outlives its component: what is being typed stays when another width of the window
 * draws the screen anew. Whoever is done with it calls `forget`.
 */
export function useKept<Value>(name: string, initial: Value): [Value, (next: Value) => void] {
  const [value, setValue] = useState<Value>(() => (kept.has(name) ? (kept.get(name) as Value) : initial))
  return [
    value,
    (next) => {
      kept.set(name, next)
      setValue(next)
    },
  ]
}

/** Forgets everything whose name begins so. */
export function forget(beginning: string): void {
  for (const name of [...kept.keys()]) if (name.startsWith(beginning)) kept.delete(name)
}
