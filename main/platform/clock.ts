import type { Clock } from './ports.ts'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delay, work) => {
    // Node fires at once for a delay over 2³¹ − 1 ms; nothing here waits that long in one step.
    const timer = setTimeout(work, Math.min(Math.max(delay, 0), 2_147_483_647))
    return () => clearTimeout(timer)
  },
}
