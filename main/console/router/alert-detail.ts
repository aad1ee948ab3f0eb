import type { AlertAction } from '../../../shared/actions.ts'
import type { Alert } from '../../../shared/alerts.ts'
import type { ActionView, AlertDetail, AlertSession, Delivery } from '../../../shared/views.ts'
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
import { contactsFor, whereIs } from './whereabouts.ts'
import { why } from './why.ts'

/** Everything the detail of an alert shows; null when it is not of the caller's school. */
export function alertDetail(ctx: Caller, key: string): AlertDetail | null {
  const { parts, person } = ctx
  const { db, lifecycle } = parts
  const alert = lifecycle.find(key)
  const row = alert && alertRow(db, person.school_id, alert.key)
  if (!row) return null
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
    why: why(alert, triggers),
    next_action: alert.next_action,
    acknowledged: alert.acknowledged,
    hand_off: alert.hand_off,
    resolved: alert.resolved,
    earlier: earlierAlerts(db, person.school_id, alert, alert.opened_at, 10),
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

function actionViews({ parts }: Caller, alert: Alert): ActionView[] {
  return alert.history
    .filter(({ action }) => action.action !== 'seen')
    .map(({ action, applied }) => {
      const row = deliveryOf(parts.db, action.id)
      return {
        ...facts(action),
        applied,
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
    by_name: action.by_name,
    note: action.note ?? null,
    next_action: 'next_action' in action ? (action.next_action ?? null) : null,
    due_at: 'due_at' in action ? (action.due_at ?? null) : null,
    to_name: 'to_name' in action ? (action.to_name ?? null) : null,
    disposition: 'disposition' in action ? (action.disposition ?? null) : null,
    refused: action.refused !== undefined,
    reason: 'reason' in action ? (action.reason ?? null) : null,
  }
}

function stateOf(row: DeliveryRow | undefined): Delivery {
  if (!row) return 'recorded'
  if (row.elsewhere === 1) return 'received'
  if (row.confirmed_at !== null) return 'confirmed'
  return row.sent_at !== null ? 'sent' : 'recorded'
}
