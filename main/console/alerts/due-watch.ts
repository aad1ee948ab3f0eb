import { seconds } from '../../../shared/time.ts'
import type { Cancel, Clock } from '../../platform/ports.ts'
import { nextActionDue, overdueAlerts, type Database } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import type { Lifecycle } from './lifecycle.ts'

export interface DueWatch {
  /** Looks now, after every change of an alert, and when the next due time comes. */
  start(): void
  stop(): void
}

const lookAtLeastEvery = seconds(5)

/**
 * Opens the own school's alerts again whose next action is overdue. Reads rows, so restarts and sleep change nothing.
 * Where a station escalates that is for the station to do, and for this console only if it has not.
 */
export function createDueWatch({
  db,
  changes,
  clock,
  lifecycle,
  schoolId,
  patience = () => 0,
}: {
  db: Database
  changes: Changes
  clock: Clock
  lifecycle: Lifecycle
  /** The console's school, asked at every look; '' until it is named, and then every school's plans are watched. */
  schoolId(): string
  /** How long it leaves an overdue plan to the station that escalates, milliseconds, asked at every look; 0 or absent = there is none. */
  patience?: () => number
}): DueWatch {
  let cancel: Cancel = () => undefined
  let unlisten = (): void => undefined
  let running = false
  let looking = false

  const reopen = (key: string): void => {
    try {
      lifecycle.reopenOverdue(key)
    } catch {
      // It could not be written: a full disk, say. Its row stands, and the next look tries again.
    }
  }
  const look = (): void => {
    // Each re-opening wakes the watch, which is awake.
    if (!running || looking) return
    looking = true
    const now = clock.now()
    const left = patience()
    overdueAlerts(db, schoolId(), now - left).forEach(reopen)
    looking = false
    const promised = nextActionDue(db, schoolId())
    const due = promised === null ? null : promised + left
    cancel()
    // What was overdue and still is will not change by being looked at again at once.
    const wait = due === null || due <= now ? lookAtLeastEvery : Math.max(due - clock.now(), 0)
    if (due !== null) cancel = clock.after(Math.min(wait, lookAtLeastEvery), look)
  }
  return {
    start() {
      running = true
      unlisten = changes.listen(({ alerts, woke }) => {
        if (alerts.length > 0 || woke) look()
      })
      look()
    },
    stop() {
      running = false
      unlisten()
      cancel()
    },
  }
}
