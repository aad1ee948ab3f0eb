import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'

// In the words of the partial index: in others it would not be used.
const planned = `state = 'acknowledged' AND due_at IS NOT NULL`

/** Keys of the alerts whose next action is overdue. `now` in UTC milliseconds. */
export function overdueAlerts(db: Database, now: number): string[] {
  return prepared(db, `SELECT key FROM alerts WHERE ${planned} AND due_at <= ?`).pluck().all(now) as string[]
}

/** When the next action is due, overdue ones included; null where none is planned. */
export function nextActionDue(db: Database): number | null {
  return prepared(db, `SELECT min(due_at) FROM alerts WHERE ${planned}`).pluck().get() as number | null
}
