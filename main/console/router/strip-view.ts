import { minutes } from '../../../shared/time.ts'
import type { SignalName } from '../../../shared/risk.ts'
import type { StripView } from '../../../shared/views.ts'
import type { ConnectionState } from '../event-queue/index.ts'
import type { PersonalError } from '../../../shared/errors.ts'
import { openCounts, type Database } from '../../store/console/index.ts'

const heartbeatOverdue = minutes(3)

/** What the strip remembers between commits; everything else it reads from the rows. */
export interface Pulse {
  lastEventAt: number | null
  provenAt: number | null
  degraded: SignalName[]
  /** The last commit failed: the disk is full, say. */
  commitError: PersonalError | null
}

/** What the log says of the time before this start. */
export function firstPulse(db: Database): Pulse {
  const last = (sql: string) => (db.prepare(sql).pluck().get() as number | null | undefined) ?? null
  return {
    // The log is in the order of arrival: its end tells, without reading all of it.
    lastEventAt: last(`SELECT received_at FROM events WHERE origin = 'queue' ORDER BY seq DESC LIMIT 1`),
    provenAt: last(`SELECT max(received_at) FROM events WHERE event_type IN ('HEARTBEAT', 'DRILL')`),
    degraded: [],
    commitError: null,
  }
}

/** Builds the strip. `now` in UTC milliseconds. */
export function stripView(
  db: Database,
  {
    school,
    now,
    pulse,
    connection,
    ladder,
    demo,
  }: {
    school: string
    now: number
    pulse: Pulse
    connection: ConnectionState
    ladder: StripView['ladder']
    demo: boolean
  },
): StripView {
  const count = (sql: string) => db.prepare(sql).pluck().get() as number
  return {
    connection: pulse.commitError
      ? { state: 'disconnected', since: connection.since, error: pulse.commitError }
      : { state: connection.state, since: connection.since, error: connection.error },
    last_event_at: pulse.lastEventAt,
    proven_at: pulse.provenAt,
    heartbeat_overdue: pulse.provenAt !== null && now - pulse.provenAt > heartbeatOverdue,
    ...openCounts(db, school),
    quarantined: count('SELECT count(*) FROM quarantine WHERE ended_at IS NULL'),
    quarantined_crises: count('SELECT count(*) FROM quarantine WHERE ended_at IS NULL AND names_crisis = 1'),
    queue_waiting: connection.waiting,
    queue_age_ms: connection.age_ms,
    outbox_pending: count('SELECT count(*) FROM outbox WHERE sent_at IS NULL'),
    degraded: pulse.degraded,
    ladder,
    demo,
  }
}
