/** The station's store on PostgreSQL: a pool of connections, each transaction bound to one school. */
import { createHash } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, sql } from 'kysely'
import pg from 'pg'
import { ConsoleError } from '../../../shared/errors.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { migratePostgres, migrations } from './migrations/postgres/index.ts'
import { findSecrets } from './schools.ts'
import { findSetting, keystoreSetting, tryRoom } from './settings.ts'
import { DatabaseGone, type ExaminedStore, type StationStore, type UnitOptions } from './store.ts'
import type { StationTables, Unit } from './tables.ts'

const defaultConnections = 10
/** int8: everything counted or timed here stays below 2⁵³. */
const bigintType = 20

/**
 * A unit of work begins together with its rights (`run`), which saves every one of them a question to the
 * server; all else of a transaction is as it always is.
 */
class BegunByItsUnit extends PostgresDriver {
  override beginTransaction(): Promise<void> {
    return Promise.resolve()
  }
}
class UnitDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }
  override createDriver() {
    return new BegunByItsUnit({ pool: this.#pool })
  }
}

/** Local to the transaction: the next one on this connection begins without rights. */
const beginWith = (school: string, station: 'on' | 'off', { mayBeDoneAgain = false }: UnitOptions) =>
  CompiledQuery.raw(
    `BEGIN; ${mayBeDoneAgain ? 'SET LOCAL synchronous_commit TO off; ' : ''}SELECT set_config('psyflo.school', ${pg.escapeLiteral(school)}, true), set_config('psyflo.station', '${station}', true)`,
  )

/** Throws ConsoleError `database_url`, `database_unreachable`, `database_refused`, `database_role` or `database_newer`. */
export async function openPostgres(
  database: { url: string; connections?: number },
  { readonly = false }: { readonly?: boolean } = {},
): Promise<StationStore> {
  const pool = openPool(database, readonly)
  const opening = new Kysely<StationTables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseUnboundRole(opening)
    if (!readonly) await migratePostgres(opening, migrations)
  } catch (error) {
    await opening.destroy()
    throw explain(error)
  }
  const kysely = new Kysely<StationTables>({ dialect: new UnitDialect(pool) })
  // Something could not be written, and since then nobody has tried whether there is room again.
  let noRoom = false
  const run = async <T>(
    school: string,
    station: 'on' | 'off',
    work: (unit: Unit) => Promise<T>,
    options: UnitOptions = {},
  ): Promise<T> => {
    try {
      return await kysely.transaction().execute(async (unit) => {
        await unit.executeQuery(beginWith(school, station, options))
        return work(unit)
      })
    } catch (error) {
      noRoom ||= isDiskFull(error)
      throw isGone(error) || isBusy(error) ? new DatabaseGone(error) : withoutRows(error)
    }
  }
  const isAnswering = async (): Promise<boolean> => {
    try {
      if (noRoom) {
        await run('', 'on', tryRoom)
        noRoom = false
      } else await sql`SELECT 1`.execute(kysely)
      return true
    } catch {
      return false
    }
  }
  return {
    shared: true,
    asSchool: (schoolId, work) => run(schoolId, 'off', work),
    asStation: (work, options) => run('', 'on', work, options),
    async now() {
      const { rows } = await sql<{ now: number }>`
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`.execute(kysely)
      return rows[0]?.now ?? null
    },
    isAnswering,
    waitForDisk: () => undefined,
    // Both are on one pool, and only this one is sure to have used it.
    close: () => opening.destroy(),
  }
}

/** What is kept of a school and of the key store; null where nothing is. Changes nothing, throws what `openPostgres` throws. */
export async function examinePostgres(database: { url: string }, schoolId: string): Promise<ExaminedStore> {
  const kysely = new Kysely<StationTables>({ dialect: new PostgresDialect({ pool: openPool(database) }) })
  try {
    await refuseUnboundRole(kysely)
    const { rows } = await sql<{ there: boolean }>`SELECT to_regclass('schools') IS NOT NULL AS there`.execute(kysely)
    if (rows[0]?.there !== true) return { secrets: null, keystore: null }
    return await kysely.transaction().execute(async (unit) => {
      await sql`SELECT set_config('psyflo.station', 'on', true)`.execute(unit)
      return { secrets: await findSecrets(unit, schoolId), keystore: await findSetting(unit, keystoreSetting) }
    })
  } catch (error) {
    throw explain(error)
  } finally {
    await kysely.destroy()
  }
}

