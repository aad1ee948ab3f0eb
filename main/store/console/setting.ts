import type { Database } from '../open.ts'

/** A setting of this installation, made at first use. */
export function setting(db: Database, name: string, make: () => string): string {
  db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING').run(name, make())
  return db.prepare('SELECT value FROM settings WHERE name = ?').pluck().get(name) as string
}
