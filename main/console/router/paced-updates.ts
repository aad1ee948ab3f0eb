import type { Clock } from '../../platform/ports.ts'

/**
 * What `source` sends, for a subscription: values that arrive while the last is on its way are merged
 * into one, and two never follow closer than `interval` milliseconds. Ends with the signal.
 */
export async function* paced<T>(
  source: (send: (value: T) => void) => () => void,
  options: { clock: Clock; interval: number; merge: (a: T, b: T) => T; signal: AbortSignal | undefined },
): AsyncGenerator<T> {
  const { clock, interval, merge, signal } = options
  let waiting: { value: T } | null = null
  let wake: () => void = () => undefined
  const stop = source((value) => {
    waiting = { value: waiting ? merge(waiting.value, value) : value }
    wake()
  })
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    let lastAt = -Infinity
    while (!signal?.aborted) {
      if (!waiting) await new Promise<void>((resolve) => (wake = resolve))
      if (signal?.aborted) return
      // A clock that was set back must not keep anybody waiting for longer than that.
      const wait = Math.min(interval, lastAt + interval - clock.now())
      if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve))
      const next = waiting as { value: T } | null
      waiting = null
      if (!next || signal?.aborted) continue
      lastAt = clock.now()
      yield next.value
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    stop()
  }
}
