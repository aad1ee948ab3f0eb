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

/** How many wait, and how many of them name a crisis. */
export function countQuarantined(db: Database): { quarantined: number; crises: number } {
  const count = (where: string) =>
    prepared(db, `SELECT count(*) FROM quarantine WHERE ended_at IS NULL ${where}`).pluck().get() as number
  return { quarantined: count(''), crises: count('AND names_crisis = 1') }
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
