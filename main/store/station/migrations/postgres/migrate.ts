import { sql, type Kysely } from 'kysely'
import { newerData } from '../../../migrate.ts'

/** One step of the schema, as statements. Numbered from 1 without gaps; once released, never edited. */
export interface PostgresMigration {
  version: number
  up: string
}

/** Names the lock under which one station at a time brings the schema up to date. */
const lock = 0x7073_7966

/**
 * Brings the database to this program's schema, all steps in one transaction; a station that starts at the
 * same time waits for it. Throws ConsoleError `database_newer` when a newer program wrote it; then nothing
 * is touched.
 */
export async function migratePostgres<Tables>(
  db: Kysely<Tables>,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  await db.transaction().execute(async (unit) => {
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(lock)})`.execute(unit)
    await sql`CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)`.execute(unit)
    const { rows } = await sql<{ version: number }>`SELECT version FROM schema_version`.execute(unit)
    const found = rows[0]?.version ?? 0
    const newest = migrations.at(-1)?.version ?? 0
    if (found > newest) throw newerData(found, newest)
    for (const { up } of migrations.filter(({ version }) => version > found)) await sql.raw(up).execute(unit)
    if (rows.length === 0) await sql`INSERT INTO schema_version VALUES (${newest})`.execute(unit)
    else if (found < newest) await sql`UPDATE schema_version SET version = ${newest}`.execute(unit)
  })
}
