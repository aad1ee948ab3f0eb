import { createHash } from 'node:crypto'
import { prepared, type Database } from '../store/index.ts'

/** Who did what, on which (hashed) subject, why and when. No student text, no names of students. */
export interface AuditEntry {
  at: number
  who: string
  role: string
  what: string
  subject: string
  why: string
  console_id: string
}

const genesis = '0'.repeat(64)

/** Adds one entry to the chain. Call inside the transaction of the thing it describes. */
export function appendAudit(db: Database, entry: AuditEntry): void {
  const previous =
    (prepared(db, 'SELECT hash FROM audit ORDER BY seq DESC LIMIT 1').pluck().get() as string | undefined) ?? genesis
  prepared(
    db,
    `INSERT INTO audit (at, who, role, what, subject, why, console_id, previous, hash)
     VALUES (@at, @who, @role, @what, @subject, @why, @console_id, @previous, @hash)`,
  ).run({ ...entry, previous, hash: entryHash(entry, previous) })
}

/** Walks the chain. `broken_at` names the first entry that does not follow from the one before. */
export function verifyAudit(db: Database): { ok: boolean; entries: number; broken_at: number | null } {
  let previous = genesis
  let entries = 0
  let expected = 1
  for (const row of db.prepare('SELECT * FROM audit ORDER BY seq').iterate() as Iterable<
    AuditEntry & { seq: number; previous: string; hash: string }
  >) {
    if (row.seq !== expected || row.previous !== previous || row.hash !== entryHash(row, previous)) {
      return { ok: false, entries, broken_at: row.seq }
    }
    previous = row.hash
    entries += 1
    expected += 1
  }
  return { ok: true, entries, broken_at: null }
}

/** SHA-256 over the entry in a fixed order of fields, and the hash before it. */
function entryHash(entry: AuditEntry, previous: string): string {
  const { at, who, role, what, subject, why, console_id } = entry
  return createHash('sha256')
    .update(JSON.stringify([previous, at, who, role, what, subject, why, console_id]))
    .digest('hex')
}
