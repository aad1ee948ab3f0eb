import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { actionFields } from '../../../shared/actions.ts'
import type { Alert } from '../../../shared/alerts.ts'
import type { StudentRecord } from '../../../shared/events.ts'
import {
  incidentFollowUps,
  incidentTimeline,
  momentsOf,
  type IncidentRecord,
  type IncidentWords,
} from '../../../shared/incident-record.ts'
import { may } from '../../../shared/permissions.ts'
import { openWords } from '../../../shared/record-words.ts'
import type { AlertDetail, SafetyPlanVersion } from '../../../shared/views.ts'
import { appendAudit, openEvidence, readSetting, recordsAboutStudent, safetyPlans } from '../../store/console/index.ts'
import { alertDetail, mayReveal } from './alert-detail.ts'
import type { Caller } from './context.ts'
import { notificationsAbout } from './ladder-view.ts'
import { schoolZone } from './school-zone.ts'
import { callFor, forbidden, notFound, router } from './trpc.ts'
import { whyUnopened } from './why-unopened.ts'

const onAlert = { key: z.string().min(1).max(200) }
const withReason = z.object({ ...onAlert, reason: actionFields.reopened.reason })
const see = callFor('alerts.see')

/**
 * The record of one incident. Whoever sees the alert may have it made; that is audited, as is printing it. The
 * student's words and their safety plan are no part of it: each is asked for apart, with a reason.
 */
export const incidentRouter = router({
  open: see.input(z.object(onAlert)).mutation(({ ctx, input }): IncidentRecord => {
    const { alert, detail } = own(ctx, input.key)
    audit(ctx, alert, 'incident_record.opened', '')
    return recordOf(ctx, alert, detail)
  }),
  /** Whoever prints it, or saves it as PDF, says what it holds. */
  printed: see
    .input(z.object({ ...onAlert, with_words: z.boolean(), with_plan: z.boolean() }))
    .mutation(({ ctx, input }) => {
      const { alert } = own(ctx, input.key)
      const held = [input.with_words && 'the student’s words', input.with_plan && 'the safety plan'].filter(Boolean)
      audit(ctx, alert, 'incident_record.printed', held.length === 0 ? '' : `with ${held.join(' and ')}`)
    }),
  words: callFor('evidence.reveal')
    .input(withReason)
    .mutation(({ ctx, input }): IncidentWords[] => {
      const { alert } = own(ctx, input.key)
      if (!mayReveal(ctx, alert)) throw notTheirs()
      // The entry stands before anything is opened.
      audit(ctx, alert, 'evidence.reveal', `incident record: ${input.reason}`)
      const { db, evidenceKey } = ctx.parts
      return openEvidence(
        db,
        evidenceKey,
        alert.triggers.map(({ id }) => id),
        whyUnopened(ctx),
      ).map(({ at, text, unopened }) => ({ at, text, unopened }))
    }),
  safetyPlan: callFor('student_records.keep')
    .input(withReason)
    .mutation(({ ctx, input }): SafetyPlanVersion | null => {
      const { alert } = own(ctx, input.key)
      if (!mayReveal(ctx, alert)) throw notTheirs()
      audit(ctx, alert, 'incident_record.safety_plan', input.reason)
      return plansOf(ctx, alert)[0] ?? null
    }),
})

/** The alert behind a key, within the caller's school. */
function own(ctx: Caller, key: string): { alert: Alert; detail: AlertDetail } {
  const alert = ctx.parts.lifecycle.find(key)
  const detail = alertDetail(ctx, key)
  if (!alert || !detail) throw notFound('alert')
  return { alert, detail }
}

function audit({ parts, person }: Caller, { key }: Alert, what: string, why: string): void {
  const { db, clock, consoleId } = parts
  const { id: who, role } = person
  appendAudit(db, { at: clock.now(), who, role, what, subject: `alert ${key}`, why, console_id: consoleId })
}

function recordOf(ctx: Caller, alert: Alert, detail: AlertDetail): IncidentRecord {
  const { parts, person } = ctx
  const { student, roster, tier, categories, about_other, state, owner, actions, steps, commitments } = detail
  const of = { school: person.school_id, student_hash: alert.student_hash }
  const records = recordsAboutStudent(parts.db, of, opener(ctx))
  const notifications = notificationsAbout(ctx, alert)
  // Who may not read a safety plan is not told either whether there is one.
  const seesPlans = may(person.role, 'student_records.keep') && mayReveal(ctx, alert)
  const plans = seesPlans ? plansOf(ctx, alert) : []
  const told = seesPlans ? records : records.filter(({ event_type }) => event_type !== 'SAFETY_PLAN_SAVED')
  return {
    key: alert.key,
    made: { at: parts.clock.now(), by_name: person.name, role: person.role },
    school_name: readSetting(parts.db, 'school_name') ?? null,
    demo: parts.configuration.demo,
    time_zone: schoolZone(ctx),
    ...{ student, tier, categories, about_other, state, steps, commitments },
    student_id: roster?.student_id ?? null,
    counselor: roster?.counselor || null,
    owner_name: owner?.name ?? null,
    clocks: {
      said: alert.occurred_at,
      received: alert.received_at,
      first_seen: alert.first_seen_at,
      acknowledged: firstTaken(alert),
    },
    moments: momentsOf(alert.triggers),
    timeline: incidentTimeline({ alert, actions, notifications, records: told }),
    notified: notifications.length > 0,
    follow_ups: incidentFollowUps(alert, records),
    resolved: resolvedOf(alert, detail),
    safety_plan: !seesPlans ? 'hidden' : planKept(plans),
    may_reveal: detail.may_reveal,
    has_evidence: detail.triggers.some(({ has_evidence }) => has_evidence),
  }
}

function planKept(plans: readonly SafetyPlanVersion[]): IncidentRecord['safety_plan'] {
  const [last] = plans
  return last ? { saved_at: last.at, by_name: last.by_name, versions: plans.length } : 'none'
}

function plansOf(ctx: Caller, { student_hash }: Alert): SafetyPlanVersion[] {
  return safetyPlans(ctx.parts.db, { school: ctx.person.school_id, student_hash }, opener(ctx))
}

/** Who took it first, whatever happened to it since. */
function firstTaken({ first_acknowledged_at, history }: Alert): IncidentRecord['clocks']['acknowledged'] {
  if (first_acknowledged_at === null) return null
  const by = history.find(({ action, applied }) => applied && action.at === first_acknowledged_at)
  return { at: first_acknowledged_at, by_name: by?.action.by_name ?? '' }
}

function resolvedOf({ resolved }: Alert, { actions }: AlertDetail): IncidentRecord['resolved'] {
  if (resolved === null) return null
  // As it opens here, where its words came sealed.
  const action = actions.findLast(({ kind, applied }) => kind === 'resolved' && applied)
  const { at, by_name, disposition } = resolved
  return { at, by_name, disposition, note: action?.note ?? (resolved.note || null), reason: action?.reason ?? null }
}

function opener({ parts }: Caller): (record: StudentRecord) => StudentRecord {
  return (record) => openWords(record, parts.evidenceKey)
}

function notTheirs(): TRPCError {
  return new TRPCError({
    code: 'FORBIDDEN',
    cause: forbidden('Counselors see the evidence of open alerts and of their own caseload.'),
  })
}
