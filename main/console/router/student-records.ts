import { z } from 'zod'
import { studentHashSchema, type StudentRecord } from '../../../shared/events.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import { openWords } from '../../../shared/record-words.ts'
import { followUpEndSchema, safetyPlanSchema } from '../../../shared/student-records.ts'
import type {
  CommitmentDue,
  DueCounts,
  EndedFollowUp,
  FollowUp,
  MyDay,
  SafetyPlanVersion,
} from '../../../shared/views.ts'
import { furthestDue, undoAcceptedFor } from '../../../shared/thresholds.ts'
import { startOfDay } from '../../../shared/zone.ts'
import {
  alertRows,
  appendAudit,
  commitmentsOf,
  endedFollowUps,
  followUpSet,
  handedTo,
  hasUnresolvedAlert,
  heldBy,
  isOnCaseload,
  openFollowUps,
  promises,
  safetyPlans,
  studentByHash,
} from '../../store/console/index.ts'
import { concernsPromises, lookWhenDue } from '../student-records/index.ts'
import { colleague, duePassed } from './colleague.ts'
import type { Caller } from './context.ts'
import { openedAlert } from './opened-alert.ts'
import { paced } from './paced-updates.ts'
import { schoolZone } from './school-zone.ts'
import { callerNow, callFor, forbidden, notFound, router } from './trpc.ts'
import { TRPCError } from '@trpc/server'

const keep = callFor('student_records.keep')
const act = callFor('alerts.act')
const ofStudent = { student_hash: studentHashSchema }
/** Of one list of My day: more than anybody holds. */
const mostHanded = 200

/** What is kept about a student beyond any one alert, and what is due today. */
export const studentRecordsRouter = router({
  safetyPlans: keep.input(z.object(ofStudent)).query(({ ctx, input }): SafetyPlanVersion[] => {
    const { student } = own(ctx, input.student_hash)
    return safetyPlans(ctx.parts.db, { school: ctx.person.school_id, ...student }, opener(ctx))
  }),
  saveSafetyPlan: keep
    .input(z.object({ ...ofStudent, sections: safetyPlanSchema, based_on: z.string().max(200).nullable() }))
    .mutation(({ ctx, input: { student_hash, sections, based_on } }) => {
      const { student } = own(ctx, student_hash)
      const again = keptBefore(ctx)
      if (again) return again
      const [last] = safetyPlans(ctx.parts.db, { school: ctx.person.school_id, ...student }, opener(ctx))
      // Whoever writes has read the version that they replace.
      if ((last?.id ?? null) !== based_on) throw planChanged(last)
      return {
        record: ctx.parts.studentRecords.keep(
          student,
          ctx.person,
          { event_type: 'SAFETY_PLAN_SAVED', sections },
          ctx.callId ?? null,
        ),
      }
    }),
  /** A version leaves the program on paper: the audit knows by whom. */
  safetyPlanPrinted: keep
    .input(z.object({ ...ofStudent, version: z.string().max(200) }))
    .mutation(({ ctx, input: { student_hash, version } }) => {
      const { student } = own(ctx, student_hash)
      const { db, clock, consoleId } = ctx.parts
      const versions = safetyPlans(db, { school: ctx.person.school_id, ...student }, opener(ctx))
      if (!versions.some(({ id }) => id === version)) throw notFound('version')
      appendAudit(db, {
        at: clock.now(),
        who: ctx.person.id,
        role: ctx.person.role,
        what: 'student.safety_plan_printed',
        subject: `student ${student_hash}`,
        why: '',
        console_id: consoleId,
      })
    }),
  followUps: keep
    .input(z.object(ofStudent))
    .query(({ ctx, input }): FollowUp[] => followUpsOf(ctx, studentOf(ctx, input.student_hash))),
  endedFollowUps: keep
    .input(z.object(ofStudent))
    .query(({ ctx, input }): EndedFollowUp[] =>
      endedFollowUps(
        ctx.parts.db,
        { school: ctx.person.school_id, ...studentOf(ctx, input.student_hash) },
        opener(ctx),
      ),
    ),
  setFollowUp: keep
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
      if (input.due_at <= now || input.due_at > now + furthestDue) throw duePassed()
      const { id, name } = owner === undefined ? ctx.person : colleague(ctx, owner)
      const student = studentOf(ctx, student_hash)
      if (input.follow_up !== undefined) findFollowUp(ctx, student, input.follow_up)
      return {
        record: ctx.parts.studentRecords.keep(
          student,
          ctx.person,
          {
            event_type: 'FOLLOW_UP_SET',
            ...input,
            owner: id,
            owner_name: name,
          },
          ctx.callId ?? null,
        ),
      }
    }),
  endFollowUp: keep
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
      const again = keptBefore(ctx)
      if (again) return again
      const open = findFollowUp(ctx, student, input.follow_up)
      const isUndo = open.set.by === ctx.person.id && ctx.parts.clock.now() - open.set.at <= undoAcceptedFor
      if (input.outcome === 'withdrawn' && !isUndo) throw undoOver()
      return {
        record: ctx.parts.studentRecords.keep(
          student,
          ctx.person,
          { event_type: 'FOLLOW_UP_DONE', ...input },
          ctx.callId ?? null,
        ),
      }
    }),
  /** Undo: it stands again as it was last set but for `record`, even where it has become overdue since. */
  resumeFollowUp: keep
    .input(z.object({ ...ofStudent, follow_up: z.string().max(200), record: z.string().max(200) }))
    .mutation(({ ctx, input: { student_hash, follow_up, record } }) => {
      const student = studentOf(ctx, student_hash)
      const { what, due_at, owner, alert_key } = known(ctx, student, follow_up, record)
      // Words that do not open here would be lost by being said again.
      if (what === null) throw sealedWords()
      return {
        record: ctx.parts.studentRecords.keep(
          student,
          ctx.person,
          {
            event_type: 'FOLLOW_UP_SET',
            follow_up,
            next_action: what,
            due_at,
            owner: owner.id,
            owner_name: owner.name,
            alert_key: alert_key ?? undefined,
          },
          ctx.callId ?? null,
        ),
      }
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
    const source = (send: (value: true) => void) => changes.listen((change) => concernsPromises(change) && send(true))
    for await (const _ of paced<true>(source, { clock, interval: 250, merge: () => true, signal })) {
      callerNow(ctx)
      yield { at: clock.now() }
    }
  }),
  /** How much of what the caller promised is due: now, after every change, and as it becomes due. */
  due: act.subscription(async function* ({ ctx, signal }): AsyncGenerator<DueCounts> {
    const { changes, clock } = ctx.parts
    let told = clock.now()
    const source = (send: (counts: DueCounts | null) => void) =>
      lookWhenDue({ changes, clock }, () => {
        // The console may close, or make way for another program, while a window still listens; the clock calls all the same.
        if (!ctx.parts.db.open) return null
        // Whoever left ends the subscription, below.
        const due = someoneSits(ctx) ? dueCounts(callerNow(ctx), told) : null
        told = clock.now()
        send(due?.counts ?? null)
        return due?.next ?? null
      })
    const merge = (a: DueCounts | null, b: DueCounts | null) => a && b && { ...b, news: a.news + b.news }
    for await (const counts of paced(source, { clock, interval: 250, merge, signal })) {
      callerNow(ctx)
      if (counts) yield counts
    }
  }),
})

