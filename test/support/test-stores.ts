/** The station's store for tests, on the encrypted file and on a real PostgreSQL: what holds on one must hold on the other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe } from 'vitest'
import { systemRandomness } from '../../main/platform/randomness.ts'
import {
  openStationFile,
  openStationStore,
  type StationDatabase,
  type StationStore,
} from '../../main/store/station/index.ts'
import { postgresMissing, testPostgres, type TestDatabase } from './postgres.ts'

export type StoreKind = 'file' | 'PostgreSQL'

/** Defines the same tests for both stores. Where there is no PostgreSQL they are skipped, and say why. */
export function onEachStore(define: (kind: StoreKind) => void): void {
  describe('on the file', () => define('file'))
  describe.skipIf(postgresMissing !== null)(`on PostgreSQL${postgresMissing ? ` (${postgresMissing})` : ''}`, () =>
    define('PostgreSQL'),
  )
}

export interface TestStore {
  kind: StoreKind
  store: StationStore
  /** Where it is, for a second station. */
  database: StationDatabase
  /** A folder of the test's own; on the file the database is in it. */
  folder: string
  /** What stands in the database, read beside the station with all rights. */
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** Changes it so: statements that both databases understand. */
  run(sql: string): Promise<void>
  close(): Promise<void>
}

/** An empty store on a database of its own. */
export async function openTestStore(kind: StoreKind = 'file'): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'station-'))
  const opened = kind === 'file' ? fileIn(folder) : await freshPostgres()
  const store = await openStationStore(opened.database)
  return {
    ...opened,
    kind,
    folder,
    store,
    async close() {
      await store.close()
      await opened.giveBack()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function fileIn(folder: string) {
  const database = { file: join(folder, 'station.db'), key: systemRandomness.bytes(32) }
  const beside = <T>(readonly: boolean, work: (db: ReturnType<typeof openStationFile>) => T): T => {
    const db = openStationFile(database.file, database.key, { readonly })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  return {
    database,
    rows: async (sql: string) => beside(true, (db) => db.prepare(sql).all() as Record<string, unknown>[]),
    run: async (sql: string) => beside(false, (db) => void db.exec(sql)),
    giveBack: async () => undefined,
  }
}

/** Databases of this process that nobody uses now: to empty one is quicker than to make one. */
const free: TestDatabase[] = []
let made = 0
let templateReady: Promise<void> | null = null

async function freshPostgres() {
  const server = await testPostgres()
  templateReady ??= makeTemplate()
  await templateReady
  const database = free.pop() ?? (await server.createDatabase(`station_${++made}`, 'station_template'))
  const beside = new pg.Client({ connectionString: database.adminUrl, types: { getTypeParser: parserFor } })
  beside.on('error', () => undefined)
  await beside.connect()
  let spoiled = false
  return {
    database: { url: database.url },
    rows: async (sql: string) => (await beside.query<Record<string, unknown>>(sql)).rows,
    async run(sql: string) {
      spoiled ||= /\b(DROP|CREATE|ALTER)\b/i.test(sql)
      await beside.query(sql)
    },
    async giveBack() {
      if (!spoiled) await beside.query(`TRUNCATE ${await tableNames(beside)} RESTART IDENTITY`)
      await beside.end()
      if (!spoiled) free.push(database)
    },
  }
}

async function makeTemplate(): Promise<void> {
  const { url } = await (await testPostgres()).createDatabase('station_template')
  await (await openStationStore({ url })).close()
}

async function tableNames(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_name <> 'schema_version'`,
  )
  return rows.map(({ name }) => name).join(', ')
}

/** int8 and numeric as numbers, like the file gives them. */
const parserFor = ((oid: number, format?: 'text') =>
  oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
