import { coverageOf, reduceAlerts, type Alert, type AlertAction, type Trigger } from '../../../../shared/alerts.ts'
import type { AlertActionEvent, CrisisDetected, LoggedEvent, MessageAnalyzed } from '../../../../shared/events.ts'
import { isPatternCategory, tierRank, type PatternCategory } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'
import { keyOf, type Projection, type Touched } from './projection.ts'

export interface AlertProjection extends Projection {
  /** Reduces the sessions touched since the last call and rewrites their alerts. */
  reduceTouched(): Pick<Touched, 'alerts' | 'merged'>
}

/** Triggers, actions, and the alerts they reduce to. */
export function alertProjection(db: Database): AlertProjection {
  const touched = new Map<string, OfSession>()
  const touch = (of: OfSession): void => void touched.set(keyOf(of.school_id, of.session_id), of)
  const insertTrigger = db.prepare(
    `INSERT INTO triggers (school_id, session_id, id, idempotency_key, student_hash, at, received_at, tier, score, categories, about_other, message_id, occurred_at, event_seq)
     VALUES (@school_id, @session_id, @id, @idempotency_key, @student_hash, @at, @received_at, @tier, @score, @categories, @about_other, @message_id, @occurred_at, @event_seq)
     ON CONFLICT DO NOTHING`,
  )
  const insertAction = db.prepare(
    `INSERT INTO actions (school_id, session_id, id, at, action, confirmed_at, elsewhere)
     VALUES (@school_id, @session_id, @id, @at, @action, @confirmed_at, @elsewhere)
     ON CONFLICT (school_id, session_id, id) DO UPDATE SET
       confirmed_at = coalesce(confirmed_at, excluded.confirmed_at),
       elsewhere = min(elsewhere, excluded.elsewhere)`,
  )
  const before = db.prepare(
    'SELECT key, tier_rank, reopened_at FROM alerts WHERE school_id = @school_id AND session_id = @session_id',
  )
  const ofSession = 'WHERE school_id = @school_id AND session_id = @session_id'
  const removeAlerts = db.prepare(`DELETE FROM alerts ${ofSession}`)
  const removeKeys = db.prepare(`DELETE FROM alert_keys ${ofSession}`)
  const insertAlert = db.prepare(
    `INSERT INTO alerts (key, school_id, session_id, student_hash, tier, tier_rank, state, state_rank, score, categories, about_other,
       opened_at, received_at, occurred_at, last_trigger_at, first_seen_at, again_count, acknowledged_at, owner_id, owner_name, due_at,
       hand_off_to, hand_off_to_name, reopened_at, reopened_reason, resolved_at, disposition)
     VALUES (@key, @school_id, @session_id, @student_hash, @tier, @tier_rank, @state, @state_rank, @score, @categories, @about_other,
       @opened_at, @received_at, @occurred_at, @last_trigger_at, @first_seen_at, @again_count, @acknowledged_at, @owner_id, @owner_name, @due_at,
       @hand_off_to, @hand_off_to_name, @reopened_at, @reopened_reason, @resolved_at, @disposition)`,
  )
  const insertKey = db.prepare(
    'INSERT OR REPLACE INTO alert_keys (alias, key, school_id, session_id) VALUES (@alias, @key, @school_id, @session_id)',
  )
  const forgetTriggers = db.prepare(`DELETE FROM triggers WHERE school_id = '' AND session_id = ?`)
  const forgetActions = db.prepare(`DELETE FROM actions WHERE school_id = '' AND session_id = ?`)
  const readSession = sessionReader(db)

  const reduceSession = (
    of: OfSession,
    old: Map<string, OldRow>,
    changes: Pick<Touched, 'alerts' | 'merged'>,
  ): void => {
    const { triggers, actions } = readSession(of.school_id, of.session_id)
    for (const alert of reduceAlerts(triggers, actions)) {
      insertAlert.run(alertColumns(alert))
      for (const alias of alert.aliases) insertKey.run({ ...of, alias, key: alert.key })
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
  }

  return {
    tables: ['triggers', 'actions', 'alerts', 'alert_keys'],
    apply({ event, identity, received_at, origin, seq, school_id }) {
      if (event.event_type === 'ALERT_ACTION') {
        insertAction.run({
          school_id,
          session_id: event.session_id,
          id: event.ack_id,
          at: event.at,
          action: JSON.stringify(toAction(event)),
          confirmed_at: origin === 'queue' ? received_at : null,
          elsewhere: origin === 'queue' ? 1 : 0,
        })
        touch({ school_id, session_id: event.session_id })
        return
      }
      const trigger = toTrigger(event, identity, received_at, school_id)
      if (!trigger) return
      insertTrigger.run({
        ...trigger,
        school_id,
        categories: JSON.stringify(trigger.categories),
        about_other: trigger.about_other ? 1 : 0,
        event_seq: seq,
      })
      touch({ school_id, session_id: trigger.session_id })
    },
    forget({ sessions }) {
      for (const session_id of sessions) {
        forgetTriggers.run(session_id)
        forgetActions.run(session_id)
        touch({ school_id: '', session_id })
      }
    },
    reduceTouched() {
      const changes: Pick<Touched, 'alerts' | 'merged'> = { alerts: [], merged: [] }
      const sessions = [...touched.values()]
      touched.clear()
      // All are removed before any is written: an alert whose school became known moves, and is not a new one.
      const old = new Map(sessions.flatMap((of) => before.all(of) as OldRow[]).map((row) => [row.key, row]))
      for (const of of sessions) {
        removeAlerts.run(of)
        removeKeys.run(of)
      }
      for (const of of sessions) reduceSession(of, old, changes)
      changes.merged.push(...old.keys())
      return changes
    },
  }
}

/** Reads the set that a session's alerts are reduced from; school '' = unknown. */
export function sessionReader(
  db: Database,
): (schoolId: string, sessionId: string) => { triggers: Trigger[]; actions: AlertAction[] } {
  const triggers = db.prepare('SELECT * FROM triggers WHERE school_id = ? AND session_id = ?')
  const actions = db.prepare('SELECT action FROM actions WHERE school_id = ? AND session_id = ?').pluck()
  return (schoolId, sessionId) => ({
    triggers: (triggers.all(schoolId, sessionId) as TriggerRow[]).map((row) => ({
      ...row,
      school_id: row.school_id || null,
      categories: JSON.parse(row.categories) as PatternCategory[],
      about_other: row.about_other === 1,
    })),
    actions: (actions.all(schoolId, sessionId) as string[]).map((text) => JSON.parse(text) as AlertAction),
  })
}

/** Whether an event is a crisis, whatever its type calls it. */
export function opensCrisis(event: LoggedEvent): boolean {
  return toTrigger(event, '', 0, '')?.tier === 'crisis'
}

/** What opens an alert: any CRISIS_DETECTED, and an analysed student message of tier crisis or high. */
function toTrigger(event: LoggedEvent, identity: string, received_at: number, school: string): Trigger | null {
  if (event.event_type === 'CRISIS_DETECTED') return crisisTrigger(event, identity, received_at, school)
  if (event.event_type !== 'MESSAGE_ANALYZED' || event.role !== 'student') return null
  // Of level and tier the worse counts: a sender may know only one of them.
  const tier = event.level === 'CRISIS' ? 'crisis' : event.tier
  return tier === 'crisis' || tier === 'high' ? messageTrigger(event, tier, identity, received_at, school) : null
}

function crisisTrigger(event: CrisisDetected, identity: string, received_at: number, school: string): Trigger {
  return {
    ...common(event, identity, received_at, school),
    tier: 'crisis',
    score: event.consensus_score,
    about_other: false,
  }
}

function messageTrigger(
  event: MessageAnalyzed,
  tier: 'high' | 'crisis',
  identity: string,
  received_at: number,
  school: string,
): Trigger {
  return { ...common(event, identity, received_at, school), tier, score: event.score, about_other: event.about_other }
}

function common(event: CrisisDetected | MessageAnalyzed, identity: string, received_at: number, school: string) {
  return {
    id: identity,
    idempotency_key: event.idempotency_key,
    session_id: event.session_id,
    student_hash: event.student_hash,
    school_id: school || null,
    at: event.timestamp,
    received_at,
    categories: [...new Set(event.matched_patterns.filter(isPatternCategory))],
    message_id: event.message_id ?? null,
    occurred_at: event.occurred_at ?? null,
  }
}

function toAction(event: AlertActionEvent): AlertAction {
  const { ack_id, action, by, by_name, at, covers, trigger_ids, covered } = event
  return {
    id: ack_id,
    kind: action,
    at,
    by,
    by_name: by_name ?? by,
    covers: trigger_ids ?? covers,
    covered: covered ?? coverageOf([]),
    next_action: event.next_action,
    due_at: event.due_at,
    owner: event.owner,
    owner_name: event.owner_name,
    to: event.to,
    to_name: event.to_name,
    note: event.note,
    disposition: event.disposition,
    reason: event.reason,
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

interface OfSession {
  school_id: string
  session_id: string
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
