import { isStudentRecord, type StudentRecord } from '../../../../shared/events.ts'
import { furthestDue } from '../../../../shared/thresholds.ts'
import type { Database } from '../../open.ts'
import type { Projection } from './projection.ts'

/** What people keep about a student, every saving of it; which of them counts is for the queries to say. */
export function studentRecordProjection(db: Database): Projection {
  // A record that comes back from the relay brings its place, and its words stand as they were written here.
  const put = db.prepare(
    `INSERT INTO student_records (school_id, student_hash, id, record_type, subject, at, position, confirmed_at, body)
     VALUES (@school, @student_hash, @id, @record_type, @subject, @at, @position, @confirmed_at, @body)
     ON CONFLICT (school_id, student_hash, id) DO UPDATE SET
       position = coalesce(position, excluded.position),
       confirmed_at = coalesce(confirmed_at, excluded.confirmed_at)`,
  )
  const forgotten = db.prepare(`DELETE FROM student_records WHERE school_id = '' AND student_hash = ?`)
  return {
    tables: ['student_records'],
    apply({ event, origin, received_at, school_id: school }) {
      if (!isStudentRecord(event) || event.refused !== undefined) return
      put.run({
        school,
        student_hash: event.student_hash,
        id: event.ack_id,
        record_type: event.event_type,
        subject: subjectOf(event),
        at: event.at,
        position: event.position ?? null,
        confirmed_at: origin === 'queue' ? received_at : null,
        body: JSON.stringify(bounded(event)),
      })
    },
    forget({ students }) {
      for (const student of students) forgotten.run(student)
    },
  }
}

/** Nothing is put off for longer than a school year: nobody would ever be reminded of it. */
function bounded(event: StudentRecord): StudentRecord {
  if (event.event_type !== 'FOLLOW_UP_SET') return event
  return { ...event, due_at: Math.min(event.due_at, event.at + furthestDue) }
}

const subjectOf = (event: StudentRecord): string => ('follow_up' in event ? event.follow_up : '')
