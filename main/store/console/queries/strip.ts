import { proofEventTypes, type LoggedEvent } from '../../../../shared/events.ts'
import { drillLasts } from '../../../../shared/thresholds.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'

/** When the last event came from the event queue; null = none ever. */
export function lastReceived(db: Database): number | null {
  // The log is in the order of arrival: its end tells, without reading all of it.
  const last = prepared(db, `SELECT received_at FROM events WHERE origin = 'queue' ORDER BY seq DESC LIMIT 1`)
  return (last.pluck().get() as number | undefined) ?? null
}

/** As the index of them names them. */
const proofs = proofEventTypes.map((type) => `'${type}'`).join(', ')

/** When the newest proof that the alarm works was made; null = none ever came. */
export function lastProof(db: Database): number | null {
  // Old when it came, or from a clock ahead of ours: the earlier of the two counts.
  const last = prepared(db, `SELECT max(min(at, received_at)) FROM events WHERE event_type IN (${proofs})`)
  return last.pluck().get() as number | null
}

/** The number of a heartbeat that came, whose it is ('' = unknown), when it was made and when received (UTC ms). */
export interface ReceivedBeat {
  school_id: string
  number: number
  at: number
  received_at: number
}

/** The last heartbeats with a number, in the order in which they came; `limit` counts drills and others among them. */
export function lastHeartbeats(db: Database, limit: number): ReceivedBeat[] {
  const rows = prepared(
    db,
    `SELECT school_id, json_extract(body, '$.number') AS number, at, received_at FROM (
       SELECT * FROM events INDEXED BY events_proofs WHERE event_type IN (${proofs}) ORDER BY received_at DESC, seq DESC LIMIT ?)
     WHERE event_type = 'HEARTBEAT' AND body IS NOT NULL AND json_extract(body, '$.number') IS NOT NULL
     ORDER BY received_at, seq`,
  )
  return rows.all(limit) as ReceivedBeat[]
}

/**
 * The newest heartbeat and the newest drill as the log has them, by when they were made or came; null = none ever. A
 * drill that says it began long after it came is none.
 */
export function newestProofs(db: Database): Record<'heartbeat' | 'drill', { event: LoggedEvent; at: number } | null> {
  const newest = (type: (typeof proofEventTypes)[number]) => {
    const row = prepared(
      db,
      `SELECT body, min(at, received_at) AS at FROM events INDEXED BY events_proofs
       WHERE event_type IN (${proofs}) AND event_type = ? AND body IS NOT NULL
         AND (event_type <> 'DRILL' OR coalesce(json_extract(body, '$.began_at'), at) <= received_at + ?)
       ORDER BY received_at DESC, min(at, received_at) DESC LIMIT 1`,
    ).get(type, drillLasts) as { body: string; at: number } | undefined
    return row ? { event: JSON.parse(row.body) as LoggedEvent, at: row.at } : null
  }
  return { heartbeat: newest('HEARTBEAT'), drill: newest('DRILL') }
}
