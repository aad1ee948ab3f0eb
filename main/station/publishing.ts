/** Whether what the station has to say gets through to the topic, and since when it does not. */
import { sendingFailsAfter } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import type { Sender } from '../outbox/index.ts'
import type { Clock } from '../platform/ports.ts'
import { oldestRefused, type StationStore } from '../store/station/index.ts'

const lookEvery = seconds(5)

export interface Publishing {
  /** Since when events do not get through, UTC milliseconds; null while they do, and in the first minute. */
  failingSince(): number | null
  /** Ends when nothing is under way. */
  stop(): Promise<void>
}

/**
 * Watches what becomes of the outbox. Publishing fails where nothing gets through for a minute, and where one event
 * is refused for so long, whatever becomes of the others: it may be the crisis. `onChange` is told when that begins
 * (since when, UTC milliseconds) and when it is over (null).
 */
export function watchPublishing(options: {
  store: StationStore
  sender: Pick<Sender, 'failingSince'>
  clock: Clock
  onChange(failingSince: number | null): void
}): Publishing {
  const { store, sender, clock, onChange } = options
  let refusedSince: number | null = null
  let told: number | null = null
  let stopped = false
  const longAgo = (since: number | null): number | null =>
    since !== null && clock.now() - since >= sendingFailsAfter ? since : null
  const failingSince = (): number | null => longAgo(sender.failingSince()) ?? longAgo(refusedSince)

  const look = async (): Promise<void> => {
    try {
      refusedSince = await store.asStation(oldestRefused)
    } catch {
      // The database is away: what was known of the outbox stands until it answers.
    }
    if (stopped) return
    const now = failingSince()
    if ((now === null) !== (told === null)) onChange(now)
    told = now
    cancel = clock.after(lookEvery, again)
  }
  let underWay: Promise<void> = Promise.resolve()
  const again = (): void => void (underWay = look())
  let cancel = clock.after(lookEvery, again)
  return {
    failingSince,
    stop() {
      stopped = true
      cancel()
      return underWay
    },
  }
}