/** What a commitment says whose words were sealed when it came; '' while they do not open here. */
function wordsOf({ parts }: Caller, { id, alert_key }: CommitmentDue): string {
  const found = parts.lifecycle.find(alert_key)
  const commitments = found === null ? [] : openedAlert(found, parts.evidenceKey).commitments
  return commitments.find((commitment) => commitment.id === id)?.what ?? ''
}

function someoneSits({ parts, windowId }: Caller): boolean {
  const id = parts.windows.personAt(windowId)
  return id !== null && parts.people.find(id) !== null
}

/** What the caller promised, by when it is due; `next`: when that changes by the clock alone. Times are UTC milliseconds. */
function dueCounts(ctx: Caller, told: number): { counts: DueCounts; next: number } {
  const { db, clock } = ctx.parts
  const now = clock.now()
  const tomorrow = startOfDay(now, schoolZone(ctx), 1)
  const promised = promises(db, { school: ctx.person.school_id, person: ctx.person.id })
  const overdue = promised.filter(({ due_at }) => due_at <= now)
  const today = promised.filter(({ due_at }) => due_at > now && due_at < tomorrow)
  // What rings is heard without this.
  const news = overdue.filter(({ due_at, quiet }) => quiet && due_at > told)
  return {
    counts: { overdue: overdue.length, today: today.length, news: news.length },
    next: Math.min(tomorrow, ...today.map(({ due_at }) => due_at)),
  }
}

/** A follow-up of this student that somebody has set, ended or not, as it stands but for one record. */
function known(ctx: Caller, student: { student_hash: string }, follow_up: string, without = ''): FollowUp {
  const of = { school: ctx.person.school_id, student_hash: student.student_hash, follow_up, without }
  const found = followUpSet(ctx.parts.db, of, opener(ctx))
  if (found === null) throw notFound('follow-up')
  return found
}

function planChanged(last: SafetyPlanVersion | undefined): TRPCError {
  return new TRPCError({
    code: 'CONFLICT',
    cause: new ConsoleError({
      code: 'plan_changed',
      happened: `${last?.by_name ?? 'A colleague'} saved this safety plan while you were writing.`,
      safe: 'What you wrote is still here, and nothing was replaced.',
      todo: 'Read the saved version beside yours, and save again.',
    }),
  })
}

function sealedWords(): TRPCError {
  return new TRPCError({
    code: 'CONFLICT',
    cause: new ConsoleError({
      code: 'words_sealed',
      happened: 'This console was not given the key to this follow-up’s words, so it cannot set it again.',
      safe: 'Nothing was changed.',
      todo: 'Undo it at the console where it was set, or set a new follow-up.',
    }),
  })
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
function findFollowUp(ctx: Caller, student: { student_hash: string }, id: string): FollowUp {
  const found = followUpsOf(ctx, student).find((open) => open.id === id)
  if (!found) throw notFound('follow-up')
  return found
}

/** The answer to a call that was sent before, and was kept then. */
function keptBefore({ parts, person, callId }: Caller): { record: string } | null {
  const record = parts.studentRecords.keptBy(person, callId ?? null)
  return record === null ? null : { record }
}

function undoOver(): TRPCError {
  return new TRPCError({
    code: 'CONFLICT',
    cause: new ConsoleError({
      code: 'undo_over',
      happened: 'This can no longer be undone.',
      safe: 'The follow-up stands, and nothing was changed.',
      todo: 'Mark it as done or not needed; that is recorded with your name.',
    }),
  })
}

function opener({ parts }: Caller): (record: StudentRecord) => StudentRecord {
  return (record) => openWords(record, parts.evidenceKey)
}
