import { z } from 'zod'
import { actionFields, someOfPlan } from '../../../shared/actions.ts'
import type { Alert } from '../../../shared/alerts.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import { furthestDue } from '../../../shared/thresholds.ts'
import type {
  ActionReportView,
  AlertCounts,
  AlertDetail,
  InboxChange,
  InboxPage,
  RevealedEvidence,
} from '../../../shared/views.ts'
import type { Doing } from '../alerts/index.ts'
import { whereaboutsIn } from '../whereabouts.ts'
import { appendAudit, alertRow, inboxPage, openEvidence } from '../../store/console/index.ts'
import { stepsFor } from '../../../shared/guide.ts'
import { guideOf } from '../policy/index.ts'
import { alertDetail, mayReveal, stepsMissing } from './alert-detail.ts'
import { colleague, duePassed } from './colleague.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { changedBy, countsOf, firstChange, inboxChange, mergeChanged, type ChangedAlerts } from './inbox-change.ts'
import { readReports, reportsFor } from './action-reports.ts'
import { callerNow, callFor, forbidden, notFound, router } from './trpc.ts'
import { whyUnopened } from './why-unopened.ts'
import { TRPCError } from '@trpc/server'

const key = z.string().min(1).max(200)
const onAlert = { key }
/** A plan names its owner by id alone: the name is the directory's. */
const { next_action, due_at, owner } = actionFields.acknowledged
const { to, note, urgent } = actionFields.handed_off
const handOff = { to, note, urgent }
const made = actionFields.commitment_made
const plan = { next_action, due_at, owner }
/** The triggers the person had before them: what came since is not covered. */
const seenTriggers = z.array(z.string().max(100)).max(10_000).optional()
const see = callFor('alerts.see')
const act = callFor('alerts.act')
const keep = callFor('student_records.keep')

