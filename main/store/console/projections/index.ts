import type { Alert } from '../../../../shared/alerts.ts'
import type { LoggedEvent, SchoolResolved } from '../../../../shared/events.ts'
import type { Database } from '../../open.ts'
import type { OfSession } from './alert-rows.ts'
import { alertProjection } from './alerts.ts'
import { conversationProjection } from './conversations.ts'
import { notificationProjection } from './notifications.ts'
import { keyOf, type Logged, type Projection, type Touched } from './projection.ts'
import { unknownOf } from './school-resolved.ts'
import { studentRecordProjection } from './student-records.ts'
import { studentProjection } from './students.ts'

export { keyOf, partsOfKey, type Touched } from './projection.ts'

/** Raised whenever the tables, or what is written into them, change: then they are made anew from the log. */
export const projectionsVersion = '8'

/** An event of the log, or the note that the school of earlier ones has become known. */
type Entry = Omit<Logged, 'event'> & { event: LoggedEvent | SchoolResolved }

export interface Projections {
  /** What they write, and nobody else. */
  tables: readonly string[]
  apply(entry: Entry): void
  /** Ends a commit: reduces the alerts of every session touched, once. */
  finish(): Touched
  /** Forgets what was applied since the last `finish`: its transaction was taken back. */
  abandon(): void
  /** Empties every table, to be filled from the log. */
  clear(): void
  /** Every alert of a session, oldest first: reduced once, however often it is asked. */
  alertsOf(of: OfSession): Alert[]
}

export function createProjections(db: Database): Projections {
  const alerts = alertProjection(db)
  const notifications = notificationProjection(db)
  const all: Projection[] = [
    conversationProjection(db),
    studentProjection(db),
    studentRecordProjection(db),
    notifications,
    alerts,
  ]
  const readUnknown = unknownOf(db)
  let sessions = new Set<string>()
  let students = new Set<string>()

  const apply = (logged: Logged): void => {
    const { event, school_id } = logged
    if ('session_id' in event && event.session_id !== undefined) sessions.add(keyOf(school_id, event.session_id))
    if ('student_hash' in event) students.add(keyOf(school_id, event.student_hash))
    for (const projection of all) projection.apply(logged)
  }
  /** What was stored while the school was unknown is forgotten, and the same events are applied under the school. */
  const resolve = (seq: number, { student_hash, school_id }: SchoolResolved): void => {
    const unknown = readUnknown(student_hash, seq)
    for (const session of unknown.sessions) sessions.add(keyOf('', session))
    for (const student of unknown.students) students.add(keyOf('', student))
    for (const projection of all) projection.forget(unknown)
    for (const logged of unknown.events)
      apply({ ...logged, school_id: logged.student_hash === student_hash ? school_id : '', again: true })
  }

  const abandon = (): void => {
    sessions = new Set()
    students = new Set()
    alerts.forgetAll()
    notifications.abandon()
  }

  const tables = all.flatMap((projection) => projection.tables)
  return {
    tables,
    apply({ event, ...rest }) {
      if (event.event_type === 'SCHOOL_RESOLVED') resolve(rest.seq, event)
      else apply({ ...rest, event })
    },
    finish() {
      const reduced = alerts.reduceTouched()
      // Once the alerts stand: by their keys it is told which of them it concerns.
      const told = notifications.finish()
      const touched = { ...reduced, ...told, sessions: [...sessions], students: [...students] }
      sessions = new Set()
      students = new Set()
      return touched
    },
    abandon,
    clear() {
      for (const table of tables) db.prepare(`DELETE FROM ${table}`).run()
      abandon()
    },
    alertsOf: (of) => alerts.ofSession(of),
  }
}
