/** Opening the station's store, and units of work in it. */
import { Kysely, SqliteDialect } from 'kysely'
import { openEncrypted, storageProblem, waitForDisk, type OpenOptions } from '../open.ts'
import { prepared } from '../prepared.ts'
import { createBatches } from './batches.ts'
import { migrations } from './migrations/file/index.ts'
import { examinePostgres, openPostgres } from './postgres.ts'
import type { WrappedSecrets } from './schools.ts'
import { tryRoom } from './settings.ts'
import { DatabaseGone, type ExaminedStore, type StationStore, type UnitOptions } from './store.ts'
import type { StationTables, Unit } from './tables.ts'

/** Where a station keeps its data: an encrypted file of its own, or a PostgreSQL that others may share. */
export type StationDatabase =
  | { file: string; key: Buffer }
  | {
      /** As in PSYFLO_DATABASE_URL. */
      url: string
      /** Connections at most; 10 where nothing is said. */
      connections?: number
    }

/**
 * Opens (or creates) the station's store and brings it to its newest schema. Throws what `openEncrypted`
 * throws; for PostgreSQL ConsoleError `database_url`, `database_unreachable`, `database_refused`,
 * `database_role` or `database_newer`. Opened to read only, it must be there, its schema stays as it is, and nothing is
 * written.
 */
export async function openStationStore(database: StationDatabase, options: OpenOptions = {}): Promise<StationStore> {
  return 'file' in database ? openFile(database, options) : openPostgres(database, options)
}

/** The encrypted file of a station on its own, read beside it or by itself. Throws what `openEncrypted` throws. */
export function openStationFile(file: string, key: Buffer, options: OpenOptions = {}) {
  return openEncrypted(file, key, migrations, options)
}

/**
 * Opens the station's store as a start would, changes nothing, and answers what is kept of a school. Throws what `openStationStore` throws.
 */
export async function examineStationStore(database: StationDatabase, schoolId: string): Promise<ExaminedStore> {
  if (!('file' in database)) return examinePostgres(database, schoolId)
  const db = openStationFile(database.file, database.key, { readonly: true })
  try {
    const kept = db.prepare('SELECT salt, content_key FROM schools WHERE school_id = ?').get(schoolId)
    return { secrets: (kept as WrappedSecrets | undefined) ?? null, keystore: null }
  } finally {
    db.close()
  }
}

function openFile({ file, key }: { file: string; key: Buffer }, { readonly = false }: OpenOptions): StationStore {
  const db = openStationFile(file, key, { readonly })
  const kysely = new Kysely<StationTables>({
    dialect: new SqliteDialect({
      database: { prepare: (sql) => prepared(db, sql) as never, close: () => void db.close() },
    }),
  })
  const batches = createBatches(db)
  // Something could not be written, and since then nobody has tried whether there is room again.
  let noRoom = false
  const run = async <T>(work: (unit: Unit) => Promise<T>, options?: UnitOptions): Promise<T> => {
    if (!db.open) throw new DatabaseGone(new Error('closed'))
    try {
      return await (readonly ? work(kysely) : batches.run(() => work(kysely), options))
    } catch (error) {
      const isGone = error instanceof DatabaseGone
      if (!isGone && storageProblem(error) === null) throw error
      noRoom = true
      throw isGone ? error : new DatabaseGone(error)
    }
  }
  const isAnswering = async (): Promise<boolean> => {
    try {
      if (noRoom) {
        await run(tryRoom)
        noRoom = false
      } else await run((unit) => unit.selectFrom('settings').select('name').limit(1).execute())
      return true
    } catch {
      return false
    }
  }
  return {
    shared: false,
    asSchool: (_schoolId, work) => run(work),
    asStation: run,
    now: () => Promise.resolve(null),
    isAnswering,
    waitForDisk: (wait) => batches.between(() => waitForDisk(db, wait)),
    async close() {
      await batches.idle()
      await kysely.destroy()
    },
  }
}
