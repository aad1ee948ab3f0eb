import { appendAudit } from '../audit/index.ts'
import type { Appending, Database, EvidenceKey, Log, Touched } from '../store/index.ts'
import { readBody, type Reading } from './envelope.ts'

type Unreadable = Extract<Reading, { kind: 'unreadable' }>

/** Keeps a body that could not be read: sealed, with the reason. The same body again only counts up. */
export function quarantine(
  db: Database,
  evidenceKey: EvidenceKey,
  entry: Unreadable & { body: string; received_at: number; receive_count: number },
): void {
  db.prepare(
    `INSERT INTO quarantine (digest, received_at, reason, detail, bytes, receive_count, names_crisis, raw)
     VALUES (@digest, @received_at, @reason, @detail, @bytes, @receive_count, @names_crisis, @raw)
     ON CONFLICT (digest) DO UPDATE SET receive_count = receive_count + 1`,
  ).run({
    digest: entry.digest,
    received_at: entry.received_at,
    reason: entry.reason,
    detail: entry.detail,
    bytes: entry.bytes,
    receive_count: entry.receive_count,
    names_crisis: entry.names_crisis ? 1 : 0,
    raw: JSON.stringify(evidenceKey.seal(entry.body)),
  })
}

interface QuarantinedRow {
  id: number
  received_at: number
  raw: string
}

/**
 * Reads quarantined bodies again, after an upgrade or at a person's wish. What can be read now is
 * appended to the log and leaves the quarantine, in one transaction.
 */
export function retryQuarantined(
  options: {
    db: Database
    log: Log
    evidenceKey: EvidenceKey
    /** School of events that name none. */
    schoolId: string | null
    now: number
    consoleId: string
    by: { id: string; role: string }
  },
  which: { id: number } | { reasons: readonly string[] },
): { accepted: number; touched: Touched | null } {
  const { db, log, evidenceKey, schoolId, now } = options
  const rows = (
    'id' in which
      ? db.prepare('SELECT id, received_at, raw FROM quarantine WHERE ended_at IS NULL AND id = ?').all(which.id)
      : db
          .prepare(
            'SELECT id, received_at, raw FROM quarantine WHERE ended_at IS NULL AND reason IN (SELECT value FROM json_each(?))',
          )
          .all(JSON.stringify(which.reasons))
  ) as QuarantinedRow[]

  const accepted: { row: QuarantinedRow; item: Appending }[] = []
  for (const row of rows) {
    const reading = readBody(
      evidenceKey.open(JSON.parse(row.raw) as Parameters<EvidenceKey['open']>[0]),
      now,
      evidenceKey,
    )
    if (reading.kind === 'event') {
      if (schoolId !== null) reading.event.school_id ??= schoolId
      accepted.push({
        row,
        item: { event: reading.event, identity: reading.identity, origin: 'queue', received_at: row.received_at },
      })
    }
  }
  if (accepted.length === 0) return { accepted: 0, touched: null }
  const touched = db
    .transaction(() => {
      const end = db.prepare(`UPDATE quarantine SET ended_at = ?, ended_by = ?, ended_how = 'accepted' WHERE id = ?`)
      for (const { row } of accepted) {
        end.run(now, options.by.id, row.id)
        appendAudit(db, {
          at: now,
          who: options.by.id,
          role: options.by.role,
          what: 'quarantine.retry',
          subject: `quarantine ${row.id}`,
          why: '',
          console_id: options.consoleId,
        })
      }
      return log.append(accepted.map(({ item }) => item))
    })
    .immediate()
  return { accepted: accepted.length, touched }
}