/** The inbox and what is done about an alert. */
export const alertsRouter = router({
  page: see
    .input(
      z.object({
        filter: z.enum(['open', 'mine', 'all', 'watch']),
        search: z.string().max(200).optional(),
        offset: z.int().min(0),
        limit: z.int().min(1).max(200),
      }),
    )
    .query(({ ctx, input }): InboxPage =>
      inboxPage(ctx.parts.db, {
        ...input,
        school: ctx.person.school_id,
        person: ctx.person.id,
        now: ctx.parts.clock.now(),
      }),
    ),
  counts: see.query(({ ctx }): AlertCounts => countsOf(ctx)),
  changes: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<InboxChange> {
    const { clock } = ctx.parts
    const source = (send: (changed: ChangedAlerts) => void) => {
      const stop = ctx.parts.changes.listen((change) => {
        const changed = changedBy(ctx.parts.db, change)
        if (changed) send(changed)
      })
      send(firstChange(ctx))
      return stop
    }
    const changes = paced(source, { clock, interval: 50, merge: mergeChanged, signal })
    for await (const changed of changes) yield inboxChange(callerNow(ctx), changed)
  }),
  detail: see.input(z.object(onAlert)).query(({ ctx, input }): AlertDetail => {
    const detail = alertDetail(ctx, input.key)
    if (!detail) throw notFound('alert')
    return detail
  }),
  /** A window has shown these calls of the ladder. */
  called: see
    .input(z.object({ delivery_ids: z.array(z.string().max(200)).max(200) }))
    .mutation(({ ctx, input }) => ctx.parts.deskCalls.shown(ctx.person.id, input.delivery_ids)),
  /** What became of what this person did here, where they have not read it yet. */
  reports: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<ActionReportView[]> {
    const source = (send: (changed: true) => void) =>
      ctx.parts.changes.listen(({ reported, alerts }) => {
        if (reported.includes(ctx.person.id) || alerts.length > 0) send(true)
      })
    let last = reportsFor(ctx)
    yield last
    for await (const _ of paced(source, {
      clock: ctx.parts.clock,
      interval: 250,
      merge: () => true as const,
      signal,
    })) {
      const reports = reportsFor(callerNow(ctx))
      if (reports.length === 0 && last.length === 0) continue
      yield (last = reports)
    }
  }),
  /** They have read these. */
  reportsRead: see
    .input(z.object({ action_ids: z.array(z.string().max(400)).max(1000) }))
    .mutation(({ ctx, input }) => readReports(ctx, input.action_ids)),
  seen: act.input(z.object(onAlert)).mutation(({ ctx, input }) => {
    if (findOwn(ctx, input.key).first_seen_at === null) done(ctx, input.key, { action: 'seen' })
  }),
  acknowledge: act
    .input(z.object({ ...onAlert, ...plan, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) =>
      done(ctx, alertKey, { action: 'acknowledged', ...input, ...ownerOf(ctx, input.owner) }),
    ),
  plan: act
    .input(z.object({ ...onAlert, ...plan, trigger_ids: seenTriggers }).refine(someOfPlan))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) =>
      done(ctx, alertKey, { action: 'corrected', ...input, ...ownerOf(ctx, input.owner) }),
    ),
  takeOver: act
    .input(z.object({ ...onAlert, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'taken_over', ...input })),
  handOff: act
    .input(z.object({ ...onAlert, ...handOff, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      if (findOwn(ctx, alertKey).owner?.id !== ctx.person.id)
        throw refused('You can hand off only an alert that you hold.', 'Take over the alert first.')
      const { id, name } = colleague(ctx, input.to)
      if (id === ctx.person.id) throw refused('You hold this alert already.', 'Choose a colleague.')
      return done(ctx, alertKey, { action: 'handed_off', ...input, to: id, to_name: name })
    }),
  acceptHandOff: act
    .input(z.object({ ...onAlert, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      if (findOwn(ctx, alertKey).hand_off?.to !== ctx.person.id)
        throw refused('This alert was not handed to you, or no longer is.', 'Check who holds it now.')
      return done(ctx, alertKey, { action: 'hand_off_accepted', ...input })
    }),
  declineHandOff: act
    .input(z.object({ ...onAlert, ...actionFields.hand_off_declined }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      if (findOwn(ctx, alertKey).hand_off?.to !== ctx.person.id)
        throw refused('This alert was not handed to you, or no longer is.', 'Check who holds it now.')
      return done(ctx, alertKey, { action: 'hand_off_declined', ...input })
    }),
  withdrawHandOff: act.input(z.object(onAlert)).mutation(({ ctx, input }) => {
    if (findOwn(ctx, input.key).hand_off?.by !== ctx.person.id)
      throw refused(
        'There is no hand-off of yours to withdraw: it was accepted or declined.',
        'Check who holds it now.',
      )
    return done(ctx, input.key, { action: 'hand_off_withdrawn' })
  }),
  returnToQueue: act
    .input(z.object({ ...onAlert, ...actionFields.returned }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      if (findOwn(ctx, alertKey).owner?.id !== ctx.person.id)
        throw refused('You can return only an alert that you hold.', 'Check who holds it now.')
      return done(ctx, alertKey, { action: 'returned', ...input })
    }),
  /** Undo: takes back what the caller did a moment ago. */
  withdraw: act
    .input(z.object({ ...onAlert, ...actionFields.withdrawn }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'withdrawn', ...input })),
  stepDone: keep
    .input(z.object({ ...onAlert, step: actionFields.step_done.step, note: actionFields.step_done.note }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      const guide = stepsFor(guideOf(ctx.parts, ctx.person.school_id), findConcerned(ctx, alertKey))
      const step = guide.find(({ id }) => id === input.step)
      if (!step) throw notFound('step')
      return done(ctx, alertKey, { action: 'step_done', ...input, title: step.title })
    }),
  contactAttempted: keep
    .input(z.object({ ...onAlert, ...actionFields.contact_attempted }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      findConcerned(ctx, alertKey)
      return done(ctx, alertKey, { action: 'contact_attempted', ...input })
    }),
  commit: act
    .input(z.object({ ...onAlert, next_action: made.next_action, due_at: made.due_at, owner }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) =>
      done(ctx, alertKey, { action: 'commitment_made', ...input, ...ownerOf(ctx, input.owner ?? ctx.person.id) }),
    ),
  commitmentMet: act
    .input(z.object({ ...onAlert, ...actionFields.commitment_met }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) =>
      done(ctx, alertKey, { action: 'commitment_met', ...input, ...seenWhenTaken(ctx, alertKey) }),
    ),
  moveCommitment: act
    .input(z.object({ ...onAlert, ...plan, commitment: actionFields.commitment_moved.commitment }).refine(someOfPlan))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) =>
      done(ctx, alertKey, {
        action: 'commitment_moved',
        ...input,
        ...ownerOf(ctx, input.owner),
        ...seenWhenTaken(ctx, alertKey),
      }),
    ),
  correctNote: act
    .input(z.object({ ...onAlert, record: actionFields.withdrawn.record, ...actionFields.noted }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'corrected', ...input })),
  note: act
    .input(z.object({ ...onAlert, ...actionFields.noted, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'noted', ...input })),
  reopen: act
    .input(z.object({ ...onAlert, reason: actionFields.reopened.reason }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'reopened', ...input })),
  resolve: act
    .input(z.object({ ...onAlert, ...actionFields.resolved, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      const alert = findOwn(ctx, alertKey)
      if (input.disposition === 'could not reach') throw noOutcome()
      const missing = stepsMissing(ctx, alert)
      if (missing.length > 0 && input.reason === undefined) throw stepsLeft(missing)
      return done(ctx, alertKey, { action: 'resolved', ...input })
    }),
  reveal: callFor('evidence.reveal')
    .input(z.object({ ...onAlert, reason: actionFields.reopened.reason }))
    .mutation(({ ctx, input }): RevealedEvidence[] => {
      const { db, evidenceKey, clock, consoleId } = ctx.parts
      const alert = findOwn(ctx, input.key)
      if (!mayReveal(ctx, alert)) {
        throw new TRPCError({
          code: 'FORBIDDEN',
          cause: forbidden(
            'Counselors can see the evidence behind open alerts and for students on their own caseload.',
          ),
        })
      }
      // The entry stands before anything is opened.
      appendAudit(db, {
        at: clock.now(),
        who: ctx.person.id,
        role: ctx.person.role,
        what: 'evidence.reveal',
        subject: `alert ${alert.key}`,
        why: input.reason,
        console_id: consoleId,
      })
      return openEvidence(
        db,
        evidenceKey,
        alert.triggers.map(({ id }) => id),
        whyUnopened(ctx),
      ).map((piece) => ({ ...piece, whereabouts: whereaboutsIn(piece.text) }))
    }),
})

