import { minutes } from '../../../shared/time.ts'
import type { QueueSharing } from '../../../shared/views.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Changes } from '../changes.ts'
import type { HeartbeatGaps } from '../heartbeat-gaps.ts'
import type { Claim } from './claim.ts'

/** Heartbeats come every minute: of these, a console that gets half of the messages misses some in many places. */
const looksBack = minutes(30)
const fewest = 6
const fewestHoles = 3

export interface SharingWatch {
  now(): QueueSharing | null
  stop(): void
}

/**
 * Whether something else takes messages from this console's queue: another console that shows itself there; or, since
 * tags may be forbidden to either of them, what cannot be otherwise: numbered heartbeats that are missing in many
 * places, and messages that are in hand while none is in this console's.
 */
export function watchSharing({
  scattered,
  changes,
  clock,
  claim,
  heldElsewhere,
}: {
  /** Of numbered heartbeats; hears of them before this does. */
  scattered: HeartbeatGaps['scattered']
  changes: Changes
  clock: Clock
  claim(): Claim
  /** Messages of this queue are in somebody else's hands, and have been for a while. */
  heldElsewhere(): boolean
}): SharingWatch {
  const missing = (): boolean => {
    const { received, holes } = scattered(clock.now() - looksBack)
    return received >= fewest && holes >= fewestHoles && holes * 4 >= received
  }
  let goMissing = missing()
  let suspectedSince: number | null = null
  const unlisten = changes.listen(({ heartbeat }) => {
    if (heartbeat !== null) goMissing = missing()
  })
  return {
    now() {
      const known = claim()
      if (known.state === 'shared') return { kind: 'console', computer: known.computer, since: known.since }
      // Where no other console can hide, what is in hand is in the hands of one that was stopped by force.
      const isSuspected = goMissing || (known.state === 'unknown' && heldElsewhere())
      suspectedSince = isSuspected ? (suspectedSince ?? clock.now()) : null
      return suspectedSince === null ? null : { kind: 'suspected', computer: '', since: suspectedSince }
    },
    stop: unlisten,
  }
}
