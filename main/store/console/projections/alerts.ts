import { reducedAction, type AlertAction } from '../../../../shared/actions.ts'
import type { Alert, Trigger } from '../../../../shared/alerts.ts'
import type { CrisisDetected, LoggedEvent, MessageAnalyzed } from '../../../../shared/events.ts'
import { reduceAlerts } from '../../../../shared/reduction.ts'
import { isPatternCategory, tierRank, type PatternCategory } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'
import type { Projection, Touched } from './index.ts'

export interface AlertProjection extends Projection {
  /** Reduces the sessions touched since the last call and rewrites their alerts. */
  reduceTouched(): Pick<Touched, 'alerts' | 'merged'>
}

/** Triggers, actions, and the alerts they reduce to. */
export function alertProjection(db: Database): AlertProjection {
  const touched = new Set<string>()
  const insertTrigger = db.prepare(
    `INSERT INTO triggers (id, idempotency_key, session_id, student_hash, school_id, at, received_at, tier, score, categories, about_other, message_id, occurred_at, event_seq)
     VALUES (@id, @idempotency_key, @session_id, @student_hash, @school_id, @at, @received_at, @tier, @score, @categories, @about_other, @message_id, @occurred_at, @event_seq)
     ON CONFLICT (id) DO NOTHING`,
  )
  const insertAction = db.prepare(
    `INSERT INTO actions (id, session_id, at, action, confirmed_at, elsewhere) VALUES (@id, @session_id, @at, @action, @confirmed_at, @elsewhere)
     ON CONFLICT (id) DO UPDATE SET
       confirmed_at = coalesce(confirmed_at, excluded.confirmed_at),
       elsewhere = min(elsewhere, excluded.elsewhere)`,
  )
  const before = db.prepare('SELECT key, tier_rank, reopened_at FROM alerts WHERE session_id = ?')
  const removeAlerts = db.prepare('DELETE FROM alerts WHERE session_id = ?')
  const removeKeys = db.prepare('DELETE FROM alert_keys WHERE session_id = ?')
  const insertAlert = db.prepare(
    `INSERT INTO alerts VALUES (@key, @session_id, @student_hash, @school_id, @tier, @tier_rank, @state, @state_rank, @score, @categories, @about_other,
       @opened_at, @received_at, @occurred_at, @last_trigger_at, @first_seen_at, @again_count, @acknowledged_at, @owner_id, @owner_name, @due_at,
       @hand_off_to, @hand_off_to_name, @reopened_at, @reopened_reason, @resolved_at, @disposition)`,
  )
  const insertKey = db.prepare('INSERT OR REPLACE INTO alert_keys (alias, key, session_id) VALUES (?, ?, ?)')
  const readSession = sessionReader(db)

  const reduceSession = (sessionId: string, changes: Pick<Touched, 'alerts' | 'merged'>): void => {
    const { triggers, actions } = readSession(sessionId)
    if (triggers.length === 0) return
    const old = new Map((before.all(sessionId) as OldRow[]).map((row) => [row.key, row]))
    removeAlerts.run(sessionId)
    removeKeys.run(sessionId)
    for (const alert of reduceAlerts(triggers, actions)) {
      insertAlert.run(alertColumns(alert))
      for (const alias of alert.aliases) insertKey.run(alias, alert.key, sessionId)
      const was = old.get(alert.key)
      const reopened = alert.reopened !== null && was?.reopened_at !== alert.reopened.at
      const open = alert.state === 'open'
      changes.alerts.push({
        key: alert.key,
        opened: was === undefined,
        reopened: reopened && open,
        worse: was !== undefined && tierRank(alert.tier) > was.tier_rank && open,
      })
      old.delete(alert.key)
    }
    changes.merged.push(...old.keys())
  }

  return {
    tables: ['triggers', 'actions', 'alerts', 'alert_keys'],
    apply({ event, identity, received_at, origin, seq }) {
      if (event.event_type === 'ALERT_ACTION') {
        insertAction.run({
          id: event.ack_id,
          session_id: event.session_id,
          at: event.at,
          action: JSON.stringify(reducedAction(event)),
          confirmed_at: origin === 'queue' ? received_at : null,
          elsewhere: origin === 'queue' ? 1 : 0,
        })
        touched.add(event.session_id)
        return
      }
      const trigger = toTrigger(event, identity, received_at)
      if (!trigger) return
      insertTrigger.run({
        ...trigger,
        school_id: trigger.school_id ?? '',
        categories: JSON.stringify(trigger.categories),
        about_other: trigger.about_other ? 1 : 0,
        event_seq: seq,
      })
      touched.add(trigger.session_id)
    },
    reduceTouched() {
      const changes: Pick<Touched, 'alerts' | 'merged'> = { alerts: [], merged: [] }
      for (const sessionId of touched) reduceSession(sessionId, changes)
      touched.clear()
      return changes
    },
  }
}

