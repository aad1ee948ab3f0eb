import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'

/** How far an action has got on its way to the others. Times are UTC milliseconds. */
export interface DeliveryRow {
  sent_at: number | null
  last_error: string | null
  confirmed_at: number | null
  /** 1 = another console did it. */
  elsewhere: number
}

/** The delivery of one action; undefined where the action is not known. */
export function deliveryOf(db: Database, actionId: string): DeliveryRow | undefined {
  return prepared(
    db,
    `SELECT outbox.sent_at, outbox.last_error, actions.confirmed_at, actions.elsewhere
     FROM actions LEFT JOIN outbox ON outbox.id = actions.id WHERE actions.id = ?`,
  ).get(actionId) as DeliveryRow | undefined
}

/** Puts every record that was sent and never came back in line again: a queue in memory forgets with its process. */
export function sendUnconfirmedActionsAgain(db: Database): void {
  prepared(
    db,
    `UPDATE outbox SET sent_at = NULL, next_attempt_at = 0
     WHERE sent_at IS NOT NULL AND (
       id IN (SELECT id FROM actions WHERE confirmed_at IS NULL AND elsewhere = 0)
       OR id IN (SELECT id FROM student_records WHERE confirmed_at IS NULL))`,
  ).run()
}
