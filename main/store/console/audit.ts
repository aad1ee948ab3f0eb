import { entryHash, genesis, verifyChain, type AuditEntry, type ChainedEntry } from '../../audit/index.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

/** Adds one entry to the chain. Call inside the transaction of the thing it describes. */
export function appendAudit(db: Database, entry: AuditEntry): void {
  const last = prepared(db, 'SELECT hash FROM audit ORDER BY seq DESC LIMIT 1').pluck().get() as string | undefined
  const previous = last ?? genesis
  prepared(
    db,
    `INSERT INTO audit (at, who, role, what, subject, why, console_id, previous, hash)
     VALUES (@at, @who, @role, @what, @subject, @why, @console_id, @previous, @hash)`,
  ).run({ ...entry, previous, hash: entryHash(entry, previous) })
}

/** Whether the whole chain holds. */
export function verifyAudit(db: Database): ReturnType<typeof verifyChain> {
  const chain = db.prepare(
    'SELECT seq, at, who, role, what, subject, why, console_id, previous, hash FROM audit ORDER BY seq',
  )
  return verifyChain(chain.iterate() as Iterable<ChainedEntry>)
}

/** Who did one of these acts last, and the entry's number; null = nobody did since the entry `after`. */
export function newestAct(db: Database, acts: readonly string[], after = 0): { seq: number; who: string } | null {
  const found = prepared(
    db,
    `SELECT seq, who FROM audit WHERE seq > ? AND what IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT 1`,
  ).get(after, JSON.stringify(acts)) as { seq: number; who: string } | undefined
  return found ?? null
}

/** Whether a person, and not the clock, has done anything here but look. */
export function somebodyActed(db: Database): boolean {
  const found = prepared(
    db,
    `SELECT 1 FROM audit WHERE who <> 'system' AND what NOT IN ('alert.seen', 'evidence.reveal', 'transcript.read') LIMIT 1`,
  )
  return found.get() !== undefined
}

/** How far back `isAudited` looks, in entries: enough for what a person did a moment ago. */
const recent = 1000

/** Whether this stands among the newest entries, later than `since` (UTC milliseconds). */
export function isAudited(
  db: Database,
  { who, what, subject, since }: Pick<AuditEntry, 'who' | 'what' | 'subject'> & { since: number },
): boolean {
  const found = prepared(
    db,
    `SELECT 1 FROM (SELECT at, who, what, subject FROM audit ORDER BY seq DESC LIMIT ${recent})
     WHERE who = ? AND what = ? AND subject = ? AND at > ?`,
  )
  return found.get(who, what, subject, since) !== undefined
}
