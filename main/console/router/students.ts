import { z } from 'zod'
import { instruments } from '../../../shared/estimates.ts'
import { studentHashSchema } from '../../../shared/events.ts'
import { riskTierSchema } from '../../../shared/risk.ts'
import type { EstimateView, RosterEntry, SessionRow, StudentRow, Trajectory } from '../../../shared/views.ts'
import { keyOf, mostPoints, sessionPage, studentByHash, studentPage, trajectory } from '../../store/console/index.ts'
import type { Change } from '../changes.ts'
import type { Caller } from './context.ts'
import { estimateView } from './estimate-view.ts'
import { schoolZone } from './school-zone.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, notFound, router } from './trpc.ts'

const see = callFor('students.see')
const ofStudent = z.object({ student_hash: studentHashSchema })
const page = { offset: z.int().min(0), limit: z.int().min(1).max(200) }
/** Live charts are drawn at most twice a second. */
const chartInterval = 500

/** The caseload and one student's page. */
export const studentsRouter = router({
  page: see
    .input(z.object({ ...page, search: z.string().max(200).optional(), tier: riskTierSchema.optional() }))
    .query(({ ctx, input }): { total: number; offset: number; rows: StudentRow[] } =>
      studentPage(ctx.parts.db, { ...input, school: ctx.person.school_id, now: ctx.parts.clock.now() }),
    ),
  get: see
    .input(ofStudent)
    .query(({ ctx, input }): StudentRow & { roster: RosterEntry | null } => own(ctx, input.student_hash)),
  trajectory: see
    .input(
      ofStudent.extend({
        from: z.int().optional(),
        to: z.int().optional(),
        points: z.int().min(20).max(mostPoints).optional(),
      }),
    )
    .query(({ ctx, input }): Trajectory => {
      const { student } = own(ctx, input.student_hash)
      const { from = 0, to = ctx.parts.clock.now(), points = mostPoints } = input
      return trajectory(ctx.parts.db, { ...student, from, to, points })
    }),
  estimates: see
    .input(ofStudent.extend({ instrument: z.enum(instruments), window_days: z.union([z.literal(14), z.literal(30)]) }))
    .query(({ ctx, input }): Promise<EstimateView> => {
      const { student } = own(ctx, input.student_hash)
      const { db, clock } = ctx.parts
      return estimateView(db, { ...input, student, now: clock.now(), zone: schoolZone(ctx) })
    }),
  sessions: see.input(ofStudent.extend(page)).query(({ ctx, input }): { total: number; rows: SessionRow[] } => {
    const { student } = own(ctx, input.student_hash)
    return sessionPage(ctx.parts.db, { ...input, of: student, school: ctx.person.school_id })
  }),
  changes: see.input(ofStudent).subscription(async function* ({ ctx, input, signal }): AsyncGenerator<{ at: number }> {
    let key = studentKey(ctx, input.student_hash)
    const concerns = ({ students, every_student }: Change) => every_student || students.includes(key)
    for await (const tick of ticks(ctx, signal, concerns)) {
      // Their school may have become known, or have turned out to be another's.
      key = studentKey(callerNow(ctx), input.student_hash)
      yield tick
    }
  }),
  listChanges: see.subscription(({ ctx, signal }) =>
    ticks(ctx, signal, ({ students, every_student }) => every_student || students.length > 0),
  ),
})

/** A student of the caller's school. */
function own({ parts, person }: Caller, hash: string) {
  const student = studentByHash(parts.db, person.school_id, hash, parts.clock.now())
  if (!student) throw notFound('student')
  return student
}

function studentKey(ctx: Caller, hash: string): string {
  const { student } = own(ctx, hash)
  return keyOf(student.school_id, student.student_hash)
}

async function* ticks(
  { parts }: Caller,
  signal: AbortSignal | undefined,
  concerns: (change: Change) => boolean,
): AsyncGenerator<{ at: number }> {
  const source = (send: (value: true) => void) => parts.changes.listen((change) => concerns(change) && send(true))
  for await (const _ of paced<true>(source, {
    clock: parts.clock,
    interval: chartInterval,
    merge: () => true,
    signal,
  })) {
    yield { at: parts.clock.now() }
  }
}
