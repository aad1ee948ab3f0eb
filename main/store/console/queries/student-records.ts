/** What is kept about students beyond any one alert, and what is due of it. */
import { safetyPlanSchema } from '../../../../shared/student-records.ts'
import type { StudentRecord } from '../../../../shared/events.ts'
import type { CommitmentDue, EndedFollowUp, FollowUp, SafetyPlanVersion } from '../../../../shared/views.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { joinRoster, labelColumns, labelOf, ofSchool, type LabelRow } from './labels.ts'

/**
 * The last word first: what was done here and has no place yet was done after all that has; then by position; and last
 * what came from the queue without a place, which no relay has put in order.
 */
export const lastFirst =
  '(student_records.position IS NULL AND student_records.confirmed_at IS NULL) DESC, student_records.position DESC, student_records.at DESC, student_records.id DESC'

/** Whether a record of this id, made here, is in the log. */
export function isStudentRecordKept(db: Database, id: string): boolean {
  return prepared(db, 'SELECT 1 FROM events WHERE identity = ?').get(`console:${id}`) !== undefined
}

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

/** The last word about each follow-up, as rows of `last`; `place` 1 = the one that counts. */
const lastWords = (school: string, narrower = '', indexed = '') => `WITH last AS (
  SELECT student_records.*, row_number() OVER (
    PARTITION BY student_records.school_id, student_records.student_hash, subject ORDER BY ${lastFirst}) AS place
  FROM student_records ${indexed}
  WHERE record_type IN ('FOLLOW_UP_SET', 'FOLLOW_UP_DONE') AND ${ofSchool('student_records', school)} ${narrower})`
const ofOneStudent = 'AND student_records.student_hash = @student_hash'
/** Only what was ever this person's: a school's of a year are many. */
const everOfPerson = `AND subject IN (SELECT subject FROM student_records INDEXED BY follow_ups_by_owner
  WHERE record_type = 'FOLLOW_UP_SET' AND json_extract(body, '$.owner') = @person)`

/** Follow-ups that nobody has ended, those due first before; of one student, of one person, or all of a school. */
export function openFollowUps(
  db: Database,
  of: { school: string; student_hash?: string; person?: string },
  open: Opens,
): FollowUp[] {
  const narrower = [of.student_hash === undefined ? '' : ofOneStudent, of.person === undefined ? '' : everOfPerson]
  const theirs = of.person === undefined ? '' : `AND json_extract(last.body, '$.owner') = @person`
  const rows = prepared(
    db,
    `${lastWords(of.school, narrower.join(' '), of.person === undefined ? '' : 'INDEXED BY student_records_by_type')}
     SELECT last.body, last.school_id, last.student_hash, ${labelColumns} FROM last ${joinRoster('last')}
     WHERE place = 1 AND record_type = 'FOLLOW_UP_SET' ${theirs}`,
  ).all(of) as BodyRow[]
  return rows
    .flatMap((row) => followUpOf(row, row.body, open) ?? [])
    .sort((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
}

/** Follow-ups of a student that were ended, the last first; those set by mistake are not among them. */
export function endedFollowUps(db: Database, of: OfStudent, open: Opens): EndedFollowUp[] {
  const rows = prepared(
    db,
    `${lastWords(of.school, ofOneStudent)},
       planned AS (
         SELECT student_hash, school_id, subject, body, row_number() OVER (
           PARTITION BY school_id, student_hash, subject ORDER BY place) AS place
         FROM last WHERE record_type = 'FOLLOW_UP_SET')
     SELECT planned.body, last.body AS ended, last.school_id, last.student_hash, ${labelColumns}
     FROM last JOIN planned USING (school_id, student_hash, subject) ${joinRoster('last')}
     WHERE last.place = 1 AND planned.place = 1 AND last.record_type = 'FOLLOW_UP_DONE'`,
  ).all(of) as (BodyRow & { ended: string })[]
  return rows
    .flatMap((row): EndedFollowUp[] => {
      const followUp = followUpOf(row, row.body, open)
      const record = open(JSON.parse(row.ended) as StudentRecord)
      if (followUp === null || record.event_type !== 'FOLLOW_UP_DONE' || record.outcome === 'withdrawn') return []
      const { at, by, by_name = by, outcome, note = null } = record
      return [{ ...followUp, ended: { at, by_name, outcome, note } }]
    })
    .sort((a, b) => b.ended.at - a.ended.at || (a.id < b.id ? -1 : 1))
}

/** A student's follow-up as it was last set but for the record `without`, ended or not; null where there is none. */
export function followUpSet(
  db: Database,
  of: OfStudent & { follow_up: string; without: string },
  open: Opens,
): FollowUp | null {
  const row = prepared(
    db,
    `SELECT body, student_records.school_id, student_records.student_hash, ${labelColumns}
     FROM student_records ${joinRoster('student_records')}
     WHERE record_type = 'FOLLOW_UP_SET' AND subject = @follow_up AND id <> @without AND ${ofSchool('student_records', of.school)}
       ${ofOneStudent} ORDER BY ${lastFirst} LIMIT 1`,
  ).get(of) as BodyRow | undefined
  return row === undefined ? null : followUpOf(row, row.body, open)
}

type BodyRow = LabelRow & { body: string }

function followUpOf(row: LabelRow, body: string, open: Opens): FollowUp | null {
  const record = open(JSON.parse(body) as StudentRecord)
  if (record.event_type !== 'FOLLOW_UP_SET') return null
  const { follow_up, next_action, due_at, owner, owner_name = owner, by, by_name = by, at, alert_key } = record
  return {
    id: follow_up,
    student: labelOf(row),
    what: next_action ?? null,
    due_at,
    owner: { id: owner, name: owner_name },
    set: { at, by, by_name },
    alert_key: alert_key ?? null,
  }
}

/** Something promised and not done yet: when it is due, in UTC milliseconds, and by whom. */
export interface Promised {
  id: string
  owner: string
  due_at: number
  /** Nobody is rung for it: a follow-up, or a commitment about an alert that is resolved. */
  quiet: boolean
}

/** Everything promised in a school, or by one person of it. */
export function promises(db: Database, of: { school: string; person?: string }): Promised[] {
  const theirs = (owner: string) => (of.person === undefined ? '' : `AND ${owner} = @person`)
  const owner = `json_extract(last.body, '$.owner')`
  const rows = prepared(
    db,
    `${of.person === undefined ? lastWords(of.school) : lastWords(of.school, everOfPerson, 'INDEXED BY student_records_by_type')}
     SELECT subject AS id, ${owner} AS owner, json_extract(last.body, '$.due_at') AS due_at, 1 AS quiet FROM last
     WHERE place = 1 AND record_type = 'FOLLOW_UP_SET' ${theirs(owner)}
     UNION ALL
     SELECT commitments.id, commitments.owner_id, commitments.due_at, alerts.state = 'resolved' FROM commitments
     JOIN alerts ON alerts.key = commitments.alert_key
     WHERE commitments.due_at IS NOT NULL AND ${ofSchool('commitments', of.school)} ${theirs('commitments.owner_id')}`,
  ).all(of) as (Omit<Promised, 'quiet'> & { quiet: number })[]
  return rows.map((row) => ({ ...row, quiet: row.quiet === 1 }))
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
