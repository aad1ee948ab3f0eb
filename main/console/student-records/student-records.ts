import { createHash } from 'node:crypto'
import { z } from 'zod'
import { eventSchema, isStudentRecord, type StudentRecord } from '../../../shared/events.ts'
import type { Person } from '../../../shared/people.ts'
import type { FollowUpEnd, SafetyPlan } from '../../../shared/student-records.ts'
import { clockSkew } from '../../../shared/thresholds.ts'
import { isStudentRecordKept, lastKept } from '../../store/console/index.ts'
import { keepRecord, type RecordingOptions } from '../recording.ts'

/** Something that is kept about a student here. Times are UTC milliseconds. */
export type KeepingAboutStudent =
  | { event_type: 'SAFETY_PLAN_SAVED'; sections: SafetyPlan }
  | {
      event_type: 'FOLLOW_UP_SET'
      /** The follow-up that is set anew; absent = a new one. */
      follow_up?: string | undefined
      next_action: string
      due_at: number
      owner: string
      owner_name: string
      alert_key?: string | undefined
    }
  | { event_type: 'FOLLOW_UP_DONE'; follow_up: string; outcome: FollowUpEnd; note?: string | undefined }

export interface StudentRecords {
  /**
   * Keeps one record: event log, projections, audit and outbox in one transaction, durable when it returns. Answers its
   * id. What is sent twice, with one `callId`, is kept once.
   */
  keep(
    student: { school_id: string; student_hash: string },
    by: Person,
    keeping: KeepingAboutStudent,
    callId?: string | null,
  ): string
  /** Id of what this call has kept already; null = nothing yet. */
  keptBy(person: Pick<Person, 'id'>, callId: string | null): string | null
}

export function createStudentRecords(options: RecordingOptions): StudentRecords {
  const { db, clock, randomness, consoleId } = options
  // A digest: nobody chooses the id of a record, which may be that of a colleague's.
  const idOf = (by: Pick<Person, 'id'>, callId: string): string =>
    createHash('sha256').update(`student record ${consoleId} ${by.id} ${callId}`).digest('hex')
  return {
    keptBy(by, callId) {
      const id = callId === null ? null : idOf(by, callId)
      return id !== null && isStudentRecordKept(db, id) ? id : null
    },
    keep({ school_id, student_hash }, by, keeping, callId = null) {
      const ack_id = callId === null ? randomness.uuid() : idOf(by, callId)
      const at = timeAfter(lastKept(db, { school_id, student_hash }), clock.now())
      const follow_up = keeping.event_type === 'FOLLOW_UP_SET' ? (keeping.follow_up ?? ack_id) : undefined
      const event = {
        schema_version: 2,
        event_id: ack_id,
        idempotency_key: ack_id,
        ack_id,
        timestamp: at,
        at,
        student_hash,
        ...(school_id !== '' && { school_id }),
        console_id: consoleId,
        by: by.id,
        by_name: by.name,
        role: by.role,
        ...keeping,
        ...(follow_up !== undefined && { follow_up }),
      } as StudentRecord
      keepRecord(options, {
        event,
        school_id,
        audit: {
          role: by.role,
          what: auditName[event.event_type],
          subject: `student ${student_hash}`,
          why: keeping.event_type === 'FOLLOW_UP_DONE' ? keeping.outcome : '',
        },
        // FIFO queues take no blanks in the name of a group.
        send: { group: `student:${student_hash}`, message: wireForm(event), sealedOnly: true },
      })
      return ack_id
    },
  }
}

/** Now, but after what was kept here before and has no place yet: one millisecond, or a clock set back, must not turn it round. */
function timeAfter(last: number | null, now: number): number {
  return last !== null && last >= now && last < now + clockSkew ? last + 1 : now
}

const auditName: Record<StudentRecord['event_type'], string> = {
  SAFETY_PLAN_SAVED: 'student.safety_plan_saved',
  FOLLOW_UP_SET: 'student.follow_up_set',
  FOLLOW_UP_DONE: 'student.follow_up_done',
}

/** As it stands on the wire: times as text. */
function wireForm(event: StudentRecord) {
  const message = z.encode(eventSchema, { ...event, event_id: undefined })
  if (!isStudentRecord(message)) throw new TypeError('a record about a student became another event')
  return message
}
