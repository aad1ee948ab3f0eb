import { reducedAction, type AlertAction } from '../../../../shared/actions.ts'
import type { Alert, Trigger } from '../../../../shared/alerts.ts'
import type { CrisisDetected, LoggedEvent, MessageAnalyzed } from '../../../../shared/events.ts'
import { isPatternCategory, tierRank } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'
import { alertRows, type AlertColumns, type AlertRows, type StoredAlerts } from './alert-rows.ts'
import type { Projection, Touched } from './index.ts'
import { keepReductions } from './kept-reductions.ts'

export interface AlertProjection extends Projection {
  /** Reduces the sessions touched since the last call and rewrites what is other of their alerts. */
  reduceTouched(): Pick<Touched, 'alerts' | 'merged'>
  /** Every alert of a session, oldest first. */
  ofSession(sessionId: string): Alert[]
  /** Its tables were emptied. */
  cleared(): void
}

/** What a commit adds to one session; null where the session is not in memory and will be read. */
type Added = { triggers: Trigger[]; actions: AlertAction[] } | null

/** Triggers, actions, and the alerts they reduce to. */
export function alertProjection(db: Database): AlertProjection {
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
  const kept = keepReductions(db)
  const rows = alertRows(db)
  const touched = new Map<string, Added>()

  /** What this commit has added to a session so far. */
  const touch = (sessionId: string): Added => {
    // What an earlier commit touched and then took back is touched no more.
    if (!kept.stillTrue()) touched.clear()
    if (touched.size === 0) kept.changing()
    const found = touched.get(sessionId)
    if (found !== undefined) return found
    const added = kept.has(sessionId) ? { triggers: [], actions: [] } : null
    touched.set(sessionId, added)
    return added
  }

  /** Brings one session's reduction up to date; answers the alerts that this concerns, null = all. */
  const reduce = (sessionId: string, added: Added): Reduced => {
    const { reduction, stored } = kept.of(sessionId)
    const concerned = added && reduction.add(added.triggers, added.actions)
    if (stored && concerned) return { sessionId, stored, alerts: [...concerned], grown: true }
    return { sessionId, stored: stored ?? rows.read(sessionId), alerts: reduction.alerts(), grown: false }
  }

  return {
    tables: ['triggers', 'actions', 'alerts', 'alert_keys'],
    apply({ event, identity, received_at, origin, seq }) {
      if (event.event_type === 'ALERT_ACTION') {
        const action = reducedAction(event)
        insertAction.run({
          id: action.id,
          session_id: event.session_id,
          at: action.at,
          action: JSON.stringify(action),
          confirmed_at: origin === 'queue' ? received_at : null,
          elsewhere: origin === 'queue' ? 1 : 0,
        })
        touch(event.session_id)?.actions.push(action)
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
      touch(trigger.session_id)?.triggers.push(trigger)
    },
    reduceTouched() {
      const changes: Pick<Touched, 'alerts' | 'merged'> = { alerts: [], merged: [] }
      if (touched.size === 0 || !kept.stillTrue()) return changes
      const sessions = [...touched].map(([sessionId, added]) => reduce(sessionId, added))
      // All that is gone goes before anything is written: a key may move from one session to another.
      const gone = new Map(sessions.flatMap((session) => removeGone(rows, session)))
      for (const session of sessions) {
        for (const alert of session.alerts) {
          const was = session.stored.rows.get(alert.key) ?? gone.get(alert.key)
          rows.put(session.stored, alert, session.grown)
          changes.alerts.push(changeOf(alert, was))
          gone.delete(alert.key)
        }
        kept.of(session.sessionId).stored = session.stored
      }
      changes.merged.push(...gone.keys())
      touched.clear()
      kept.tidy()
      return changes
    },
    ofSession: (sessionId) => kept.of(sessionId).reduction.alerts(),
    cleared() {
      kept.clear()
      touched.clear()
    },
  }
}

interface Reduced {
  sessionId: string
  stored: StoredAlerts
  alerts: readonly Alert[]
  /** These alerts only grew; else they are all of the session's, in whatever grouping. */
  grown: boolean
}

/** Removes the rows and aliases that a session has no more; answers the rows. */
function removeGone(rows: AlertRows, { stored, alerts, grown }: Reduced): [string, AlertColumns][] {
  if (grown) return []
  const keys = new Set(alerts.map(({ key }) => key))
  const aliases = new Set(alerts.flatMap((alert) => alert.aliases))
  for (const alias of [...stored.aliases.keys()]) if (!aliases.has(alias)) rows.removeAlias(stored, alias)
  const gone = [...stored.rows].filter(([key]) => !keys.has(key))
  for (const [key] of gone) rows.removeRow(stored, key)
  return gone
}

/** What is new about an alert, seen from the row that stood there before. */
function changeOf(alert: Alert, was: AlertColumns | undefined): Touched['alerts'][number] {
  const open = alert.state === 'open'
  return {
    key: alert.key,
    opened: was === undefined,
    reopened: open && alert.reopened !== null && was?.reopened_at !== alert.reopened.at,
    worse: open && was !== undefined && tierRank(alert.tier) > was.tier_rank,
  }
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
