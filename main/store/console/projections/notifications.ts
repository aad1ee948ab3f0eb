import type { AlertNotified, LoggedEvent } from '../../../../shared/events.ts'
import type { Database } from '../../open.ts'
import { keyOf, type Projection, type Touched } from './projection.ts'

export interface NotificationProjection extends Projection {
  /** Which alerts the notifications since the last call are about, and whom they call here. */
  finish(): Pick<Touched, 'notified' | 'called'>
  /** What was applied since the last `finish` was taken back. */
  abandon(): void
}

type Outcome = AlertNotified['outcome']
const rankOf: Record<Outcome, number> = { attempted: 0, failed: 1, delivered: 2 }

/**
 * What the ladder did: one row for each rung and for each delivery, whatever order the events about it come in. What
 * was shown counts, even where somebody had given up on it.
 */
export function notificationProjection(db: Database): NotificationProjection {
  const put = db.prepare(
    `INSERT INTO notifications (school_id, session_id, escalated, id, student_hash, alert_key, covers, layer, rung, channel, person,
       at, outcome, outcome_rank, outcome_at, reason, due_at, late, next_said_at, next_at)
     VALUES (@school_id, @session_id, @escalated, @id, @student_hash, @alert_key, @covers, @layer, @rung, @channel, @person,
       @at, @outcome, @outcome_rank, @at, @reason, @due_at, @late, @next_said_at, @next_at)
     ON CONFLICT (school_id, session_id, id, escalated) DO UPDATE SET
       student_hash = max(student_hash, excluded.student_hash),
       alert_key = max(alert_key, excluded.alert_key),
       covers = max(covers, excluded.covers),
       layer = max(layer, excluded.layer),
       rung = coalesce(max(rung, excluded.rung), rung, excluded.rung),
       channel = max(channel, excluded.channel),
       person = coalesce(max(person, excluded.person), person, excluded.person),
       at = min(at, excluded.at),
       outcome = iif(${isBetter}, excluded.outcome, outcome),
       outcome_at = iif(${isBetter}, excluded.outcome_at, outcome_at),
       reason = iif(${isBetter}, excluded.reason, reason),
       outcome_rank = max(outcome_rank, excluded.outcome_rank),
       due_at = coalesce(min(due_at, excluded.due_at), due_at, excluded.due_at),
       late = max(late, excluded.late),
       next_at = iif(${saysMore}, excluded.next_at, next_at),
       next_said_at = coalesce(max(next_said_at, excluded.next_said_at), next_said_at, excluded.next_said_at)`,
  )
  const forgotten = db.prepare(`DELETE FROM notifications WHERE school_id = '' AND session_id = ?`)
  const keysOf = db
    .prepare(
      `SELECT key FROM alert_keys WHERE alias = @alert_key AND session_id = @session_id
       UNION
       SELECT alert_keys.key FROM triggers JOIN alert_keys ON alert_keys.alias = substr(triggers.id, 1, 32)
       WHERE triggers.school_id = @school_id AND triggers.session_id = @session_id
         AND triggers.idempotency_key IN (SELECT value FROM json_each(@covers))`,
    )
    .pluck()
  const about = new Map<string, { school_id: string; session_id: string; alert_key: string; covers: string }>()
  const called = new Set<string>()

  return {
    tables: ['notifications'],
    apply({ event, school_id, again }) {
      if (!isNotification(event)) return
      const { session_id, student_hash, alert_key, channel, outcome, to, timestamp: at, backfill } = event
      const escalated = event.event_type === 'ALERT_ESCALATED'
      const covers = JSON.stringify(event.covers ?? [])
      // A rung that names no next one is the last.
      const saysNext = !backfill && (escalated || event.next_at !== undefined)
      put.run({
        ...{ school_id, session_id, student_hash, alert_key, covers, channel, outcome, at },
        escalated: escalated ? 1 : 0,
        id: (escalated ? undefined : event.delivery_id) ?? event.idempotency_key,
        layer: event.layer,
        rung: event.rung ?? null,
        person: to ?? null,
        outcome_rank: rankOf[outcome],
        reason: event.reason ?? null,
        due_at: event.due_at ?? null,
        late: event.late ? 1 : 0,
        next_said_at: saysNext ? at : null,
        next_at: (saysNext && event.next_at) || null,
      })
      about.set(keyOf(school_id, `${session_id} ${alert_key} ${covers}`), { school_id, session_id, alert_key, covers })
      const calls = channel === 'desktop' && outcome === 'attempted' && !escalated
      if (calls && to !== undefined && !backfill && !again) called.add(to)
    },
    forget({ sessions }) {
      for (const session_id of sessions) forgotten.run(session_id)
    },
    finish() {
      const notified = new Set([...about.values()].flatMap((of) => keysOf.all(of) as string[]))
      const told = { notified: [...notified], called: [...called] }
      this.abandon()
      return told
    },
    abandon() {
      about.clear()
      called.clear()
    },
  }
}

/** What is known best, and of two of a kind what was known first. */
const isBetter = `(excluded.outcome_rank, -excluded.outcome_at, coalesce(excluded.reason, ''))
  > (outcome_rank, -outcome_at, coalesce(reason, ''))`
/** What was said last of the next rung counts. */
const saysMore = `(coalesce(excluded.next_said_at, -1), coalesce(excluded.next_at, -1))
  > (coalesce(next_said_at, -1), coalesce(next_at, -1))`

function isNotification(event: LoggedEvent): event is AlertNotified {
  return event.event_type === 'ALERT_NOTIFIED' || event.event_type === 'ALERT_ESCALATED'
}
