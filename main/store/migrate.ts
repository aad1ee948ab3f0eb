import type Database from 'better-sqlite3'
import { ConsoleError } from '../../shared/errors.ts'

/** One step of a schema. Numbered from 1 without gaps; once released, never edited. */
export interface Migration {
  version: number
  up(db: Database.Database): void
}

/**
 * Brings the database to this program's schema, each step in its own transaction.
 * Throws ConsoleError `database_newer` when a newer program wrote it; then nothing is touched.
 */
export function migrate(db: Database.Database, migrations: readonly Migration[]): void {
  const found = db.pragma('user_version', { simple: true }) as number
  const newest = versionAfter(migrations)
  if (found > newest) throw newerData(found, newest)
  for (const migration of migrations.filter(({ version }) => version > found)) {
    db.transaction(() => {
      migration.up(db)
      db.pragma(`user_version = ${migration.version}`)
    })()
  }
}

/** What is said of data in version `found` where this program knows `newest`. */
export function newerData(found: number, newest: number): ConsoleError {
  return new ConsoleError({
    code: 'database_newer',
    happened: `This data was written by a newer version of PsyFlo Console (data version ${found}; this program reads up to ${newest}).`,
    safe: 'Nothing was opened or changed.',
    todo: 'Start the newer version, or choose another data directory with --data-dir.',
  })
}

/** The version of a database that has taken all of these steps. */
export function versionAfter(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0
}
