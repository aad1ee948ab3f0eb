import type Database from 'better-sqlite3'
import { ConsoleError } from '../../shared/errors.ts'
import { migrations } from './console/migrations/index.ts'

/** One step of the schema. Numbered from 1 without gaps; once released, never edited. */
export interface Migration {
  version: number
  up(db: Database.Database): void
}

/** The schema version this program writes. */
export const newestVersion = migrations.length

/**
 * Brings the database to this program's schema, each step in its own transaction.
 * Throws ConsoleError `database_newer` when a newer program wrote it; then nothing is touched.
 */
export function migrate(db: Database.Database, steps: readonly Migration[] = migrations): void {
  const found = db.pragma('user_version', { simple: true }) as number
  if (found > steps.length) {
    throw new ConsoleError({
      code: 'database_newer',
      happened: `This data was written by a newer PsyFlo Console (data version ${found}, this program knows ${steps.length}).`,
      safe: 'Nothing was opened or changed.',
      todo: 'Start the newer program, or choose another data directory with --data-dir.',
    })
  }
  for (const step of steps.slice(found)) {
    db.transaction(() => {
      step.up(db)
      db.pragma(`user_version = ${step.version}`)
    })()
  }
}
