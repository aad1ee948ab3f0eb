import type { QuarantineRow } from '../../../shared/views.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

/** Enough to work through; what is left comes when some are dismissed. */
const mostListed = 500

/** What waits in quarantine: what names a crisis first, then the newest. */
export function quarantineList(db: Database): QuarantineRow[] {
  const rows = prepared(
    db,
    `SELECT id, received_at, reason, detail, receive_count, bytes, names_crisis FROM quarantine
     WHERE ended_at IS NULL ORDER BY names_crisis DESC, received_at DESC LIMIT ${mostListed}`,
  ).all() as (Omit<QuarantineRow, 'names_crisis'> & { names_crisis: number })[]
  return rows.map((row) => ({ ...row, names_crisis: row.names_crisis === 1 }))
}

/** How many wait, and how many of them name a crisis; with the newest of each, whose id no other ever has. */
export function countQuarantined(db: Database): Record<'all' | 'crises', { waiting: number; newest: number | null }> {
  const count = (where: string) =>
    prepared(
      db,
      `SELECT count(*) AS waiting, max(id) AS newest FROM quarantine WHERE ended_at IS NULL ${where}`,
    ).get() as {
      waiting: number
      newest: number | null
    }
  return { all: count(''), crises: count('AND names_crisis = 1') }
}

/** A body that could not be read, sealed in `raw`. */
export interface Quarantined {
  digest: string
  received_at: number
  reason: string
  detail: string
  bytes: number
  receive_count: number
  names_crisis: boolean
  raw: string
}

const insert = `INSERT INTO quarantine (digest, received_at, reason, detail, bytes, receive_count, names_crisis, raw)
  VALUES (@digest, @received_at, @reason, @detail, @bytes, @receive_count, @names_crisis, @raw)
  ON CONFLICT (digest)`

const columnsOf = (entry: Quarantined) => ({ ...entry, names_crisis: entry.names_crisis ? 1 : 0 })

/** Keeps a body that came; the same body again only counts up. */
export function keepQuarantined(db: Database, entry: Quarantined): void {
  prepared(db, `${insert} DO UPDATE SET receive_count = receive_count + 1`).run(columnsOf(entry))
}

/** Shows what is stored already; false where it is shown, or was. */
export function showQuarantined(db: Database, entry: Quarantined): boolean {
  return prepared(db, `${insert} DO NOTHING`).run(columnsOf(entry)).changes > 0
}

/** What is read again. */
export interface QuarantinedBody {
  id: number
  received_at: number
  raw: string
}

/** Ids of the entries that wait for one of these reasons, the oldest first. */
export function quarantinedIds(db: Database, reasons: readonly string[]): number[] {
  return prepared(
    db,
    'SELECT id FROM quarantine WHERE ended_at IS NULL AND reason IN (SELECT value FROM json_each(?)) ORDER BY id',
  )
    .pluck()
    .all(JSON.stringify(reasons)) as number[]
}

/** Those of these entries that wait still. */
export function quarantinedBodies(db: Database, ids: readonly number[]): QuarantinedBody[] {
  return prepared(
    db,
    `SELECT id, received_at, raw FROM quarantine
     WHERE ended_at IS NULL AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  ).all(JSON.stringify(ids)) as QuarantinedBody[]
}

/** Ends the entries for this reason whose events are stored as this school's by now. */
export function acceptOwned(db: Database, { reason, schoolId, at }: { reason: string; schoolId: string; at: number }) {
  prepared(
    db,
    `UPDATE quarantine SET ended_at = ?, ended_by = 'system', ended_how = 'accepted'
     WHERE ended_at IS NULL AND reason = ? AND EXISTS (SELECT 1 FROM events WHERE identity = digest AND school_id = ?)`,
  ).run(at, reason, schoolId)
}

/** Ends an entry, which stays; false where it had ended already. */
export function endQuarantined(
  db: Database,
  entry: { id: number; at: number; by: string; how: 'dismissed' | 'accepted' },
): boolean {
  const end = prepared(
    db,
    'UPDATE quarantine SET ended_at = @at, ended_by = @by, ended_how = @how WHERE id = @id AND ended_at IS NULL',
  )
  return end.run(entry).changes > 0
}
