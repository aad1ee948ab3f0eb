/** Notices that the machine slept, or that its clock was set: then everything that waits for a time looks at once. */
import { seconds } from '../../shared/time.ts'
import type { Cancel, Clock, Logger, Shell } from '../platform/ports.ts'
import type { Changes } from './changes.ts'

const lookEvery = seconds(5)
/** A busy machine keeps a timer waiting for less than this; a sleep, or a clock that was set, is longer. */
const longestLate = seconds(15)

/**
 * Tells the stream of changes when the machine is awake again: at once where the shell says so, and elsewhere (a browser
 * has no word for it) by a time of day that went further than a timer, or back. The answer ends it.
 */
export function watchWaking({
  changes,
  clock,
  logger,
  shell,
}: {
  changes: Pick<Changes, 'tell'>
  clock: Clock
  logger: Logger
  shell: Pick<Shell, 'onPower'>
}): () => void {
  let lookedAt = clock.now()
  const woke = (how: string): void => {
    lookedAt = clock.now()
    logger.info({ how }, 'the machine is awake again, or its clock was set: everything is looked at')
    changes.tell({ woke: true })
  }
  const look = (): void => {
    cancel = clock.after(lookEvery, look)
    const late = clock.now() - lookedAt - lookEvery
    if (late > longestLate || late < -longestLate) woke('clock')
    else lookedAt = clock.now()
  }
  let cancel: Cancel = clock.after(lookEvery, look)
  const unlisten = shell.onPower?.((what) => {
    // What is in hand is deleted from the queue once it is kept, and not before: a sleep between the two loses nothing.
    if (what === 'suspend') logger.info({}, 'the machine goes to sleep')
    else woke('shell')
  })
  return () => {
    cancel()
    unlisten?.()
  }
}
