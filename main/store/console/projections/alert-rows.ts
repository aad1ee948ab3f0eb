import type { Alert } from '../../../../shared/alerts.ts'
import { stateRank, turnOf } from '../../../../shared/inbox-order.ts'
import { tierRank } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'

/** What the table `alerts` says of an alert. */
export type AlertColumns = ReturnType<typeof columnsOf>

function columnsOf(alert: Alert) {
  return {
    key: alert.key,
    session_id: alert.session_id,
    student_hash: alert.student_hash,
    school_id: alert.school_id ?? '',
    tier: alert.tier,
    tier_rank: tierRank(alert.tier),
    state: alert.state,
    state_rank: stateRank[alert.state],
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
    hand_off_urgent: alert.hand_off?.urgent ? 1 : 0,
    reopened_at: alert.reopened?.at ?? null,
    reopened_reason: alert.reopened?.reason ?? null,
    resolved_at: alert.resolved?.at ?? null,
    disposition: alert.resolved?.disposition ?? null,
    commitments: JSON.stringify(alert.commitments),
    turn: turnOf({ ...alert, reopened_at: alert.reopened?.at ?? null }),
  }
}

const columns = [
  'key', 'session_id', 'student_hash', 'school_id', 'tier', 'tier_rank', 'state', 'state_rank', 'score', 'categories',
  'about_other', 'opened_at', 'received_at', 'occurred_at', 'last_trigger_at', 'first_seen_at', 'again_count',
  'acknowledged_at', 'owner_id', 'owner_name', 'due_at', 'hand_off_to', 'hand_off_to_name', 'hand_off_urgent',
  'reopened_at', 'reopened_reason', 'resolved_at', 'disposition', 'commitments', 'turn',
] as const satisfies readonly (keyof AlertColumns)[] // prettier-ignore

/** What a session is known by; school '' = unknown. */
export interface OfSession {
  school_id: string
  session_id: string
}

export interface StoredAlerts {
  rows: Map<string, AlertColumns>
  aliases: Map<string, string>
}

export type AlertRows = ReturnType<typeof alertRows>

const ofSession = 'WHERE school_id = @school_id AND session_id = @session_id'

/** The rows of the tables `alerts` and `alert_keys`, of which only what differs is written. */
export function alertRows(db: Database) {
  const rowsOf = db.prepare(`SELECT ${columns.join(', ')} FROM alerts ${ofSession}`)
  const aliasesOf = db.prepare(`SELECT alias, key FROM alert_keys ${ofSession}`)
  const putRow = db.prepare(
    `INSERT OR REPLACE INTO alerts (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
  )
  const putAlias = db.prepare(
    'INSERT OR REPLACE INTO alert_keys (alias, key, school_id, session_id) VALUES (@alias, @key, @school_id, @session_id)',
  )
  const removeRow = db.prepare('DELETE FROM alerts WHERE key = ?')
  const removeCommitments = db.prepare('DELETE FROM commitments WHERE alert_key = ?')
  const putCommitment = db.prepare(
    `INSERT INTO commitments (alert_key, id, school_id, student_hash, what, due_at, owner_id, owner_name)
     VALUES (@alert_key, @id, @school_id, @student_hash, @what, @due_at, @owner_id, @owner_name)`,
  )
  /** Those that nobody has met; they outlive their alert. */
  const putCommitments = ({ key, commitments }: Alert, { school_id, student_hash }: AlertColumns): void => {
    removeCommitments.run(key)
    for (const { id, what, due_at, owner, met } of commitments) {
      if (met !== null) continue
      const of = { alert_key: key, school_id, student_hash }
      putCommitment.run({ ...of, id, what, due_at, owner_id: owner.id, owner_name: owner.name })
    }
  }
  const removeAlias = db.prepare('DELETE FROM alert_keys WHERE alias = ?')

  return {
    read: (of: OfSession): StoredAlerts => ({
      rows: new Map((rowsOf.all(of) as AlertColumns[]).map((row) => [row.key, row])),
      aliases: new Map((aliasesOf.all(of) as { alias: string; key: string }[]).map(({ alias, key }) => [alias, key])),
    }),
    /**
     * Writes what is new or other of an alert. `grown`: since it was stored, triggers only joined at its
     * end, or parts were split off.
     */
    put(stored: StoredAlerts, alert: Alert, grown: boolean): void {
      const row = columnsOf(alert)
      const was = stored.rows.get(alert.key)
      if (!was || columns.some((column) => was[column] !== row[column])) putRow.run(row)
      if ((was?.commitments ?? '[]') !== row.commitments) putCommitments(alert, row)
      stored.rows.set(alert.key, row)
      for (const alias of alert.aliases.toReversed()) {
        const isStored = stored.aliases.get(alias) === alert.key
        // Those before it were stored with it: an alert that only grew was of one key throughout.
        if (isStored && grown) break
        if (isStored) continue
        putAlias.run({ alias, key: alert.key, school_id: row.school_id, session_id: row.session_id })
        stored.aliases.set(alias, alert.key)
      }
    },
    removeRow(stored: StoredAlerts, key: string): void {
      removeRow.run(key)
      removeCommitments.run(key)
      stored.rows.delete(key)
    },
    removeAlias(stored: StoredAlerts, alias: string): void {
      removeAlias.run(alias)
      stored.aliases.delete(alias)
    },
  }
}
