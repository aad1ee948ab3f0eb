import type { Alert } from '../../../../shared/alerts.ts'
import type { LoggedEvent } from '../../../../shared/events.ts'
import type { Database } from '../../open.ts'
import { alertProjection } from './alerts.ts'
import { conversationProjection } from './conversations.ts'
import { studentProjection } from './students.ts'

/** One event as it stands in the log. */
export interface Logged {
  seq: number
  identity: string
  origin: 'queue' | 'console'
  received_at: number
  event: LoggedEvent
}

/** What a commit changed, for those who watch. */
export interface Touched {
  /** `worse`: still open, and now of a higher tier than it was. Each of the three is news. */
  alerts: { key: string; opened: boolean; reopened: boolean; worse: boolean }[]
  /** Keys that no longer exist: merged into an earlier alert. */
  merged: string[]
  sessions: string[]
  students: string[]
}

/** A projection reads events one at a time and keeps its tables in step. */
export interface Projection {
  tables: readonly string[]
  apply(logged: Logged): void
}

export interface Projections {
  apply(logged: Logged): void
  /** Ends a commit: reduces the alerts of every session touched, once. */
  finish(): Touched
  clear(): void
  /** Every alert of a session, oldest first: reduced once, however often it is asked. */
  alertsOf(sessionId: string): Alert[]
}

export function createProjections(db: Database): Projections {
  const alerts = alertProjection(db)
  const all: Projection[] = [conversationProjection(db), studentProjection(db), alerts]
  let sessions = new Set<string>()
  let students = new Set<string>()
  return {
    apply(logged) {
      const { event } = logged
      if ('session_id' in event && event.session_id !== undefined) sessions.add(event.session_id)
      if ('student_hash' in event) students.add(event.student_hash)
      for (const projection of all) projection.apply(logged)
    },
    finish() {
      const touched = { ...alerts.reduceTouched(), sessions: [...sessions], students: [...students] }
      sessions = new Set()
      students = new Set()
      return touched
    },
    clear() {
      for (const table of all.flatMap(({ tables }) => tables)) db.prepare(`DELETE FROM ${table}`).run()
      alerts.cleared()
    },
    alertsOf: (sessionId) => alerts.ofSession(sessionId),
  }
}
