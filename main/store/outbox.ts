/** What waits to be sent: acknowledgements at the console, events at the station; each with queries of its own. */
import type { Database } from './open.ts'
import { prepared } from './prepared.ts'

export interface OutboxMessage {
  /** Unique; for events the idempotency key, for actions the action's id. */
  id: string
  /** Session: order is kept within it. */
  group: string
  event_type: string
  /** JSON text, as it will stand on the wire. */
  body: string
  at: number
}

/** An outbox as the sender works it. Positions are those of its rows; times are UTC milliseconds. */
export interface Outbox {
  /**
   * The next messages to send, oldest first, none whose group has an earlier one waiting for its next
   * try. With `onePerGroup` each group gives one at most, so that a failure cannot be overtaken.
   */
  next(now: number, limit: number, onePerGroup: boolean): Promise<WaitingMessage[]>
  markSent(positions: readonly number[], at: number): Promise<void>
  markFailed(position: number, nextAttemptAt: number, error: string): Promise<void>
  /** When to look again; null when nothing waits. */
  nextDue(now: number): Promise<number | null>
  /** Makes everything that waits for its next try due: a start is a reason to try at once. */
  tryAtOnce(now: number): Promise<void>
}

/** The console's outbox, which stands in its cache. */
export function cacheOutbox(db: Database): Outbox {
  return {
    next: async (now, limit, onePerGroup) => nextToSend(db, now, limit, onePerGroup),
    markSent: async (positions, at) => markSent(db, positions, at),
    markFailed: async (position, nextAttemptAt, error) => markFailed(db, position, nextAttemptAt, error),
    nextDue: async () => nextDue(db),
    tryAtOnce: async (now) => tryAtOnce(db, now),
  }
}

/** Puts a message into the console's outbox, inside the caller's transaction. The same id twice is one message. */
export function enqueue(db: Database, message: OutboxMessage): void {
  prepared(
    db,
    `INSERT INTO outbox (id, group_id, event_type, body, created_at, next_attempt_at)
     VALUES (@id, @group, @event_type, @body, @at, @at) ON CONFLICT (id) DO NOTHING`,
  ).run(message)
}

/** What a console says of drills: that one was seen, or that it sees no more. Only the newest counts, and it is nobody's action. */
const ofDrills = `('DRILL_SEEN', 'CONSOLE_CLOSED')`

/** Puts what is said of drills into the outbox, in the place of what was said before, inside the caller's transaction. */
export function enqueueOfDrills(
  db: Database,
  message: OutboxMessage & { event_type: 'DRILL_SEEN' | 'CONSOLE_CLOSED' },
): void {
  sayNothingOfDrills(db)
  enqueue(db, message)
}

/** Takes back what was said of drills and is not sent yet: it is of a time before. */
export function sayNothingOfDrills(db: Database): void {
  prepared(db, `DELETE FROM outbox WHERE event_type IN ${ofDrills}`).run()
}

/** Whether a message of this id was ever put into the console's outbox. */
export function wasEnqueued(db: Database, id: string): boolean {
  return prepared(db, 'SELECT 1 FROM outbox WHERE id = ?').get(id) !== undefined
}

export interface WaitingMessage {
  position: number
  id: string
  group_id: string
  event_type: string
  body: string
  attempts: number
}

function nextToSend(db: Database, now: number, limit: number, onePerGroup: boolean): WaitingMessage[] {
  const earlier = onePerGroup ? '' : 'AND earlier.next_attempt_at > @now'
  return prepared(
    db,
    `SELECT position, id, group_id, event_type, body, attempts FROM outbox AS message
       WHERE sent_at IS NULL AND next_attempt_at <= @now
         AND NOT EXISTS (
           SELECT 1 FROM outbox AS earlier
           WHERE earlier.group_id = message.group_id AND earlier.sent_at IS NULL
             AND earlier.position < message.position ${earlier})
       ORDER BY position LIMIT @limit`,
  ).all({ now, limit }) as WaitingMessage[]
}

function markSent(db: Database, positions: readonly number[], at: number): void {
  const update = prepared(
    db,
    'UPDATE outbox SET sent_at = ?, attempts = attempts + 1, last_error = NULL WHERE position = ?',
  )
  db.transaction(() => positions.forEach((position) => update.run(at, position)))()
}

function markFailed(db: Database, position: number, nextAttemptAt: number, error: string): void {
  prepared(db, 'UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?, last_error = ? WHERE position = ?').run(
    nextAttemptAt,
    error,
    position,
  )
}

/** When the next waiting message is due, those behind another of their group aside; null when none waits. */
function nextDue(db: Database): number | null {
  return prepared(
    db,
    `SELECT min(next_attempt_at) FROM outbox AS message WHERE sent_at IS NULL AND NOT EXISTS (
         SELECT 1 FROM outbox AS earlier
         WHERE earlier.group_id = message.group_id AND earlier.sent_at IS NULL
           AND earlier.position < message.position)`,
  )
    .pluck()
    .get() as number | null
}

function tryAtOnce(db: Database, now: number): void {
  prepared(db, 'UPDATE outbox SET next_attempt_at = @now WHERE sent_at IS NULL AND next_attempt_at > @now').run({ now })
}

/** What people did, and consoles said, that is not sent yet; that a drill was seen is none of it. */
export function countWaiting(db: Database): number {
  return prepared(db, `SELECT count(*) FROM outbox WHERE sent_at IS NULL AND event_type NOT IN ${ofDrills}`)
    .pluck()
    .get() as number
}
