import type { LoggedEvent } from '../../../shared/events.ts'
import type { Database } from '../open.ts'
import { createProjections, type Touched } from './projections/index.ts'

export interface Appending {
  event: LoggedEvent
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
}

/** The append-only event log of one database. */
export function createEventLog(db: Database): EventLog {
  const projections = createProjections(db)
  const insert = db.prepare(
    `INSERT INTO events (identity, origin, event_type, idempotency_key, session_id, at, received_at, body)
     VALUES (@identity, @origin, @event_type, @idempotency_key, @session_id, @at, @received_at, @body)
     ON CONFLICT (identity) DO NOTHING`,
  )

  const append = db.transaction((items: readonly Appending[]) => {
    let added = 0
    for (const { event, identity, origin, received_at } of items) {
      const result = insert.run({
        identity,
        origin,
        event_type: event.event_type,
        idempotency_key: event.idempotency_key,
        session_id: 'session_id' in event ? (event.session_id ?? null) : null,
        at: event.timestamp,
        received_at,
        body: JSON.stringify(event),
      })
      if (result.changes === 0) continue
      added += 1
      projections.apply({ seq: Number(result.lastInsertRowid), identity, origin, received_at, event })
    }
    return { ...projections.finish(), added }
  })

  return {
    append: (items) => append.immediate(items),
    rebuild: () =>
      db
        .transaction(() => {
          projections.clear()
          // In pages: a connection that is still reading refuses to write.
          const page = db.prepare(
            'SELECT seq, identity, origin, received_at, body FROM events WHERE seq > ? ORDER BY seq LIMIT 1000',
          )
          for (let rows = page.all(0) as LogRow[]; rows.length > 0; rows = page.all(rows.at(-1)?.seq) as LogRow[]) {
            for (const row of rows) {
              if (row.body !== null) projections.apply({ ...row, event: JSON.parse(row.body) as LoggedEvent })
            }
          }
          projections.finish()
        })
        .immediate(),
  }
}

interface LogRow {
  seq: number
  identity: string
  origin: 'queue' | 'console'
  received_at: number
  body: string | null
}
