/** What the ladder did about alerts. Whose a notification is, its key or the triggers it covers say: keys merge and split. */
import type { Alert } from '../../../../shared/alerts.ts'
import { clockSkew } from '../../../../shared/thresholds.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { ofSchool } from './labels.ts'

/** One rung of the ladder, or one person told by one way. Times are UTC milliseconds. */
export interface NotificationRow {
  id: string
  /** 1 = a rung, 0 = a person. */
  escalated: number
  alert_key: string
  layer: number
  rung: number | null
  channel: string
  /** Id; null = nobody is named. */
  person: string | null
  at: number
  outcome: 'attempted' | 'delivered' | 'failed'
  outcome_at: number
  reason: string | null
  due_at: number | null
  late: number
  next_said_at: number | null
  next_at: number | null
}

/** Everything the ladder did about an alert, oldest first. */
export function notificationsOf(
  db: Database,
  alert: Pick<Alert, 'school_id' | 'session_id' | 'key' | 'aliases' | 'triggers'>,
): NotificationRow[] {
  const { school_id, session_id, key, aliases, triggers } = alert
  const rows = prepared(
    db,
    `SELECT id, escalated, alert_key, covers, layer, rung, channel, person, at, outcome, outcome_at, reason, due_at, late,
       next_said_at, next_at
     FROM notifications WHERE school_id IN (@school_id, '') AND session_id = @session_id ORDER BY at, escalated DESC, rung, id`,
  ).all({ school_id: school_id ?? '', session_id }) as (NotificationRow & { covers: string })[]
  const keys = new Set([key, ...aliases])
  const covered = new Set(triggers.map(({ idempotency_key }) => idempotency_key))
  return rows
    .filter(
      ({ alert_key, covers }) =>
        keys.has(alert_key) || (JSON.parse(covers) as string[]).some((name) => covered.has(name)),
    )
    .map(({ covers: _covers, ...row }) => row)
}

/**
 * Column `next_step_at` of a row of `alerts` that is open, or waits for the receiver of an urgent hand-off: when the ladder
 * tells the next ones; null where that is not known, or nobody comes. What was said before it was opened again, or handed
 * over, says nothing of now.
 */
export const nextStepColumn = `CASE WHEN alerts.state = 'open' OR (alerts.state = 'acknowledged' AND alerts.hand_off_urgent = 1) THEN (
  SELECT next_at FROM notifications INDEXED BY notifications_next
  WHERE next_said_at IS NOT NULL AND notifications.school_id = alerts.school_id
    AND notifications.session_id = alerts.session_id
    AND next_said_at >= coalesce(CASE WHEN alerts.state = 'open' THEN alerts.reopened_at ELSE (
      SELECT max(actions.at) FROM actions WHERE actions.school_id = alerts.school_id
        AND actions.session_id = alerts.session_id AND json_extract(action, '$.action') = 'handed_off') END, 0) - ${clockSkew}
    AND (EXISTS (SELECT 1 FROM alert_keys WHERE alert_keys.alias = notifications.alert_key AND alert_keys.key = alerts.key)
      OR EXISTS (SELECT 1 FROM triggers JOIN alert_keys ON alert_keys.alias = substr(triggers.id, 1, 32)
        WHERE triggers.school_id = alerts.school_id AND triggers.session_id = alerts.session_id
          AND triggers.idempotency_key IN (SELECT value FROM json_each(notifications.covers))
          AND alert_keys.key = alerts.key))
  ORDER BY next_said_at DESC, next_at DESC LIMIT 1) END AS next_step_at`

/** A person whom the ladder calls at the consoles where they sit, and who has not been told as far as is known. */
export interface DeskCall {
  delivery_id: string
  person: string
  school_id: string
  session_id: string
  student_hash: string
  /** As the ladder knows it. */
  alert_key: string
  /** The key of the alert here; null = this console does not have it, or not yet. */
  key: string | null
  tier: 'high' | 'crisis' | null
  at: number
}

/** Those of a school ('' = of every one) that were made after an instant, oldest first. */
export function deskCalls(db: Database, of: { school: string; since: number }): DeskCall[] {
  return prepared(
    db,
    `SELECT notifications.id AS delivery_id, notifications.person, notifications.school_id, notifications.session_id,
       notifications.student_hash, notifications.alert_key, notifications.at, alerts.key, alerts.tier
     FROM notifications INDEXED BY notifications_at_consoles
     LEFT JOIN alert_keys ON alert_keys.alias = notifications.alert_key
     LEFT JOIN alerts ON alerts.key = alert_keys.key
     WHERE notifications.channel = 'desktop' AND notifications.escalated = 0 AND notifications.outcome = 'attempted'
       AND notifications.at > @since AND notifications.person IS NOT NULL AND ${ofSchool('notifications', of.school)}
     ORDER BY notifications.at, notifications.id`,
  ).all(of) as DeskCall[]
}
