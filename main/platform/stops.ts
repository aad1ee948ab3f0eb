import type { Clock } from './ports.ts'

/** What was started, to be stopped in the reverse order. */
export type Stops = (() => void | Promise<void>)[]

/** Stops what was started, the last first. */
export async function stopAll(stops: Stops): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    try {
      await stop()
    } catch {
      // What cannot be stopped any more must not keep the rest from stopping.
    }
  }
}

/** A stop that is waited for `patience` milliseconds at most: what it waits for may never answer. */
export function atMost(clock: Clock, patience: number, stop: () => Promise<void>): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(patience, resolve)
      stop().then(resolve, reject).finally(cancel)
    })
}
