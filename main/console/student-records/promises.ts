/** Follow, with a clock, what people promised and when it is due. */
import { seconds } from '../../../shared/time.ts'
import type { Cancel, Clock } from '../../platform/ports.ts'
import { storageProblem } from '../../store/console/index.ts'
import type { Change, Changes } from '../changes.ts'

/** Whether a change may concern what somebody promised. */
export function concernsPromises({ alerts, gone, students, every_student }: Change): boolean {
  return alerts.length + gone.length + students.length > 0 || every_student
}

/** A clock that was set, or a machine that slept, is noticed so soon. */
const lookAtLeastEvery = seconds(5)
/** In a flood of changes one look stands for many. */
const changesPause = seconds(1)

/**
 * Calls `look` at once, after changes that may concern what is promised, and at the time that its last answer names
 * (UTC milliseconds; null = at none). The answer ends it.
 */
export function lookWhenDue(
  { changes, clock }: { changes: Pick<Changes, 'listen'>; clock: Clock },
  look: () => number | null,
): () => void {
  let next: number | null = null
  let cancel: Cancel = () => undefined
  let cancelSoon: Cancel | null = null
  const wait = (): void => {
    cancel()
    if (next === null) return
    cancel = clock.after(Math.min(Math.max(next - clock.now(), 0), lookAtLeastEvery), () => {
      if (next !== null && clock.now() >= next) lookNow()
      else wait()
    })
  }
  const lookNow = (): void => {
    cancelSoon?.()
    cancelSoon = null
    const now = clock.now()
    try {
      next = look()
    } catch (error) {
      if (storageProblem(error) === null) throw error
      // It could not be read just now; the rows stand, and the next look tries again.
      next = now + lookAtLeastEvery
    }
    // Nothing becomes due twice by being looked at.
    if (next !== null && next <= now) next = now + lookAtLeastEvery
    wait()
  }
  const unlisten = changes.listen((change) => {
    if (change.woke) lookNow()
    else if (concernsPromises(change)) cancelSoon ??= clock.after(changesPause, lookNow)
  })
  lookNow()
  return () => {
    unlisten()
    cancel()
    cancelSoon?.()
  }
}
