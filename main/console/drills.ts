/** Drills that reach this console: when they came, whether a window has drawn them, and telling their station so, and when it closes. */
import type { ConsoleClosed, DrillSeen } from '../../shared/drill.ts'
import { drillLasts, drillPaintedWithin } from '../../shared/thresholds.ts'
import type { DrillView } from '../../shared/views.ts'
import type { Cancel, Clock, Logger, Randomness } from '../platform/ports.ts'
import { enqueueOfDrills, newestProofs, sayNothingOfDrills, type Database } from '../store/console/index.ts'
import type { Changes, HeardDrill } from './changes.ts'
import type { ConsoleKeys } from './enrolment/index.ts'

export interface DrillWatch {
  /** The newest drill that came; null = none ever. */
  newest(): DrillView | null
  /** A window at which this person sits has drawn the drill of this number. */
  painted(number: number, by: string): void
  /** Says that this console closes in good order, so that nobody is told by text that it has vanished. */
  stop(): void
}

export interface DrillWatchOptions {
  db: Database
  changes: Changes
  clock: Clock
  randomness: Randomness
  logger: Logger
  consoleId: string
  keys: Pick<ConsoleKeys, 'signing' | 'fingerprint'>
  /** The console's school; '' until it is named. */
  schoolId(): string
  /** False where no acknowledgement queue is configured: nobody can be told. */
  hasAckQueue: boolean
  /** What `newest` answers has changed beside a commit. */
  onPainted(): void
}

/**
 * A drill is confirmed once: when a window has drawn it, or as not drawn when none has in time. One that came with a
 * backlog proves nothing of now, and is confirmed by nobody.
 */
export function watchDrills(options: DrillWatchOptions): DrillWatch {
  const { db, changes, clock, randomness, logger, consoleId, keys, schoolId, hasAckQueue } = options
  let newest: DrillView | null = beforeThisStart(db)
  let waiting: { cancel: Cancel; drill: HeardDrill; cachedAt: number } | null = null
  // That it closed, where that was never sent, is no longer so.
  sayNothingOfDrills(db)

  const say = (said: (DrillSeen | ConsoleClosed) & { key_id: string }): void => {
    const { ack_id, event_type } = said
    try {
      changes.commit((altered) => {
        const body = JSON.stringify(keys.signing.sign(said))
        enqueueOfDrills(db, { id: ack_id, group: `console:${consoleId}`, event_type, body, at: clock.now() })
        altered.add({ queued: true })
      })
    } catch (error) {
      // A full disk, say: that no drill is confirmed is noticed at the station.
      logger.error({ error }, 'what is said of drills could not be kept')
    }
  }
  const confirm = (paintedAt: number | null, by?: string): void => {
    if (waiting === null) return
    waiting.cancel()
    const { number, school_id } = waiting.drill
    const cachedAt = waiting.cachedAt
    waiting = null
    if (!hasAckQueue || number === null) return
    say({
      ...{ schema_version: 2, event_type: 'DRILL_SEEN', ack_id: randomness.uuid(), school_id },
      ...{ console_id: consoleId, number },
      cached_at: new Date(cachedAt).toISOString(),
      painted_at: paintedAt === null ? null : new Date(paintedAt).toISOString(),
      ...(by !== undefined && { by }),
      key_id: keys.fingerprint,
    })
  }
  const sayClosed = (): void => {
    const school_id = schoolId()
    const number = newest?.number ?? null
    // Where no drill ever came, nobody waits for one to be confirmed.
    if (!hasAckQueue || school_id === '' || number === null) return
    say({
      ...{ schema_version: 1, event_type: 'CONSOLE_CLOSED', ack_id: randomness.uuid(), school_id },
      ...{ console_id: consoleId, number, at: new Date(clock.now()).toISOString(), key_id: keys.fingerprint },
    })
  }
  const unlisten = changes.listen(({ drill }) => {
    if (drill === null) return
    const now = clock.now()
    // One from the future came before a clock was set back.
    if (newest !== null && drill.at < newest.at && newest.at <= now) return
    const isFresh = Math.abs(now - drill.began_at) <= drillLasts
    // What one commit told may be drawn later still: it is the newer one that counts.
    confirm(null)
    newest = { number: drill.number, began_at: drill.began_at, at: drill.at, took_ms: null }
    if (!isFresh || drill.school_id === '' || drill.school_id !== schoolId()) return
    waiting = { drill, cachedAt: now, cancel: clock.after(drillPaintedWithin, () => confirm(null)) }
  })

  return {
    newest: () => newest,
    painted(number, by) {
      const now = clock.now()
      if (newest === null || waiting === null || waiting.drill.number !== number) return
      if (now - waiting.cachedAt > drillPaintedWithin) return
      // Clocks of two machines: what seems to have taken no time is not told as one.
      const took = now - newest.began_at
      newest = { ...newest, took_ms: took >= 0 ? took : null }
      confirm(now, by)
      options.onPainted()
    },
    stop() {
      unlisten()
      waiting?.cancel()
      waiting = null
      sayClosed()
    },
  }
}

/** What the event log says of the time before this start; nobody knows any more what was drawn then. */
function beforeThisStart(db: Database): DrillView | null {
  const { drill } = newestProofs(db)
  if (drill?.event.event_type !== 'DRILL') return null
  const { number = null, began_at = drill.at } = drill.event
  return { number, began_at, at: Math.min(began_at, drill.at), took_ms: null }
}
