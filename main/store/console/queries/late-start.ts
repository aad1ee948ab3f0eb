import { hours, seconds } from '../../../../shared/time.ts'
import { prepared } from '../../prepared.ts'
import type { Database } from '../../open.ts'
import { ofSchool } from './labels.ts'

/** An alert with a message that raised it in a given time. Times are UTC milliseconds. */
export interface RaisedAlert {
  key: string
  /** The first such message of that time. */
  raised_at: number
  tier: 'high' | 'crisis'
  state: 'open' | 'acknowledged' | 'resolved'
  /** When somebody first acknowledged it; null = nobody ever did. */
  acknowledged_at: number | null
}

/** An alert's messages lie within half an hour of each other, or of a later one of the same student: further than this never. */
const furthestApart = hours(24)

/** The first message after a sleep may be received a moment before anybody notices that it was one. */
const noticedWithin = seconds(5)

/**
 * The alerts of a school ('' = of every one) that were raised, or raised again, from `from` to `until` and were
 * received after that time, oldest first. What was only told of a past is none of them; nor is what came while a clock
 * was wrong: it was received when it was raised.
 */
export function raisedBetween(db: Database, of: { school: string; from: number; until: number }): RaisedAlert[] {
  return prepared(
    db,
    `SELECT alerts.key, alerts.tier, alerts.state, alerts.acknowledged_at, min(triggers.at) AS raised_at
     FROM alerts JOIN triggers ON triggers.session_id = alerts.session_id AND triggers.school_id = alerts.school_id
         AND triggers.student_hash = alerts.student_hash
         AND triggers.at BETWEEN alerts.opened_at AND alerts.last_trigger_at
       JOIN events ON events.seq = triggers.event_seq
     WHERE ${ofSchool('alerts', of.school)} AND alerts.opened_at BETWEEN @earliest AND @until
       AND triggers.at BETWEEN @from AND @until AND triggers.received_at > @received_after
       AND json_extract(events.body, '$.backfill') IS NULL
     GROUP BY alerts.key ORDER BY raised_at, alerts.key`,
  ).all({ ...of, earliest: of.from - furthestApart, received_after: of.until - noticedWithin }) as RaisedAlert[]
}
