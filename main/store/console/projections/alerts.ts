import { reducedAction, type AlertAction } from '../../../../shared/actions.ts'
import type { Alert, Trigger } from '../../../../shared/alerts.ts'
import type { LoggedEvent } from '../../../../shared/events.ts'
import { newsIn } from '../../../../shared/reduction.ts'
import { tierRank } from '../../../../shared/risk.ts'
import { toTrigger } from '../../../../shared/triggers.ts'
import type { Database } from '../../open.ts'
import { alertRows, type AlertColumns, type AlertRows, type OfSession, type StoredAlerts } from './alert-rows.ts'
import { keyOf, type Projection, type Touched } from './projection.ts'
import { keepReductions } from './kept-reductions.ts'

export interface AlertProjection extends Projection {
  /** Reduces the sessions touched since the last call and rewrites what is other of their alerts. */
  reduceTouched(): Pick<Touched, 'alerts' | 'gone'>
  /** Every alert of a session, oldest first. */
  ofSession(of: OfSession): Alert[]
  /** Its tables were emptied, or what was applied since the last reduction was taken back. */
  forgetAll(): void
}

/** A session that a commit touches, and what it adds; null where the session is not in memory and will be read. */
interface Touch {
  of: OfSession
  added: { triggers: Trigger[]; actions: AlertAction[] } | null
  /** Ids of the triggers added that are no told past. */
  live: Set<string>
}

