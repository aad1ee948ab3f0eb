/** What people were typing, by person and name; encrypted with everything else here, and sent nowhere. */
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'
import { writeSetting } from './setting.ts'

const prefixOf = (person: string): string => `draft ${JSON.stringify(person)} `

/** A person's drafts by name. */
export function draftsOf(db: Database, person: string): Record<string, string> {
  const prefix = prefixOf(person)
  const rows = prepared(db, 'SELECT name, value FROM settings WHERE substr(name, 1, ?) = ?').all(
    prefix.length,
    prefix,
  ) as { name: string; value: string }[]
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice(prefix.length), value]))
}

/** Keeps a draft in place of the one before; null = there is none any more. */
export function keepDraft(db: Database, person: string, { name, draft }: { name: string; draft: string | null }): void {
  if (draft === null) prepared(db, 'DELETE FROM settings WHERE name = ?').run(prefixOf(person) + name)
  else writeSetting(db, prefixOf(person) + name, draft)
}
