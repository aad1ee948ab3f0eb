/** The station's outbox beyond sending: an event stands in it until it is known to have arrived. */
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

/** Removes events that have arrived, by their ids; unknown ones are passed over. */
export function deleteConfirmed(db: Database, ids: readonly string[]): void {
  const remove = prepared(db, 'DELETE FROM outbox WHERE id = ?')
  db.transaction(() => ids.forEach((id) => remove.run(id)))()
}

/** Whether an event of a session has not been confirmed yet. */
export function hasUnconfirmed(db: Database, sessionId: string): boolean {
  return prepared(db, 'SELECT 1 FROM outbox WHERE group_id = ? LIMIT 1').get(sessionId) !== undefined
}

/** Puts everything unconfirmed back in line: a queue that lives in memory forgets when its process ends. */
export function sendUnconfirmedAgain(db: Database): void {
  prepared(db, 'UPDATE outbox SET sent_at = NULL, next_attempt_at = 0 WHERE sent_at IS NOT NULL').run()
}

/** How many events wait to be published, and when the oldest of them was queued (UTC ms; null = none waits). */
export function waitingEvents(db: Database): { count: number; oldest: number | null } {
  return prepared(
    db,
    'SELECT count(*) AS count, min(created_at) AS oldest FROM outbox WHERE sent_at IS NULL',
  ).get() as {
    count: number
    oldest: number | null
  }
}
