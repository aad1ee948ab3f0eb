/** The channel “desktop” of the ladder: whom it calls is told at the console where they sit, and that is answered. */
import type { ToldAtConsole } from '../../../shared/console-messages.ts'
import { desktopAnswersWithin } from '../../../shared/thresholds.ts'
import { minutes } from '../../../shared/time.ts'
import type { Clock, Shell } from '../../platform/ports.ts'
import { deskCalls, enqueue, wasEnqueued, type Database, type DeskCall } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import type { ConsoleKeys } from '../enrolment/index.ts'
import type { Announcer } from './announcer.ts'

/** A call that its station made longer ago came with a backlog. Their clocks may be apart by nearly as much. */
const madeWithin = minutes(5)

export interface DeskCalls {
  /** From now on whom the ladder calls is told, and that is answered. */
  start(): void
  /** What calls a person now, oldest first, for a window of theirs to show; what is older is the ladder's again. */
  of(personId: string): DeskCall[]
  /** A window of theirs has shown these, by their ids. What is not theirs, or is over, is left alone. */
  shown(personId: string, deliveryIds: readonly string[]): void
  stop(): void
}

/**
 * Reads rows, so that a call is answered once however often it comes. A desktop that takes notifications has been told
 * when it has taken one; elsewhere a window says so when it has.
 */
export function createDeskCalls({
  db,
  changes,
  clock,
  shell,
  announcer,
  windows,
  schoolId,
  consoleId,
  keys,
  hasAckQueue,
}: {
  db: Database
  changes: Changes
  clock: Clock
  shell: Pick<Shell, 'notifies'>
  announcer: Pick<Announcer, 'call'>
  windows: { isHere(personId: string): boolean; listen(listener: () => void): () => void }
  /** The console's school, asked at every look; '' until it is named. */
  schoolId(): string
  consoleId: string
  keys: Pick<ConsoleKeys, 'signing' | 'fingerprint'>
  /** False where no acknowledgement queue is configured: nobody can be told. */
  hasAckQueue: boolean
}): DeskCalls {
  let stop = (): void => undefined
  /** Told where nobody can be answered. */
  const told = new Set<string>()
  const ackIdOf = ({ delivery_id }: DeskCall): string => `told:${consoleId}:${delivery_id}`
  const isAnswered = (call: DeskCall): boolean => told.has(ackIdOf(call)) || wasEnqueued(db, ackIdOf(call))
  /** When each came here: how long it counts is told by the clock of this machine alone. */
  let cameAt = new Map<string, number>()
  const made = (): DeskCall[] => deskCalls(db, { school: schoolId(), since: clock.now() - madeWithin })
  const take = (calls: readonly DeskCall[], at: (call: DeskCall) => number): void => {
    cameAt = new Map(calls.map((call) => [call.delivery_id, cameAt.get(call.delivery_id) ?? at(call)]))
  }
  const current = (): DeskCall[] => {
    const now = clock.now()
    const calls = made()
    take(calls, () => now)
    return calls.filter(({ delivery_id }) => now - (cameAt.get(delivery_id) ?? now) < desktopAnswersWithin)
  }

  const answer = (calls: readonly DeskCall[]): void => {
    if (!hasAckQueue) {
      for (const call of calls) told.add(ackIdOf(call))
      return
    }
    const at = clock.now()
    changes.commit((altered) => {
      for (const call of calls) {
        const said: Omit<ToldAtConsole, 'signature'> = {
          ...{ schema_version: 1, event_type: 'ALERT_NOTIFIED', ack_id: ackIdOf(call), console_id: consoleId },
          ...(call.school_id !== '' && { school_id: call.school_id }),
          ...{ session_id: call.session_id, student_hash: call.student_hash, alert_key: call.alert_key },
          ...{ delivery_id: call.delivery_id, channel: 'desktop', outcome: 'delivered', to: call.person },
          ...{ at: new Date(at).toISOString(), key_id: keys.fingerprint },
        }
        const body = JSON.stringify(keys.signing.sign(said))
        // A group of its own: it never waits behind anything.
        enqueue(db, { id: said.ack_id, group: said.ack_id, event_type: said.event_type, body, at })
      }
      altered.add({ queued: true })
    })
  }
  const look = (): void => {
    const called = current()
    if (!shell.notifies?.()) return
    const calls = called.filter((call) => windows.isHere(call.person) && !isAnswered(call))
    if (calls.length === 0) return
    announcer.call(calls)
    answer(calls)
  }
  return {
    start() {
      const unlisten = changes.listen(({ called }) => {
        if (called.length > 0) look()
      })
      // Who sits down a moment after they were called is told all the same.
      const unlook = windows.listen(look)
      // Of what came before this start nothing but its own time is known.
      take(made(), ({ at }) => Math.min(at, clock.now()))
      look()
      stop = () => {
        unlisten()
        unlook()
      }
    },
    of: (personId) => current().filter(({ person }) => person === personId),
    shown(personId, deliveryIds) {
      const ids = new Set(deliveryIds)
      const calls = current().filter((call) => call.person === personId && ids.has(call.delivery_id))
      const fresh = calls.filter((call) => !isAnswered(call))
      if (fresh.length > 0) answer(fresh)
    },
    stop: () => stop(),
  }
}