/** Reads the set that a session's alerts are reduced from. */
export function sessionReader(db: Database): (sessionId: string) => { triggers: Trigger[]; actions: AlertAction[] } {
  const triggers = db.prepare('SELECT * FROM triggers WHERE session_id = ?')
  const actions = db.prepare('SELECT action FROM actions WHERE session_id = ?').pluck()
  return (sessionId) => ({
    triggers: (triggers.all(sessionId) as TriggerRow[]).map((row) => ({
      ...row,
      school_id: row.school_id || null,
      categories: JSON.parse(row.categories) as PatternCategory[],
      about_other: row.about_other === 1,
    })),
    actions: (actions.all(sessionId) as string[]).map((text) => JSON.parse(text) as AlertAction),
  })
}

/** What opens an alert: any CRISIS_DETECTED, and an analysed student message of tier crisis or high. */
function toTrigger(event: LoggedEvent, identity: string, received_at: number): Trigger | null {
  if (event.event_type === 'CRISIS_DETECTED') return crisisTrigger(event, identity, received_at)
  if (event.event_type !== 'MESSAGE_ANALYZED' || event.role !== 'student') return null
  // Of level and tier the worse counts: a sender may know only one of them.
  const tier = event.level === 'CRISIS' ? 'crisis' : event.tier
  return tier === 'crisis' || tier === 'high' ? messageTrigger(event, tier, identity, received_at) : null
}

function crisisTrigger(event: CrisisDetected, identity: string, received_at: number): Trigger {
  return { ...common(event, identity, received_at), tier: 'crisis', score: event.consensus_score, about_other: false }
}

function messageTrigger(
  event: MessageAnalyzed,
  tier: 'high' | 'crisis',
  identity: string,
  received_at: number,
): Trigger {
  return { ...common(event, identity, received_at), tier, score: event.score, about_other: event.about_other }
}

function common(event: CrisisDetected | MessageAnalyzed, identity: string, received_at: number) {
  return {
    id: identity,
    idempotency_key: event.idempotency_key,
    session_id: event.session_id,
    student_hash: event.student_hash,
    school_id: event.school_id ?? null,
    at: event.timestamp,
    received_at,
    categories: [...new Set(event.matched_patterns.filter(isPatternCategory))],
    message_id: event.message_id ?? null,
    occurred_at: event.occurred_at ?? null,
  }
}

function alertColumns(alert: Alert) {
  return {
    key: alert.key,
    session_id: alert.session_id,
    student_hash: alert.student_hash,
    school_id: alert.school_id ?? '',
    tier: alert.tier,
    tier_rank: tierRank(alert.tier),
    state: alert.state,
    state_rank: { open: 0, acknowledged: 1, resolved: 2 }[alert.state],
    score: alert.score,
    categories: JSON.stringify(alert.categories),
    about_other: alert.about_other ? 1 : 0,
    opened_at: alert.opened_at,
    received_at: alert.received_at,
    occurred_at: alert.occurred_at,
    last_trigger_at: alert.last_trigger_at,
    first_seen_at: alert.first_seen_at,
    again_count: alert.again_at.length,
    acknowledged_at: alert.first_acknowledged_at,
    owner_id: alert.owner?.id ?? null,
    owner_name: alert.owner?.name ?? null,
    due_at: alert.due_at,
    hand_off_to: alert.hand_off?.to ?? null,
    hand_off_to_name: alert.hand_off?.to_name ?? null,
    reopened_at: alert.reopened?.at ?? null,
    reopened_reason: alert.reopened?.reason ?? null,
    resolved_at: alert.resolved?.at ?? null,
    disposition: alert.resolved?.disposition ?? null,
  }
}

interface OldRow {
  key: string
  tier_rank: number
  reopened_at: number | null
}

type TriggerRow = Omit<Trigger, 'categories' | 'about_other' | 'school_id'> & {
  school_id: string
  categories: string
  about_other: number
}
