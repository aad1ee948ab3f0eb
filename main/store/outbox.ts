/** What waits to be sent: acknowledgements at the console, events at the station; each in its own database. */
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

/** Puts a message into the outbox, inside the caller's transaction. The same id twice is one message. */
export function enqueue(db: Database, message: OutboxMessage): void {
  prepared(
    db,
    `INSERT INTO outbox (id, group_id, event_type, body, created_at, next_attempt_at)
     VALUES (@id, @group, @event_type, @body, @at, @at) ON CONFLICT (id) DO NOTHING`,
  ).run(message)
}

export interface WaitingMessage {
  position: number
  id: string
  group_id: string
  event_type: string
  body: string
  attempts: number
}

/**
 * The next messages to send, oldest first, none whose group has an earlier one waiting for its next
 * try. With `onePerGroup` each group gives one at most, so that a failure cannot be overtaken.
 */
export function nextToSend(db: Database, now: number, limit: number, onePerGroup: boolean): WaitingMessage[] {
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

export function markSent(db: Database, positions: readonly number[], at: number): void {
  const update = prepared(
    db,
    'UPDATE outbox SET sent_at = ?, attempts = attempts + 1, last_error = NULL WHERE position = ?',
  )
  db.transaction(() => positions.forEach((position) => update.run(at, position)))()
}

export function markFailed(db: Database, positions: readonly number[], nextAttemptAt: number, error: string): void {
  const update = prepared(
    db,
    'UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?, last_error = ? WHERE position = ?',
  )
  db.transaction(() => positions.forEach((position) => update.run(nextAttemptAt, error, position)))()
}

/** When the next waiting message is due, those behind another of their group aside; null when none waits. */
export function nextDue(db: Database): number | null {
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

/** Makes everything that waits for its next try due: a start is a reason to try at once. */
export function tryAtOnce(db: Database, now: number): void {
  prepared(db, 'UPDATE outbox SET next_attempt_at = @now WHERE sent_at IS NULL AND next_attempt_at > @now').run({ now })
}

/** Messages not yet sent. */
export function countWaiting(db: Database): number {
  return prepared(db, 'SELECT count(*) FROM outbox WHERE sent_at IS NULL').pluck().get() as number
}
