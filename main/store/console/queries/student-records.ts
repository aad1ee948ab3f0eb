/** What is kept about students beyond any one alert, and what is due of it. */
import { safetyPlanSchema, type SafetyPlan } from '../../../../shared/student-records.ts'
import type { StudentRecord } from '../../../../shared/events.ts'
import type { CommitmentDue, FollowUp, SafetyPlanVersion } from '../../../../shared/views.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { joinRoster, labelColumns, labelOf, ofSchool, type LabelRow } from './labels.ts'

/** The last word first: what has no place yet was done here after all that has, and then by position. */
const lastFirst =
  'student_records.position IS NULL DESC, student_records.position DESC, student_records.at DESC, student_records.id DESC'

/** When the latest record about a student was kept that has no place in their order yet, UTC milliseconds; null = none. */
export function lastKept(db: Database, of: { school_id: string; student_hash: string }): number | null {
  return prepared(
    db,
    `SELECT max(at) FROM student_records WHERE school_id = @school_id AND student_hash = @student_hash AND position IS NULL`,
  )
    .pluck()
    .get(of) as number | null
}

interface OfStudent {
  school: string
  student_hash: string
}

/** Opens the words of a record that came before the school's key did. */
type Opens = (record: StudentRecord) => StudentRecord

/** Every saved version of a student's safety plan, the one that counts first. */
export function safetyPlans(db: Database, of: OfStudent, open: Opens): SafetyPlanVersion[] {
  const rows = prepared(
    db,
    `SELECT body FROM student_records WHERE record_type = 'SAFETY_PLAN_SAVED' AND student_hash = @student_hash
       AND ${ofSchool('student_records', of.school)} ORDER BY ${lastFirst}`,
  )
    .pluck()
    .all(of) as string[]
  return rows.map((body) => {
    const record = open(JSON.parse(body) as StudentRecord)
    const sections = 'sections' in record ? safetyPlanSchema.safeParse(record.sections).data : undefined
    return { id: record.ack_id, at: record.at, by_name: record.by_name ?? record.by, sections: sections ?? null }
  })
}

/** What a student's plan says; null where none was saved, or it does not open here. */
export function safetyPlan(db: Database, of: OfStudent, open: Opens): SafetyPlan | null {
  return safetyPlans(db, of, open)[0]?.sections ?? null
}

/** Follow-ups that nobody has ended, those due first before; of one student, of one person, or all of a school. */
export function openFollowUps(
  db: Database,
  of: { school: string; student_hash?: string; person?: string },
  open: Opens,
): FollowUp[] {
  // Only what was ever this person's: a school's of a year are many.
  const ofPerson =
    of.person === undefined
      ? ''
      : `AND subject IN (SELECT subject FROM student_records INDEXED BY follow_ups_by_owner
           WHERE record_type = 'FOLLOW_UP_SET' AND json_extract(body, '$.owner') = @person)`
  const rows = db
    .prepare(
      `WITH last AS (
         SELECT student_records.*, row_number() OVER (
           PARTITION BY student_records.school_id, student_records.student_hash, subject ORDER BY ${lastFirst}) AS place
         FROM student_records ${of.person === undefined ? '' : 'INDEXED BY student_records_by_type'}
         WHERE record_type IN ('FOLLOW_UP_SET', 'FOLLOW_UP_DONE') AND ${ofSchool('student_records', of.school)}
           ${of.student_hash === undefined ? '' : 'AND student_records.student_hash = @student_hash'} ${ofPerson})
       SELECT last.body, last.school_id, last.student_hash, ${labelColumns} FROM last ${joinRoster('last')}
       WHERE place = 1 AND record_type = 'FOLLOW_UP_SET'`,
    )
    .all(of) as (LabelRow & { body: string })[]
  return rows
    .flatMap((row): FollowUp[] => {
      const record = open(JSON.parse(row.body) as StudentRecord)
      if (record.event_type !== 'FOLLOW_UP_SET') return []
      const { follow_up, next_action, due_at, owner, owner_name = owner, by, by_name = by, at, alert_key } = record
      if (of.person !== undefined && owner !== of.person) return []
      return [
        {
          id: follow_up,
          student: labelOf(row),
          what: next_action ?? null,
          due_at,
          owner: { id: owner, name: owner_name },
          set: { at, by_name },
          alert_key: alert_key ?? null,
        },
      ]
    })
    .sort((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
}

/** What a person has promised about alerts, resolved ones too, and not done: due first before. Times are UTC milliseconds. */
export function commitmentsOf(db: Database, of: { school: string; person: string }): CommitmentDue[] {
  const rows = prepared(
    db,
    `SELECT commitments.*, alerts.state, alerts.tier, ${labelColumns} FROM commitments
       JOIN alerts ON alerts.key = commitments.alert_key ${joinRoster('commitments')}
     WHERE commitments.owner_id = @person AND commitments.due_at IS NOT NULL AND ${ofSchool('commitments', of.school)}
     ORDER BY commitments.due_at, commitments.id`,
  ).all(of) as (LabelRow & Omit<CommitmentDue, 'student'>)[]
  return rows.map((row) => ({
    id: row.id,
    alert_key: row.alert_key,
    state: row.state,
    tier: row.tier,
    student: labelOf(row),
    what: row.what,
    due_at: row.due_at,
  }))
}

/** Alerts that a person holds and nobody has resolved, then those that wait for them to accept: keys in the order of the inbox. */
export function heldBy(db: Database, of: { school: string; person: string }): string[] {
  return prepared(
    db,
    `SELECT key FROM alerts INDEXED BY alerts_by_owner WHERE owner_id = @person AND state <> 'resolved'
       AND ${ofSchool('alerts', of.school)} ORDER BY state_rank, tier_rank DESC, turn, key`,
  )
    .pluck()
    .all(of) as string[]
}
