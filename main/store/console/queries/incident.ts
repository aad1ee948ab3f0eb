/** What a record of an incident needs beside the alert itself: what was kept about its student. */
import type { StudentRecord } from '../../../../shared/events.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { ofSchool } from './labels.ts'
import { lastFirst } from './student-records.ts'

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
