import type { Alert } from '../../../shared/alerts.ts'
import type { LoggedEvent, SchoolResolved } from '../../../shared/events.ts'
import type { Database } from '../open.ts'
import { createProjections, projectionsVersion, type Touched } from './projections/index.ts'
import { readSetting, writeSetting } from './setting.ts'

export interface Appending {
  event: LoggedEvent | SchoolResolved
  /** Whose it is, as settled now; '' = unknown. What the log says later stands in another event. */
  school_id: string
  /** Digest of idempotency key and canonical body, hex; the same identity twice is one event. */
  identity: string
  /** `queue`: came from outside. `console`: an action of this console. */
  origin: 'queue' | 'console'
  received_at: number
}

export interface EventLog {
  /**
   * Appends events and brings every projection up to date, in one transaction; all or nothing.
   * Returns what changed. Events already in the log change nothing.
   */
  append(items: readonly Appending[]): Touched & { added: number }
  /** Makes all projections anew from the log; the result is byte-equal to what stood there. */
  rebuild(): void
  /** Every alert of a session, oldest first; school '' = unknown. */
  alertsOf(schoolId: string, sessionId: string): Alert[]
  /** The alert behind a key or an alias; null when there is none. */
  alertBehind(alias: string): Alert | null
}

/**
 * The append-only event log of one database. Projections that another version of this program wrote are made
 * anew at once.
 */
export function createEventLog(db: Database): EventLog {
  const projections = createProjections(db)
  const insert = db.prepare(
    `INSERT INTO events (identity, origin, event_type, idempotency_key, school_id, session_id, student_hash, at, received_at, body)
     VALUES (@identity, @origin, @event_type, @idempotency_key, @school_id, @session_id, @student_hash, @at, @received_at, @body)
     ON CONFLICT (identity) DO NOTHING`,
  )

  const append = db.transaction((items: readonly Appending[]) => {
    let added = 0
    for (const { event, school_id, identity, origin, received_at } of items) {
      const result = insert.run({
        identity,
        origin,
        event_type: event.event_type,
        idempotency_key: event.idempotency_key,
        school_id,
        session_id: 'session_id' in event ? (event.session_id ?? null) : null,
        student_hash: 'student_hash' in event ? event.student_hash : null,
        at: event.timestamp,
        received_at,
        body: JSON.stringify(event),
      })
      if (result.changes === 0) continue
      added += 1
      projections.apply({ seq: Number(result.lastInsertRowid), identity, origin, received_at, school_id, event })
    }
    return { ...projections.finish(), added }
  })

  const rebuild = db.transaction(() => {
    projections.clear()
    // In pages: a connection that is still reading refuses to write.
    const page = db.prepare(
      'SELECT seq, identity, origin, received_at, school_id, body FROM events WHERE seq > ? ORDER BY seq LIMIT 1000',
    )
    for (let rows = page.all(0) as LogRow[]; rows.length > 0; rows = page.all(rows.at(-1)?.seq) as LogRow[]) {
      for (const { body, ...row } of rows) {
        if (body !== null) projections.apply({ ...row, event: JSON.parse(body) as LoggedEvent | SchoolResolved })
      }
    }
    projections.finish()
    writeSetting(db, 'projections_version', projectionsVersion)
  })
  if (readSetting(db, 'projections_version') !== projectionsVersion) rebuild.immediate()

  /** A failure is taken back in memory too: the next commit would else write and tell what nobody recorded. */
  const allOrNothing = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      projections.abandon()
      throw error
    }
  }

  const aliasOf = db.prepare('SELECT key, school_id, session_id FROM alert_keys WHERE alias = ?')

  return {
    append: (items) => allOrNothing(() => append.immediate(items)),
    rebuild: () => allOrNothing(() => rebuild.immediate()),
    alertsOf: (school_id, session_id) => projections.alertsOf({ school_id, session_id }),
    alertBehind(alias) {
      const row = aliasOf.get(alias) as { key: string; school_id: string; session_id: string } | undefined
      return row ? (projections.alertsOf(row).find(({ key }) => key === row.key) ?? null) : null
    },
  }
}

interface LogRow {
  seq: number
  identity: string
  origin: 'queue' | 'console'
  received_at: number
  school_id: string
  body: string | null
}
