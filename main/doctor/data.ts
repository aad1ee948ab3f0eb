import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ConsoleError } from '../../shared/errors.ts'
import { isTooShort, shortestPassphrase } from '../../shared/passphrase.ts'
import { passphraseProvider } from '../platform/key-providers.ts'
import type { Randomness } from '../platform/ports.ts'
import {
  isDataDirLocked,
  isUndamaged,
  keystoreExists,
  keystorePath,
  newestVersion,
  openDatabase,
  openKeys,
  schemaVersion,
  storageProblem,
  type Database,
} from '../store/console/index.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'

/** What became of opening a data directory. It is only ever read. */
export type OpenedData =
  | { kind: 'open'; db: Database }
  /** Nothing was ever written here. */
  | { kind: 'empty' }
  /** Data are here that cannot be read from outside; `why` is a sentence. */
  | { kind: 'closed'; why: string }

const gigabyte = 2 ** 30

/** Opens the data of a directory for reading, with a check for every step on the way. */
export async function openData(
  dataDir: string,
  passphrase: string | null,
  randomness: Randomness,
  progress: (what: string) => void,
): Promise<{ opened: OpenedData; checks: Check[] }> {
  const file = join(dataDir, 'console.db')
  if (!keystoreExists(dataDir) && !existsSync(file)) return nothingToOpen(dataDir, passphrase)
  const keyStore = await openKeyStore(dataDir, passphrase, randomness)
  if (keyStore.database === null) {
    const why = 'The key store did not open.'
    return { opened: { kind: 'closed', why }, checks: [keyStore.check, skipped('Database', why)] }
  }
  if (!existsSync(file)) {
    return {
      opened: { kind: 'empty' },
      checks: [keyStore.check, ok('Database', 'There is none yet; the first start creates it.')],
    }
  }
  progress('Checking the database')
  const database = openAndCheck(file, keyStore.database)
  return {
    opened: database.db ? { kind: 'open', db: database.db } : { kind: 'closed', why: 'The database did not open.' },
    checks: [keyStore.check, database.check],
  }
}

function nothingToOpen(dataDir: string, passphrase: string | null): { opened: OpenedData; checks: Check[] } {
  const demo = join(dataDir, 'demo')
  if (existsSync(demo) && readdirSync(demo).length > 0) {
    const why = demonstrationRuns(dataDir)
      ? 'A demonstration is running here; its key is in the memory of the console that runs it.'
      : 'This data belongs to a demonstration that has ended; its key is gone with it.'
    return { opened: { kind: 'closed', why }, checks: [skipped('Key store', why), skipped('Database', why)] }
  }
  const why = 'Nothing has been written here yet; the first start of a district console creates it.'
  const keyStore =
    passphrase !== null && isTooShort(passphrase)
      ? warning(
          'Key store',
          `${why} It will be kept under PSYFLO_PASSPHRASE, which has fewer than ${shortestPassphrase} characters.`,
          'Choose a longer one before the first start; several words work well.',
        )
      : skipped('Key store', why)
  return { opened: { kind: 'empty' }, checks: [keyStore, skipped('Database', why)] }
}

async function openKeyStore(
  dataDir: string,
  passphrase: string | null,
  randomness: Randomness,
): Promise<{ check: Check; database: Buffer | null }> {
  const name = 'Key store'
  const provider = providerOf(dataDir)
  if (provider === 'throwaway') {
    return { check: skipped(name, 'This data belongs to a demonstration; its key is gone.'), database: null }
  }
  if (provider !== null && provider !== 'passphrase') {
    const sentence = `It is kept by “${provider}”, which only the console itself can open.`
    return { check: warning(name, sentence, 'Start the console to see whether the key store opens.'), database: null }
  }
  if (provider !== null && passphrase === null) {
    const sentence =
      'It is protected by a passphrase, and PSYFLO_PASSPHRASE is not set, so nothing inside could be checked.'
    return {
      check: warning(name, sentence, 'Set PSYFLO_PASSPHRASE for this command and run it again.'),
      database: null,
    }
  }
  try {
    const keys = await openKeys(dataDir, passphraseProvider(passphrase ?? '', randomness), randomness)
    return {
      check: ok(name, 'It exists, is protected by a passphrase, and opens with PSYFLO_PASSPHRASE.'),
      database: keys.database,
    }
  } catch (error) {
    return { check: failure(name, error), database: null }
  }
}