/** Names of the statements that were asked so far: of each text one, on every connection. */
const names = new Map<string, string>()
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined)
    names.set(text, (name = createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, 32)))
  return name
}

/** A connection whose statements are parsed once and planned seldom; those without parameters are asked as they are. */
class PreparingClient extends pg.Client {
  override query = ((text: unknown, values?: unknown, ...more: unknown[]): unknown => {
    const ask = pg.Client.prototype.query.bind(this) as unknown as (...all: unknown[]) => unknown
    return typeof text === 'string' && Array.isArray(values) && values.length > 0
      ? ask({ name: nameOf(text), text, values }, ...more)
      : ask(text, values, ...more)
  }) as pg.Client['query']
}

function openPool(
  { url, connections = defaultConnections }: { url: string; connections?: number },
  readonly = false,
): pg.Pool {
  let pool: pg.Pool
  try {
    pool = new pg.Pool({
      connectionString: url,
      Client: PreparingClient,
      max: connections,
      application_name: 'psyflo-station',
      ...(readonly && { options: '-c default_transaction_read_only=on' }),
      keepAlive: true,
      connectionTimeoutMillis: seconds(3),
      idleTimeoutMillis: minutes(1),
      statement_timeout: seconds(15),
      query_timeout: seconds(20),
      lock_timeout: seconds(10),
      idle_in_transaction_session_timeout: seconds(30),
      types: {
        getTypeParser: ((oid: number, format?: 'text') =>
          oid === bigintType ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
    })
  } catch (cause) {
    throw new ConsoleError(
      {
        code: 'database_url',
        happened: 'PSYFLO_DATABASE_URL is not the address of a PostgreSQL database.',
        safe: 'Nothing was opened or changed.',
        todo: 'Correct it (postgres://user:password@host:5432/database) and start again.',
      },
      { cause },
    )
  }
  // A connection that ends while nobody waits for it is replaced; unheard, its error would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Row-level security does not bind every role: a station as such a one would let every school read every other. */
async function refuseUnboundRole(kysely: Kysely<StationTables>): Promise<void> {
  const { rows } = await sql<{ unbound: boolean }>`
    SELECT rolsuper OR rolbypassrls AS unbound FROM pg_roles WHERE rolname = current_user`.execute(kysely)
  if (rows[0]?.unbound === false) return
  throw new ConsoleError({
    code: 'database_role',
    happened: 'The role of PSYFLO_DATABASE_URL is a superuser or may bypass row-level security.',
    safe: 'Nothing was opened or changed: with such a role one school could read another’s data.',
    todo: 'Make a role with LOGIN, NOSUPERUSER and NOBYPASSRLS that owns the database, and name it in PSYFLO_DATABASE_URL.',
  })
}

/** Of the class “connection exception”, a server that shuts down or starts, too many connections. */
const goneCodes = /^(08...|57P0.|53300|ECONN\w+|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/
const goneMessages =
  /terminat|timeout exceeded when trying to connect|connection error|Query read timeout|not queryable|after calling end|been destroyed/i

function isGone(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return goneCodes.test(code)
  return error instanceof AggregateError || goneMessages.test(String(message))
}

/**
 * It answers, and can do nothing now: no room or memory left, a disk that fails, waited for longer than it may,
 * another transaction in the way, a server that has become a copy which only reads.
 */
const busyCodes = /^(53...|58030|57014|55P03|40001|40P01|25006)$/

function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && busyCodes.test(error.code ?? '')
}

const isDiskFull = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '53100'

/** PostgreSQL quotes the row it refuses: pseudonyms and ids that must stand in no log. */
function withoutRows(error: unknown): unknown {
  if (error instanceof pg.DatabaseError)
    Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined })
  return error
}

function explain(error: unknown): unknown {
  if (error instanceof ConsoleError) return error
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const said = code === '' ? 'no reason given' : code
  if (isGone(error))
    return new ConsoleError(
      {
        code: 'database_unreachable',
        happened: `The database of PSYFLO_DATABASE_URL does not answer (${said}).`,
        safe: 'Nothing was changed; its data will be there when it answers.',
        todo: 'Start it, or correct host and port, and start again.',
      },
      { cause: error },
    )
  return new ConsoleError(
    {
      code: 'database_refused',
      happened: `The database of PSYFLO_DATABASE_URL refused the station (${said}).`,
      safe: 'Nothing was changed.',
      todo: 'Check name, password and database of PSYFLO_DATABASE_URL, and that its role owns the tables.',
    },
    { cause: error },
  )
}
