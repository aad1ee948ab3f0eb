import { migration as station } from './001-station.ts'
import { migration as saltReads } from './004-salt-reads.ts'
import type { PostgresMigration } from './migrate.ts'

/** Every step of the schema on PostgreSQL, in order. */
export const migrations: readonly PostgresMigration[] = [station, saltReads]
export { migratePostgres } from './migrate.ts'
