import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

/** A setting of this installation, made at first use. */
export function setting(db: Database, name: string, make: () => string): string {
  db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING').run(name, make())
  return readSetting(db, name) as string
}

/** A setting as it stands; undefined when there is none. */
export function readSetting(db: Database, name: string): string | undefined {
  return prepared(db, 'SELECT value FROM settings WHERE name = ?').pluck().get(name) as string | undefined
}

export function writeSetting(db: Database, name: string, value: string): void {
  prepared(
    db,
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  ).run(name, value)
}
