/** What the doctor asks of a database. It only reads. */
import type { Database } from '../open.ts'
import { readSetting } from './setting.ts'

function number(db: Database, sql: string, ...parameters: unknown[]): number {
  return db
    .prepare(sql)
    .pluck()
    .get(...parameters) as number
}

/** The schema version of a database, 0 where no console ever wrote it. */
export function schemaVersion(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** Whether SQLite finds the file whole. */
export function isUndamaged(db: Database): boolean {
  return db.pragma('quick_check(5)', { simple: true }) === 'ok'
}

/** Answers several questions from one moment, while a console may go on writing. */
export function atOneMoment<T>(db: Database, ask: () => T): T {
  return db.transaction(ask)()
}

/** The figures of a console's record. */
export function recordCounts(db: Database): {
  events: number
  alerts: number
  open: number
  quarantined: number
  outbox_pending: number
} {
  // One walk through the log; heartbeats, drills, keys and directories are no events, and our own actions come back as some.
  const accepted = number(
    db,
    `SELECT count(*) FROM events WHERE origin = 'queue' AND event_type NOT IN ('HEARTBEAT', 'DRILL', 'SCHOOL_KEY_SEALED', 'POLICY_CHANGED')
       AND NOT (event_type = 'ALERT_ACTION' AND coalesce(json_extract(body, '$.console_id') = ?, FALSE))`,
    readSetting(db, 'console_id') ?? '',
  )
  return {
    events: accepted,
    alerts: number(db, 'SELECT count(*) FROM alerts'),
    open: number(db, `SELECT count(*) FROM alerts WHERE state = 'open'`),
    quarantined: number(db, 'SELECT count(*) FROM quarantine WHERE ended_at IS NULL'),
    outbox_pending: number(
      db,
      `SELECT count(*) FROM outbox WHERE sent_at IS NULL AND event_type NOT IN ('DRILL_SEEN', 'CONSOLE_CLOSED')`,
    ),
  }
}

/** People known here, the counselors among them, and students on the roster. */
export function peopleCounts(db: Database): { people: number; counselors: number; roster: number } {
  return {
    people: number(db, 'SELECT count(*) FROM people'),
    counselors: number(db, `SELECT count(*) FROM people WHERE role = 'COUNSELOR'`),
    roster: number(db, 'SELECT count(*) FROM roster'),
  }
}

/** What waits to be sent, and since when the oldest of it (UTC milliseconds). */
export function unsentMessages(db: Database): { waiting: number; oldest: number | null } {
  return db
    .prepare('SELECT count(*) AS waiting, min(created_at) AS oldest FROM outbox WHERE sent_at IS NULL')
    .get() as { waiting: number; oldest: number | null }
}

/** Sessions whose last message lies in this time, and those of them with holes in their sequence numbers. */
export function sessionsWithHoles(db: Database, from: number, to: number): { sessions: number; holed: number } {
  return db
    .prepare(
      `SELECT count(*) AS sessions, coalesce(sum(messages < span), 0) AS holed FROM (
         SELECT count(*) AS messages, max(sequence) - min(sequence) + 1 AS span
         FROM sessions JOIN messages ON messages.school_id = sessions.school_id AND messages.session_id = sessions.id
         WHERE sessions.last_message_at BETWEEN ? AND ? GROUP BY sessions.school_id, sessions.id)`,
    )
    .get(from, to) as { sessions: number; holed: number }
}
