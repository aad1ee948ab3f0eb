import type { Clock } from './ports.ts'

/** How long a clean stop may take before the process ends anyway, milliseconds. */
const patience = 10_000

/**
 * Ends the process cleanly when it is asked to. A terminal's Ctrl-C reaches this process twice, from the
 * terminal and from the launcher, so a second signal means nothing new.
 */
export function onStop(clock: Clock, stop: () => Promise<void>): void {
  let stopping = false
  const end = () => {
    if (stopping) return
    stopping = true
    clock.after(patience, () => process.exit(1))
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
}
