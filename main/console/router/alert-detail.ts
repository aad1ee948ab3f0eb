import type { AlertAction } from '../../../shared/actions.ts'
import { mayWithdraw, type Alert } from '../../../shared/alerts.ts'
import { missingSteps, stepsFor, type GuideStep } from '../../../shared/guide.ts'
import { whatBecame } from '../../../shared/outcome-of-action.ts'
import { undoLasts } from '../../../shared/thresholds.ts'
import type { ActionView, AlertDetail, AlertSession, Delivery, StepView } from '../../../shared/views.ts'
import { guideOf } from '../policy/index.ts'
import {
  alertRow,
  deliveryOf,
  earlierAlerts,
  isOnCaseload,
  rosterEntry,
  sessionState,
  triggerViews,
  type DeliveryRow,
} from '../../store/console/index.ts'
import type { Caller } from './context.ts'
import { ladderView } from './ladder-view.ts'
import { openedAlert } from './opened-alert.ts'
import { contactsFor, whereIs } from './whereabouts.ts'
import { why } from './why.ts'

/** Everything the detail of an alert shows; null when it is not of the caller's school. */
export function alertDetail(ctx: Caller, key: string): AlertDetail | null {
  const { parts, person } = ctx
  const { db, lifecycle } = parts
  const found = lifecycle.find(key)
  const row = found && alertRow(db, person.school_id, found.key)
  if (!row) return null
  const alert = openedAlert(found, parts.evidenceKey)
  const triggers = triggerViews(
    db,
    alert.triggers.map(({ id }) => id),
  )
  // A guardian's number and a room are for whoever may act on evidence; admins act without it.
  const roster = rosterEntry(db, person.school_id, alert.student_hash)
  return {
    ...row,
    aliases: alert.aliases,
    triggers,
    actions: actionViews(ctx, alert),
    steps: stepViews(ctx, alert),
    commitments: alert.commitments,
    why: why(alert, triggers),
    next_action: alert.next_action,
    acknowledged: alert.acknowledged,
    hand_off: alert.hand_off,
    resolved: alert.resolved,
    earlier: earlierAlerts(db, person.school_id, alert, alert.opened_at, 10),
    ladder: ladderView(ctx, alert),
    session: sessionOf(ctx, alert),
    roster,
    where_now: whereIs(ctx, roster),
    contacts: contactsFor(ctx, roster),
    may_reveal: mayReveal(ctx, alert),
  }
}

/** The session of an alert as it stands now. */
export function sessionOf({ parts }: Pick<Caller, 'parts'>, { school_id, session_id }: Alert): AlertSession {
  const found = sessionState(parts.db, { school_id: school_id ?? '', session_id })
  return { status: found?.status ?? 'unknown', last_message_at: found?.last_message_at ?? null }
}

/** Clinicians: their school. Counselors: an alert that is not resolved, or a student of their own caseload. */
export function mayReveal({ parts, person }: Caller, alert: Alert): boolean {
  // Whose student it is nobody can say while the console serves no school.
  if (person.school_id === '') return false
  if (person.role === 'CLINICIAN') return true
  if (person.role !== 'COUNSELOR') return false
  const student = { school_id: person.school_id, student_hash: alert.student_hash }
  return alert.state !== 'resolved' || isOnCaseload(parts.db, student, person.id)
}

/** The guide for this alert, and who did which step. */
function stepViews({ parts, person }: Caller, alert: Alert): StepView[] {
  return stepsFor(guideOf(parts, person.school_id), alert).map(({ id, title, hint, required }) => ({
    ...{ id, title, hint, required: required.includes(alert.tier) },
    done: doneOf(alert, id),
  }))
}

function doneOf({ history }: Alert, step: string): StepView['done'] {
  for (const { action, applied } of history)
    if (applied && action.action === 'step_done' && action.step === step)
      return { record: action.id, at: action.at, by_name: action.by_name, note: action.note ?? null }
  return null
}

/** Steps of the guide that resolving an alert needs and nobody has done. */
export function stepsMissing({ parts, person }: Caller, alert: Alert): GuideStep[] {
  const done = new Set(
    alert.history.flatMap(({ action, applied }) => (applied && action.action === 'step_done' ? [action.step] : [])),
  )
  return missingSteps(guideOf(parts, person.school_id), alert, done)
}

function actionViews({ parts, person }: Caller, alert: Alert): ActionView[] {
  return alert.history
    .filter(({ action }) => action.action !== 'seen')
    .map(({ action, applied, withdrawn }) => {
      const row = deliveryOf(parts.db, action.id)
      const undone = withdrawn !== undefined
      const undoable = applied && action.by === person.id && mayWithdraw(action) && row?.elsewhere !== 1
      return {
        ...facts(action),
        applied,
        became: whatBecame(alert, action.id) ?? { kind: 'counts' },
        withdrawn_at: withdrawn?.at ?? null,
        undo_until: undoable && !undone ? action.at + undoLasts : null,
        delivery: stateOf(row),
        sent_at: row?.sent_at ?? null,
        confirmed_at: row?.confirmed_at ?? null,
        delivery_error: row?.last_error
          ? 'The acknowledgement queue does not take it yet; it is tried again without end.'
          : null,
      }
    })
}

/** What an action says, whatever its kind. */
function facts(action: AlertAction) {
  return {
    id: action.id,
    kind: action.action,
    at: action.at,
    by: action.by,
    by_name: action.by_name,
    sealed: action.sealed !== undefined,
    corrects: action.action === 'corrected' ? (action.record ?? null) : null,
    withdraws: action.action === 'withdrawn' ? action.record : null,
    commitment: 'commitment' in action ? action.commitment : null,
    step: action.action === 'step_done' ? action.step : null,
    title: action.action === 'step_done' ? (action.title ?? null) : null,
    contact: action.action === 'contact_attempted' ? action.contact : null,
    outcome: action.action === 'contact_attempted' ? action.outcome : null,
    who: action.action === 'contact_attempted' ? (action.who ?? null) : null,
    note: action.note ?? null,
    next_action: 'next_action' in action ? (action.next_action ?? null) : null,
    due_at: 'due_at' in action ? (action.due_at ?? null) : null,
    to_name: 'to_name' in action ? (action.to_name ?? null) : null,
    disposition: 'disposition' in action ? (action.disposition ?? null) : null,
    refused: action.refused !== undefined || action.unvouched !== undefined,
    reason: 'reason' in action ? (action.reason ?? null) : null,
  }
}

function stateOf(row: DeliveryRow | undefined): Delivery {
  if (!row) return 'recorded'
  if (row.elsewhere === 1) return 'received'
  if (row.confirmed_at !== null) return 'confirmed'
  return row.sent_at !== null ? 'sent' : 'recorded'
}
