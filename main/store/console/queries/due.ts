import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { ofSchool } from './labels.ts'

// By name and in the words of the partial index: left to itself, SQLite reads every alert of the school instead,
// at every change.
const planned = `alerts INDEXED BY alerts_due WHERE state = 'acknowledged' AND due_at IS NOT NULL`

/** Keys of the alerts of a school ('' = of every one) whose next action is overdue. `now` in UTC milliseconds. */
export function overdueAlerts(db: Database, school: string, now: number): string[] {
  return prepared(db, `SELECT key FROM ${planned} AND due_at <= @now AND ${ofSchool('alerts', school)}`)
    .pluck()
    .all({ school, now }) as string[]
}

/** When the school's next action is due, overdue ones included; null where none is planned. */
export function nextActionDue(db: Database, school: string): number | null {
  return prepared(db, `SELECT min(due_at) FROM ${planned} AND ${ofSchool('alerts', school)}`)
    .pluck()
    .get({ school }) as number | null
}
