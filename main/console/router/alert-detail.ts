import type { Alert, AlertAction } from '../../../shared/alerts.ts'
import { seconds } from '../../../shared/time.ts'
import type { ActionView, AlertDetail, Delivery } from '../../../shared/views.ts'
import {
  alertRow,
  earlierAlerts,
  isOnCaseload,
  rosterEntry,
  sessionState,
  triggerViews,
} from '../../store/console/index.ts'
import type { Caller } from './context.ts'
import { why } from './why.ts'

/** A student counts as still chatting this long after the last message. */
const stillChatting = seconds(120)

/** Everything the detail of an alert shows; null when it is not of the caller's school. */
export function alertDetail(ctx: Caller, key: string): AlertDetail | null {
  const { parts, person } = ctx
  const { db, lifecycle, clock } = parts
  const alert = lifecycle.find(key)
  const row = alert && alertRow(db, person.school_id, alert.key)
  if (!row) return null
  const session = sessionState(db, { school_id: alert.school_id ?? '', session_id: alert.session_id })
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
    session: {
      status: session?.status ?? 'unknown',
      last_message_at: session?.last_message_at ?? null,
      still_chatting:
        session !== null &&
        session.status !== 'ended' &&
        session.last_message_at !== null &&
        clock.now() - session.last_message_at < stillChatting,
    },
    roster,
    where_now: roster?.class || null,
    may_reveal: mayReveal(ctx, alert),
  }
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

interface DeliveryRow {
  sent_at: number | null
  last_error: string | null
  confirmed_at: number | null
  elsewhere: number
}

function actionViews({ parts }: Caller, alert: Alert): ActionView[] {
  const delivery = parts.db.prepare(
    `SELECT outbox.sent_at, outbox.last_error, actions.confirmed_at, actions.elsewhere
     FROM actions LEFT JOIN outbox ON outbox.id = actions.id WHERE actions.id = ?`,
  )
  return alert.history
    .filter(({ action }) => action.kind !== 'seen')
    .map(({ action, applied }) => {
      const row = delivery.get(action.id) as DeliveryRow | undefined
      return {
        ...facts(action),
        applied,
        delivery: deliveryOf(row),
        sent_at: row?.sent_at ?? null,
        confirmed_at: row?.confirmed_at ?? null,
        delivery_error: row?.last_error
          ? 'The acknowledgement queue does not take it yet; it is tried again without end.'
          : null,
      }
    })
}

function facts(action: AlertAction) {
  return {
    id: action.id,
    kind: action.kind,
    at: action.at,
    by_name: action.by_name,
    note: action.note ?? null,
    next_action: action.next_action ?? null,
    due_at: action.due_at ?? null,
    to_name: action.to_name ?? null,
    disposition: action.disposition ?? null,
    reason: action.reason ?? null,
  }
}

function deliveryOf(row: DeliveryRow | undefined): Delivery {
  if (!row) return 'recorded'
  if (row.elsewhere === 1) return 'received'
  if (row.confirmed_at !== null) return 'confirmed'
  return row.sent_at !== null ? 'sent' : 'recorded'
}
