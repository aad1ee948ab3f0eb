import { z } from 'zod'
import { actionFields, someOfPlan } from '../../../shared/actions.ts'
import type { Alert } from '../../../shared/alerts.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import type { AlertCounts, AlertDetail, InboxChange, InboxPage, RevealedEvidence } from '../../../shared/views.ts'
import type { Doing } from '../alerts/index.ts'
import { appendAudit, alertRow, inboxPage, openEvidence } from '../../store/console/index.ts'
import { alertDetail, mayReveal } from './alert-detail.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { changedBy, countsOf, firstChange, inboxChange, mergeChanged, type ChangedAlerts } from './inbox-change.ts'
import { callerNow, callFor, forbidden, notFound, router } from './trpc.ts'
import { whyUnopened } from './why-unopened.ts'
import { TRPCError } from '@trpc/server'

const key = z.string().min(1).max(200)
const onAlert = { key }
/** A plan names its owner by id alone: the name is the directory's. */
const { next_action, due_at, owner } = actionFields.acknowledged
const plan = { next_action, due_at, owner }
/** The triggers the person had before them: what came since is not covered. */
const seenTriggers = z.array(z.string().max(100)).max(10_000).optional()
const see = callFor('alerts.see')
const act = callFor('alerts.act')

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
    .input(
      z.object({
        ...onAlert,
        to: actionFields.handed_off.to,
        note: actionFields.handed_off.note,
        trigger_ids: seenTriggers,
      }),
    )
    .mutation(({ ctx, input }) => {
      if (findOwn(ctx, input.key).owner?.id !== ctx.person.id)
        throw refused('You can hand off only what you hold.', 'Take the alert over first.')
      const { id, name } = colleague(ctx, input.to)
      return done(ctx, input.key, {
        action: 'handed_off',
        to: id,
        to_name: name,
        note: input.note,
        trigger_ids: input.trigger_ids,
      })
    }),
  acceptHandOff: act
    .input(z.object({ ...onAlert, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => {
      if (findOwn(ctx, alertKey).hand_off?.to !== ctx.person.id)
        throw refused('This alert was not handed to you, or no longer is.', 'Look at who holds it now.')
      return done(ctx, alertKey, { action: 'hand_off_accepted', ...input })
    }),
  note: act
    .input(z.object({ ...onAlert, ...actionFields.noted, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'noted', ...input })),
  reopen: act
    .input(z.object({ ...onAlert, reason: actionFields.reopened.reason }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'reopened', ...input })),
  resolve: act
    .input(z.object({ ...onAlert, ...actionFields.resolved, trigger_ids: seenTriggers }))
    .mutation(({ ctx, input: { key: alertKey, ...input } }) => done(ctx, alertKey, { action: 'resolved', ...input })),
  reveal: callFor('evidence.reveal')
    .input(z.object({ ...onAlert, reason: actionFields.reopened.reason }))
    .mutation(({ ctx, input }): RevealedEvidence[] => {
      const { db, evidenceKey, clock, consoleId } = ctx.parts
      const alert = findOwn(ctx, input.key)
      if (!mayReveal(ctx, alert)) {
        throw new TRPCError({
          code: 'FORBIDDEN',
          cause: forbidden('Counselors see the evidence of open alerts and of their own caseload.'),
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
      )
    }),
})

/** The alert behind a key, within the caller's school. */
function findOwn({ parts, person }: Caller, alertKey: string): Alert {
  const alert = parts.lifecycle.find(alertKey)
  if (!alert || !alertRow(parts.db, person.school_id, alert.key)) throw notFound('alert')
  return alert
}

function done(ctx: Caller, alertKey: string, doing: Doing): { ack_id: string } {
  // A plan that is overdue from the start would open the alert again at once.
  if ('due_at' in doing && doing.due_at !== undefined && doing.due_at <= ctx.parts.clock.now()) throw duePassed()
  const alert = findOwn(ctx, alertKey)
  return { ack_id: ctx.parts.lifecycle.act(alert.key, ctx.person, doing).ackId }
}

function ownerOf(ctx: Caller, ownerId: string | undefined): { owner?: string; owner_name?: string } {
  if (ownerId === undefined) return {}
  const { id, name } = colleague(ctx, ownerId)
  return { owner: id, owner_name: name }
}

function colleague({ parts, person }: Caller, id: string): Person {
  const found = parts.people.find(id)
  if (found?.school_id !== person.school_id) throw notFound('person')
  return found
}

function refused(happened: string, todo: string): TRPCError {
  return new TRPCError({
    code: 'CONFLICT',
    cause: new ConsoleError({ code: 'not_holder', happened, safe: 'Nothing was changed.', todo }),
  })
}

function duePassed(): TRPCError {
  return new TRPCError({
    code: 'BAD_REQUEST',
    cause: new ConsoleError({
      code: 'due_passed',
      happened: 'The due time has already passed.',
      safe: 'Nothing was changed.',
      todo: 'Choose a time in the future.',
    }),
  })
}
