import { z } from 'zod'
import { studentHashSchema, type StudentRecord } from '../../../shared/events.ts'
import { openWords } from '../../../shared/record-words.ts'
import { followUpEndSchema, safetyPlanSchema } from '../../../shared/student-records.ts'
import type { CommitmentDue, FollowUp, MyDay, SafetyPlanVersion } from '../../../shared/views.ts'
import {
  alertRows,
  commitmentsOf,
  handedTo,
  hasUnresolvedAlert,
  heldBy,
  isOnCaseload,
  openFollowUps,
  safetyPlans,
  studentByHash,
} from '../../store/console/index.ts'
import { colleague, duePassed } from './colleague.ts'
import type { Caller } from './context.ts'
import { openedAlert } from './opened-alert.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, forbidden, notFound, router } from './trpc.ts'
import { TRPCError } from '@trpc/server'

const keep = callFor('student_records.keep')
const act = callFor('alerts.act')
const ofStudent = { student_hash: studentHashSchema }
/** Long enough for a school year. */
const furthestFollowUp = 400 * 24 * 3_600_000
/** Of one list of My day: more than anybody holds. */
const mostHanded = 200

/** What is kept about a student beyond any one alert, and what is due today. */
export const studentRecordsRouter = router({
  safetyPlans: keep.input(z.object(ofStudent)).query(({ ctx, input }): SafetyPlanVersion[] => {
    const { student } = own(ctx, input.student_hash)
    return safetyPlans(ctx.parts.db, { school: ctx.person.school_id, ...student }, opener(ctx))
  }),
  saveSafetyPlan: keep
    .input(z.object({ ...ofStudent, sections: safetyPlanSchema }))
    .mutation(({ ctx, input: { student_hash, sections } }) => {
      const { student } = own(ctx, student_hash)
      return {
        record: ctx.parts.studentRecords.keep(student, ctx.person, { event_type: 'SAFETY_PLAN_SAVED', sections }),
      }
    }),
  followUps: act
    .input(z.object(ofStudent))
    .query(({ ctx, input }): FollowUp[] => followUpsOf(ctx, studentOf(ctx, input.student_hash))),
  setFollowUp: act
    .input(
      z.object({
        ...ofStudent,
        follow_up: z.string().max(200).optional(),
        next_action: z.string().trim().min(1).max(2000),
        due_at: z.int(),
        owner: z.string().max(200).optional(),
        alert_key: z.string().max(200).optional(),
      }),
    )
    .mutation(({ ctx, input: { student_hash, owner, ...input } }) => {
      const now = ctx.parts.clock.now()
      if (input.due_at <= now || input.due_at > now + furthestFollowUp) throw duePassed()
      const { id, name } = owner === undefined ? ctx.person : colleague(ctx, owner)
      const student = studentOf(ctx, student_hash)
      if (input.follow_up !== undefined) findFollowUp(ctx, student, input.follow_up)
      return {
        record: ctx.parts.studentRecords.keep(student, ctx.person, {
          event_type: 'FOLLOW_UP_SET',
          ...input,
          owner: id,
          owner_name: name,
        }),
      }
    }),
  endFollowUp: act
    .input(
      z.object({
        ...ofStudent,
        follow_up: z.string().max(200),
        outcome: followUpEndSchema,
        note: z.string().trim().min(1).max(20_000).optional(),
      }),
    )
    .mutation(({ ctx, input: { student_hash, ...input } }) => {
      const student = studentOf(ctx, student_hash)
      findFollowUp(ctx, student, input.follow_up)
      return { record: ctx.parts.studentRecords.keep(student, ctx.person, { event_type: 'FOLLOW_UP_DONE', ...input }) }
    }),
  myDay: act.query(({ ctx }): MyDay => {
    const { db, clock } = ctx.parts
    const of = { school: ctx.person.school_id, person: ctx.person.id }
    return {
      now: clock.now(),
      held: alertRows(db, of.school, heldBy(db, of)),
      handed: alertRows(db, of.school, handedTo(db, of, mostHanded)),
      commitments: commitmentsOf(db, of).map((due) => ({ ...due, what: due.what || wordsOf(ctx, due) })),
      follow_ups: openFollowUps(db, of, opener(ctx)),
    }
  }),
  /** That something of My day, or of what is kept about a student, may be other than it was. */
  changes: act.subscription(async function* ({ ctx, signal }): AsyncGenerator<{ at: number }> {
    const { changes, clock } = ctx.parts
    const source = (send: (value: true) => void) =>
      changes.listen(({ alerts, gone, students, every_student }) => {
        if (alerts.length + gone.length + students.length > 0 || every_student) send(true)
      })
    for await (const _ of paced<true>(source, { clock, interval: 250, merge: () => true, signal })) {
      callerNow(ctx)
      yield { at: clock.now() }
    }
  }),
})

/** What a commitment says whose words were sealed when it came; '' while they do not open here. */
function wordsOf({ parts }: Caller, { id, alert_key }: CommitmentDue): string {
  const found = parts.lifecycle.find(alert_key)
  const commitments = found === null ? [] : openedAlert(found, parts.evidenceKey).commitments
  return commitments.find((commitment) => commitment.id === id)?.what ?? ''
}

/** A student whose plan the caller may read and write: a clinician's school; of a counselor's, the caseload and open alerts. */
function own(ctx: Caller, student_hash: string) {
  const student = studentOf(ctx, student_hash)
  const { parts, person } = ctx
  const theirs =
    person.role === 'CLINICIAN' || isOnCaseload(parts.db, student, person.id) || hasUnresolvedAlert(parts.db, student)
  if (!theirs || person.school_id === '')
    throw new TRPCError({
      code: 'FORBIDDEN',
      cause: forbidden('Counselors see the safety plans of open alerts and of their own caseload.'),
    })
  return { student }
}

/** A student of the caller's school. */
function studentOf({ parts, person }: Caller, student_hash: string): { school_id: string; student_hash: string } {
  const found = studentByHash(parts.db, person.school_id, student_hash, parts.clock.now())
  if (!found) throw notFound('student')
  return { school_id: found.student.school_id, student_hash: found.student.student_hash }
}

function followUpsOf(ctx: Caller, { student_hash }: { student_hash: string }): FollowUp[] {
  return openFollowUps(ctx.parts.db, { school: ctx.person.school_id, student_hash }, opener(ctx))
}

/** Only what is still open of this student is set anew or ended: a colleague may have been first. */
function findFollowUp(ctx: Caller, student: { student_hash: string }, id: string): void {
  if (!followUpsOf(ctx, student).some((open) => open.id === id)) throw notFound('follow-up')
}

function opener({ parts }: Caller): (record: StudentRecord) => StudentRecord {
  return (record) => openWords(record, parts.evidenceKey)
}
