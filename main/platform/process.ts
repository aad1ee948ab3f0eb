import type { Clock } from './ports.ts'

/** How long a clean stop may take before the process ends anyway, milliseconds. */
const patience = 10_000

/** Signals this close together are one wish to stop: a terminal's Ctrl-C comes from it, from npm and from the launcher. */
const sameWish = 1_000

type Process = Pick<NodeJS.Process, 'on'> & { exit(code: number): void }

/** Ends the process cleanly when it is asked to, and at once when it is asked again. */
export function onStop(clock: Clock, stop: () => Promise<void>, target: Process = process): void {
  let askedAt: number | null = null
  const end = () => {
    if (askedAt !== null) {
      if (clock.now() - askedAt >= sameWish) target.exit(1)
      return
    }
    askedAt = clock.now()
    clock.after(patience, () => target.exit(1))
    stop().then(
      () => target.exit(0),
      () => target.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) target.on(signal, end)
}