/** Name of the provider that keeps the key; null where the file does not tell. */
function providerOf(dataDir: string): string | null {
  try {
    const { provider } = JSON.parse(readFileSync(keystorePath(dataDir), 'utf8')) as { provider?: unknown }
    return typeof provider === 'string' ? provider : null
  } catch {
    return null
  }
}

function openAndCheck(file: string, key: Buffer): { check: Check; db: Database | null } {
  const name = 'Database'
  let db: Database | null = null
  try {
    db = openDatabase(file, key, { readonly: true })
    const version = schemaVersion(db)
    if (version > newestVersion) {
      db.close()
      return {
        check: failed(
          name,
          `A newer console wrote it (data version ${version}; this program reads up to ${newestVersion}).`,
          'Use the newer version.',
        ),
        db: null,
      }
    }
    if (version < 1) {
      db.close()
      return {
        check: failed(
          name,
          'It opens but does not hold a console’s data.',
          'Restore the data directory from a backup.',
        ),
        db: null,
      }
    }
    if (!isUndamaged(db)) {
      return {
        check: failed(
          name,
          'It is damaged.',
          'Close the console, then run “npm run doctor -- --recover”: it copies what can be read and keeps the damaged file. Or restore the whole data directory from a backup.',
        ),
        db,
      }
    }
    const older =
      version < newestVersion ? ` The next start brings it from data version ${version} to ${newestVersion}.` : ''
    return { check: ok(name, `It opens, is encrypted and undamaged, ${sizeOf(statSync(file).size)}.${older}`), db }
  } catch (error) {
    db?.close()
    return { check: failure(name, error), db: null }
  }
}

/** Whether a demonstration school runs in this directory: each run has a folder, and a lock, of its own. */
function demonstrationRuns(dataDir: string): boolean {
  const parent = join(dataDir, 'demo')
  return existsSync(parent) && readdirSync(parent).some((run) => isDataDirLocked(join(parent, run)))
}

export function checkDirectory(dataDir: string): Check[] {
  const name = 'Data directory'
  if (!existsSync(dataDir)) return [ok(name, 'It does not exist yet; the first start creates it.')]
  return [ok(name, whatRuns(dataDir)), checkDisk(dataDir)]
}

function whatRuns(dataDir: string): string {
  if (!demonstrationRuns(dataDir)) return `${isDataDirLocked(dataDir) ? 'A' : 'No'} console is running on it.`
  return isDataDirLocked(dataDir)
    ? 'A console and a demonstration school are running on it.'
    : 'A demonstration school is running on it.'
}

function checkDisk(dataDir: string): Check {
  const name = 'Disk'
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    const free = bavail * bsize
    const todo = 'Free some space, or move the data directory with --data-dir.'
    if (free < gigabyte / 20)
      return failed(name, `Only ${sizeOf(free)} free: there is hardly room to store events.`, todo)
    if (free < gigabyte) return warning(name, `Only ${sizeOf(free)} free.`, todo)
    return ok(name, `${sizeOf(free)} are free.`)
  } catch {
    return skipped(name, 'This system does not say how much space is free.')
  }
}

export function failure(name: string, error: unknown): Check {
  if (error instanceof ConsoleError) return failed(name, error.happened, error.todo)
  const code = (error as NodeJS.ErrnoException | null)?.code
  const known = typeof code === 'string' && /^[A-Z_0-9]+$/.test(code) ? ` (${code})` : ''
  const problem = storageProblem(error)
  if (problem) return failed(name, problem.happened, problem.todo)
  return failed(name, `It could not be read${known}.`, 'Check that this account may read the data directory.')
}

function sizeOf(bytes: number): string {
  return bytes >= gigabyte ? `${(bytes / gigabyte).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 2 ** 20))} MB`
}
