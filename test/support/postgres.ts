/** A real PostgreSQL of the tests' own, started once in each process that needs it; it ends with the process. */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

const binaries = postgresBinaries()

/** Why nothing can be tested on PostgreSQL here; null where it can. */
export const postgresMissing = binaries === null ? 'skipped: no PostgreSQL 15 or newer on this machine' : null

export interface TestDatabase {
  /** As a station gives it: a role that row-level security binds. */
  url: string
  /** As whoever runs the server sees everything. */
  adminUrl: string
}

export interface TestServer {
  /** A database of this name, empty or a copy of another. */
  createDatabase(name: string, template?: string): Promise<TestDatabase>
  /** Runs SQL as the administrator, in the server's own database. */
  run(sql: string): Promise<void>
  /** Stops it as a failure would; its data stay. */
  stop(): Promise<void>
  /** Stops it for good. */
  remove(): Promise<void>
  /** Starts it again on the same data, as after a failure of its machine. */
  restart(): Promise<void>
}

let started: Promise<TestServer> | null = null
/** The server of this process. */
export function testPostgres(): Promise<TestServer> {
  started ??= startPostgres()
  return started
}

export interface PostgresOptions {
  /** It waits for its disk, as a real one does. */
  durable?: boolean
  /** Where its folder is made; the user it runs as must be allowed there. */
  within?: string
}

/** A server for one test, which may end it. */
export async function startPostgres({ durable = false, within = tmpdir() }: PostgresOptions = {}): Promise<TestServer> {
  if (binaries === null) throw new Error(postgresMissing ?? '')
  const folder = mkdtempSync(join(within, 'postgres-'))
  const asUser = postgresUser()
  if (asUser.uid !== undefined && asUser.gid !== undefined) chownSync(folder, asUser.uid, asUser.gid)
  const data = join(folder, 'data')
  const initialize = [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '--no-instructions',
    '-E',
    'UTF8',
    '--locale=C',
  ]
  execFileSync(join(binaries, 'initdb'), initialize, { ...asUser, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const urlOf = (role: string, database: string) => `postgres://${role}@localhost/${database}?host=${folder}`

  let server = launch(binaries, folder, durable, asUser)
  const admin = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client(urlOf('postgres', 'postgres'))
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  const answering = async (): Promise<void> => {
    for (let tries = 0; ; tries++) {
      try {
        return await admin(async (client) => void (await client.query('SELECT 1')))
      } catch (error) {
        if (tries > 300) throw error
        await setTimeout(20)
      }
    }
  }
  const run = (sql: string) => admin(async (client) => void (await client.query(sql)))
  await answering()
  await run('CREATE ROLE station LOGIN NOSUPERUSER NOBYPASSRLS')
  return {
    run,
    async createDatabase(name, template = 'template1') {
      await run(`CREATE DATABASE ${name} OWNER station TEMPLATE ${template}`)
      return { url: urlOf('station', name), adminUrl: urlOf('postgres', name) }
    },
    stop: () => server.stop(),
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    async restart() {
      await server.stop()
      server = launch(binaries, folder, durable, asUser)
      await answering()
    },
  }
}

/** The server process. It ends at once when this process does, however that ends: the shell between them sees its input close. */
function launch(folderOfBinaries: string, folder: string, durable: boolean, asUser: { uid?: number; gid?: number }) {
  const settings = [
    `-D ${join(folder, 'data')} -k ${folder} -c listen_addresses= -c max_connections=150`,
    durable ? '' : '-c fsync=off -c synchronous_commit=off -c full_page_writes=off',
  ].join(' ')
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      `${join(folderOfBinaries, 'postgres')} ${settings} & server=$!; read line; kill -QUIT $server; wait $server; [ "$line" = keep ] || rm -rf ${folder}`,
    ],
    { ...asUser, cwd: folder, stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  )
  child.unref()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    stop: () => {
      // Whoever stops it waits for its end.
      child.ref()
      child.stdin.end('keep\n')
      return ended
    },
  }
}

function postgresBinaries(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  const folders = versions.sort((a, b) => b - a).map((version) => join(root, String(version), 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** Whom the server runs as: PostgreSQL refuses to run as root. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      continue
    }
  }
  return {}
}
