import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'

/** More than so many missing in one place are an outage of the station, not messages that went elsewhere. */
const longestHole = 20

/**
 * How many numbered heartbeats were received since `since` (UTC milliseconds), and in how many places between them
 * some are missing; of the school of which most are. Heartbeats without a number count for nothing.
 */
export function heartbeatHoles(db: Database, since: number): { received: number; holes: number } {
  const found = prepared(
    db,
    `SELECT count(*) AS received, coalesce(sum(number - previous BETWEEN 2 AND ${longestHole}), 0) AS holes FROM (
       SELECT school_id, number, lag(number) OVER (PARTITION BY school_id ORDER BY number) AS previous FROM (
         SELECT DISTINCT school_id, json_extract(body, '$.number') AS number FROM events
         WHERE event_type IN ('HEARTBEAT', 'DRILL') AND event_type = 'HEARTBEAT' AND received_at > ?)
       WHERE number IS NOT NULL)
     GROUP BY school_id ORDER BY holes DESC LIMIT 1`,
  ).get(since) as { received: number; holes: number } | undefined
  return found ?? { received: 0, holes: 0 }
}
