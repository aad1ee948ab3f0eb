import { createHash } from 'node:crypto'

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

/** An entry at its place in the chain. */
export interface ChainedEntry extends AuditEntry {
  seq: number
  previous: string
  hash: string
}

/** What the first entry follows from. */
export const genesis = '0'.repeat(64)

/** SHA-256 over the entry in a fixed order of fields, and the hash before it. */
export function entryHash(entry: AuditEntry, previous: string): string {
  const { at, who, role, what, subject, why, console_id } = entry
  return createHash('sha256')
    .update(JSON.stringify([previous, at, who, role, what, subject, why, console_id]))
    .digest('hex')
}

/** Walks a chain from its beginning. `broken_at` names the first entry that does not follow from the one before. */
export function verifyChain(chain: Iterable<ChainedEntry>): { ok: boolean; entries: number; broken_at: number | null } {
  let previous = genesis
  let entries = 0
  for (const entry of chain) {
    if (entry.seq !== entries + 1 || entry.previous !== previous || entry.hash !== entryHash(entry, previous)) {
      return { ok: false, entries, broken_at: entry.seq }
    }
    previous = entry.hash
    entries += 1
  }
  return { ok: true, entries, broken_at: null }
}
