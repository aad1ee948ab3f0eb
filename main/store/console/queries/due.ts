import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { ofSchool } from './labels.ts'

// In the words of the partial index: in others it would not be used.
const planned = `state = 'acknowledged' AND due_at IS NOT NULL`

/** Keys of the alerts of a school ('' = of every one) whose next action is overdue. `now` in UTC milliseconds. */
export function overdueAlerts(db: Database, school: string, now: number): string[] {
  return prepared(db, `SELECT key FROM alerts WHERE ${planned} AND due_at <= @now AND ${ofSchool('alerts', school)}`)
    .pluck()
    .all({ school, now }) as string[]
}

/** When the school's next action is due, overdue ones included; null where none is planned. */
export function nextActionDue(db: Database, school: string): number | null {
  return prepared(db, `SELECT min(due_at) FROM alerts WHERE ${planned} AND ${ofSchool('alerts', school)}`)
    .pluck()
    .get({ school }) as number | null
}
