import type { Clock } from './ports.ts'

/** Waits `delay` milliseconds, or less when cancelled. */
export function pause(clock: Clock, delay: number, signal: AbortSignal): Promise<void> {
  if (delay <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      cancel()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.after(delay, finish)
    signal.addEventListener('abort', finish)
  })
}