/** Triggers, actions, and the alerts they reduce to. */
export function alertProjection(db: Database): AlertProjection {
  const insertTrigger = db.prepare(
    `INSERT INTO triggers (school_id, session_id, id, idempotency_key, student_hash, at, received_at, tier, score, categories, about_other, message_id, occurred_at, event_seq)
     VALUES (@school_id, @session_id, @id, @idempotency_key, @student_hash, @at, @received_at, @tier, @score, @categories, @about_other, @message_id, @occurred_at, @event_seq)
     ON CONFLICT DO NOTHING`,
  )
  const insertAction = db.prepare(
    `INSERT INTO actions (school_id, session_id, id, at, action, confirmed_at, elsewhere)
     VALUES (@school_id, @session_id, @id, @at, @action, @confirmed_at, @elsewhere)
     ON CONFLICT (school_id, session_id, id) DO UPDATE SET
       action = CASE WHEN action ->> '$.position' IS NULL THEN json_patch(action, @relayed) ELSE action END,
       confirmed_at = coalesce(confirmed_at, excluded.confirmed_at),
       elsewhere = min(elsewhere, excluded.elsewhere)`,
  )
  const forgetTriggers = db.prepare(`DELETE FROM triggers WHERE school_id = '' AND session_id = ?`)
  const forgetActions = db.prepare(`DELETE FROM actions WHERE school_id = '' AND session_id = ?`)
  const isPast = db
    .prepare(
      `SELECT json_extract(events.body, '$.backfill') IS NOT NULL FROM triggers
       JOIN events ON events.seq = triggers.event_seq WHERE triggers.id = ?`,
    )
    .pluck()
  const kept = keepReductions(db)
  const rows = alertRows(db)
  const touched = new Map<string, Touch>()

  /** What this commit has added to a session so far. */
  const touch = (of: OfSession): Touch => {
    if (touched.size === 0) kept.changing()
    const key = keyOf(of.school_id, of.session_id)
    const added = kept.has(of) ? { triggers: [], actions: [] } : null
    const found = touched.get(key) ?? { of, added, live: new Set() }
    touched.set(key, found)
    return found
  }

  /** Brings one session's reduction up to date; answers the alerts that this concerns. */
  const reduce = ({ of, added, live }: Touch): Reduced => {
    const session = kept.of(of)
    const concerned = added && session.reduction.add(added.triggers, added.actions)
    const grown = session.stored !== null && concerned !== null
    const stored = (session.stored ??= rows.read(of))
    return { stored, alerts: grown ? [...concerned] : session.reduction.alerts(), grown, live }
  }

  /** Whether something said now has joined what was a told past alone: no sound was made for that. */
  const isFirstHeard = ({ triggers }: Alert, live: ReadonlySet<string>): boolean =>
    triggers.some(({ id }) => live.has(id)) &&
    // From the newest, so that in a long alert that was heard the first look is enough.
    triggers.findLast(({ id }) => !live.has(id) && isPast.get(id) === 0) === undefined

  return {
    tables: ['triggers', 'actions', 'alerts', 'alert_keys', 'commitments'],
    apply({ event, identity, received_at, origin, seq, school_id, again }) {
      if (event.event_type === 'ALERT_ACTION') {
        const of = { school_id, session_id: event.session_id }
        const action = reducedAction(event)
        insertAction.run({
          ...of,
          id: action.id,
          at: action.at,
          action: JSON.stringify(action),
          // What a relay says of an action that is known here.
          relayed: JSON.stringify(newsIn(action)),
          confirmed_at: origin === 'queue' ? received_at : null,
          elsewhere: origin === 'queue' ? 1 : 0,
        })
        touch(of).added?.actions.push(action)
        return
      }
      const trigger = toTrigger(event, identity, received_at, school_id)
      if (!trigger) return
      const { changes } = insertTrigger.run({
        ...trigger,
        school_id,
        categories: JSON.stringify(trigger.categories),
        about_other: trigger.about_other ? 1 : 0,
        event_seq: seq,
      })
      if (changes === 0) return
      const { added, live } = touch({ school_id, session_id: trigger.session_id })
      added?.triggers.push(trigger)
      if (!event.backfill && !again) live.add(trigger.id)
    },
    forget({ sessions }) {
      for (const session_id of sessions) {
        forgetTriggers.run(session_id)
        forgetActions.run(session_id)
        const of = { school_id: '', session_id }
        touch(of).added = null
        kept.drop(of)
      }
    },
    reduceTouched() {
      const changes: Pick<Touched, 'alerts' | 'gone'> = { alerts: [], gone: [] }
      if (touched.size === 0) return changes
      const sessions = [...touched.values()].map(reduce)
      // All that is gone goes before anything is written: an alert whose school became known moves, and is not a new one.
      const gone = new Map(sessions.flatMap((session) => removeGone(rows, session)))
      for (const { stored, alerts, grown, live } of sessions) {
        for (const alert of alerts) {
          const was = stored.rows.get(alert.key) ?? gone.get(alert.key)
          rows.put(stored, alert, grown)
          changes.alerts.push(changeOf(alert, was, was === undefined || isFirstHeard(alert, live)))
        }
      }
      changes.gone.push(...[...gone.values()].map(({ key, school_id }) => ({ key, school_id })))
      touched.clear()
      kept.tidy()
      return changes
    },
    ofSession: (of) => kept.of(of).reduction.alerts(),
    forgetAll() {
      kept.clear()
      touched.clear()
    },
  }
}

interface Reduced {
  stored: StoredAlerts
  alerts: readonly Alert[]
  /** These alerts only grew; else they are all of the session's, in whatever grouping. */
  grown: boolean
  live: ReadonlySet<string>
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
function changeOf(alert: Alert, was: AlertColumns | undefined, opened: boolean): Touched['alerts'][number] {
  const open = alert.state === 'open'
  return {
    key: alert.key,
    opened,
    reopened: open && alert.reopened !== null && was?.reopened_at !== alert.reopened.at,
    worse: open && was !== undefined && tierRank(alert.tier) > was.tier_rank,
    told: toldOf(alert, was),
  }
}

/** Who must hear of a hand-off: its receiver, and the giver when it is declined. */
function toldOf({ hand_off, owner, history }: Alert, was: AlertColumns | undefined): string | null {
  if (hand_off) return was?.hand_off_to === hand_off.to ? null : hand_off.to
  const declined = history.at(-1)?.applied && history.at(-1)?.action.action === 'hand_off_declined'
  return declined && was?.hand_off_to != null ? (owner?.id ?? null) : null
}

/** Whether an event is a crisis, whatever its type calls it. */
export function opensCrisis(event: LoggedEvent): boolean {
  return toTrigger(event, '', 0, '')?.tier === 'crisis'
}
