/** What a record of an incident needs beside the alert itself: who was told of it, and what was kept about its student. */
import type { AlertNotified, StudentRecord } from '../../../../shared/events.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { ofSchool } from './labels.ts'
import { lastFirst } from './student-records.ts'

/** Notifications about an alert by any of the keys it is known by, oldest first. */
export function notificationsOf(
  db: Database,
  of: { school_id: string; session_id: string; keys: readonly string[] },
): AlertNotified[] {
  const bodies = prepared(
    db,
    `SELECT body FROM events INDEXED BY events_notified
     WHERE event_type IN ('ALERT_NOTIFIED', 'ALERT_ESCALATED') AND session_id IS NOT NULL
       AND session_id = @session_id AND school_id IN (@school_id, '') AND body IS NOT NULL ORDER BY at, seq`,
  )
    .pluck()
    .all({ school_id: of.school_id, session_id: of.session_id }) as string[]
  return bodies.map((body) => JSON.parse(body) as AlertNotified).filter(({ alert_key }) => of.keys.includes(alert_key))
}

/** Every record that is kept about a student, the last word first. `open` opens the words of one that came before the school's key. */
export function recordsAboutStudent(
  db: Database,
  of: { school: string; student_hash: string },
  open: (record: StudentRecord) => StudentRecord,
): StudentRecord[] {
  const bodies = prepared(
    db,
    `SELECT body FROM student_records WHERE student_hash = @student_hash AND ${ofSchool('student_records', of.school)}
     ORDER BY ${lastFirst}`,
  )
    .pluck()
    .all(of) as string[]
  return bodies.map((body) => open(JSON.parse(body) as StudentRecord))
}
