import { migration as station } from './001-station.ts'
import { migration as consoles } from './002-consoles.ts'
import type { PostgresMigration } from './migrate.ts'

/** Every step of the schema on PostgreSQL, in order. */
export const migrations: readonly PostgresMigration[] = [station, consoles]
export { migratePostgres } from './migrate.ts'