/** The alert behind a key, within the caller's school. */
export function findOwn({ parts, person }: Caller, alertKey: string): Alert {
  const alert = parts.lifecycle.find(alertKey)
  if (!alert || !alertRow(parts.db, person.school_id, alert.key)) throw notFound('alert')
  return alert
}

/** The same for what is kept about a student: of a counselor's school, alerts that are not resolved and the own caseload. */
function findConcerned(ctx: Caller, alertKey: string): Alert {
  const alert = findOwn(ctx, alertKey)
  if (mayReveal(ctx, alert)) return alert
  throw new TRPCError({
    code: 'FORBIDDEN',
    cause: forbidden('Counselors log steps and calls on open alerts and for their own caseload.'),
  })
}

/** What whoever took the alert had before them: doing what was promised says nothing of what has come since. */
function seenWhenTaken(ctx: Caller, alertKey: string): { trigger_ids?: string[] } {
  const { acknowledged, history, triggers } = findOwn(ctx, alertKey)
  const taken = history.find(({ action }) => action.id === acknowledged?.id)?.action.covers
  if (taken === undefined) return {}
  const seen = triggers.filter(({ id, idempotency_key }) => taken.includes(id) || taken.includes(idempotency_key))
  return seen.length > 0 ? { trigger_ids: seen.map(({ id }) => id) } : {}
}

function done(ctx: Caller, alertKey: string, doing: Doing): { ack_id: string } {
  // A plan that is overdue from the start would open the alert again at once.
  const now = ctx.parts.clock.now()
  if ('due_at' in doing && doing.due_at !== undefined && (doing.due_at <= now || doing.due_at > now + furthestDue))
    throw duePassed()
  const alert = findOwn(ctx, alertKey)
  return { ack_id: ctx.parts.lifecycle.act(alert.key, ctx.person, doing, ctx.callId).ackId }
}

function ownerOf(ctx: Caller, ownerId: string | undefined): { owner?: string; owner_name?: string } {
  if (ownerId === undefined) return {}
  const { id, name } = colleague(ctx, ownerId)
  return { owner: id, owner_name: name }
}

function refused(happened: string, todo: string): TRPCError {
  return new TRPCError({
    code: 'CONFLICT',
    cause: new ConsoleError({ code: 'not_holder', happened, safe: 'Nothing was changed.', todo }),
  })
}

function noOutcome(): TRPCError {
  return new TRPCError({
    code: 'BAD_REQUEST',
    cause: new ConsoleError({
      code: 'no_outcome',
      happened: '“Could not reach” is an attempt, not an outcome.',
      safe: 'Nothing was changed, and the alert stays open.',
      todo: 'Log the attempt, and try again or hand the alert off.',
    }),
  })
}

function stepsLeft(missing: readonly { title: string }[]): TRPCError {
  return new TRPCError({
    code: 'PRECONDITION_FAILED',
    cause: new ConsoleError({
      code: 'steps_missing',
      happened: `Your school requires steps that are not done: ${missing.map(({ title }) => title).join(' · ')}.`,
      safe: 'Nothing was changed, and what you wrote is still here.',
      todo: 'Do them, or say why they are left out.',
    }),
  })
}
