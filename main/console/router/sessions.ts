import { z } from 'zod'
import { minutes } from '../../../shared/time.ts'
import type { SessionRow, SessionView, TranscriptMessage } from '../../../shared/views.ts'
import {
  appendAudit,
  hasUnresolvedAlert,
  isAudited,
  isOnCaseload,
  keyOf,
  sessionById,
  sessionPage,
  transcriptPage,
} from '../../store/console/index.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, forbidden, notFound, router } from './trpc.ts'
import { whyUnopened } from './why-unopened.ts'
import { TRPCError } from '@trpc/server'

const read = callFor('transcript.read')
const id = z.string().min(1).max(200)
const page = { offset: z.int().min(0), limit: z.int().min(1).max(200) }

/** Session review: the transcript, its markers and its summary. */
export const sessionsRouter = router({
  page: read
    .input(z.object({ ...page, search: z.string().max(200).optional() }))
    .query(({ ctx, input }): { total: number; offset: number; rows: SessionRow[] } =>
      sessionPage(ctx.parts.db, { ...input, school: ctx.person.school_id }),
    ),
  get: read.input(z.object({ id })).query(({ ctx, input }): SessionView => own(ctx, input.id)),
  messages: read
    .input(z.object({ id, ...page }))
    .query(({ ctx, input }): { total: number; offset: number; rows: TranscriptMessage[] } => {
      const session = own(ctx, input.id)
      const { db, evidenceKey, clock, consoleId } = ctx.parts
      if (!mayRead(ctx, session)) {
        throw new TRPCError({
          code: 'FORBIDDEN',
          cause: forbidden('Counselors read transcripts of their own caseload and of students with an open alert.'),
        })
      }
      // Reading is one act, however many pages it takes; nobody begins one unseen by asking for a later page.
      if (input.offset === 0 || !goesOnReading(ctx, session)) {
        appendAudit(db, {
          at: clock.now(),
          who: ctx.person.id,
          role: ctx.person.role,
          what: 'transcript.read',
          subject: `session ${session.id}`,
          why: 'session review',
          console_id: consoleId,
        })
      }
      const { school_id } = session.student
      const unopened = whyUnopened(ctx)
      return transcriptPage(db, evidenceKey, { ...input, school_id, session_id: session.id, unopened })
    }),
  changes: read.input(z.object({ id })).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<{ at: number }> {
    let key = sessionKey(ctx, input.id)
    const { changes, clock } = ctx.parts
    const source = (send: (value: true) => void) =>
      changes.listen(({ sessions, every_student }) => (every_student || sessions.includes(key)) && send(true))
    for await (const _ of paced<true>(source, { clock, interval: 500, merge: () => true, signal })) {
      // Its school may have become known, or have turned out to be another's.
      key = sessionKey(callerNow(ctx), input.id)
      yield { at: clock.now() }
    }
  }),
})

function own({ parts, person }: Caller, sessionId: string): SessionView {
  const session = sessionById(parts.db, person.school_id, sessionId)
  if (!session) throw notFound('session')
  return session
}

function sessionKey(ctx: Caller, sessionId: string): string {
  const session = own(ctx, sessionId)
  return keyOf(session.student.school_id, session.id)
}

/** Pages asked for within this time are one reading. */
const oneReading = minutes(30)

/** Whether this person's reading of this session stands in the audit already, not long ago. */
function goesOnReading({ parts, person }: Caller, { id: sessionId }: SessionView): boolean {
  return isAudited(parts.db, {
    who: person.id,
    what: 'transcript.read',
    subject: `session ${sessionId}`,
    since: parts.clock.now() - oneReading,
  })
}

function mayRead({ parts, person }: Caller, { student }: SessionView): boolean {
  // Whose student it is nobody can say while the console serves no school.
  if (person.school_id === '') return false
  if (person.role === 'CLINICIAN') return true
  const own = { school_id: person.school_id, student_hash: student.student_hash }
  if (isOnCaseload(parts.db, own, person.id)) return true
  return hasUnresolvedAlert(parts.db, student)
}
