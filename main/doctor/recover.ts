/** Recovery: what can be read of damaged databases goes into new ones. This part of the doctor writes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConsoleError } from '../../shared/errors.ts'
import { passphraseProvider } from '../platform/key-providers.ts'
import type { Clock, Randomness } from '../platform/ports.ts'
import {
  isUndamaged,
  keystoreExists,
  lockDataDir,
  openDatabase,
  openKeys,
  recoverConsole,
  type Recovery,
} from '../store/console/index.ts'
import { openStationFile, recoverStation } from '../store/station/index.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'

export interface RecoverOptions {
  dataDir: string
  passphrase: string | null
  clock: Clock
  randomness: Randomness
}

/**
 * Copies what can be read of each damaged database of a data directory into a new one in its place, and says what was
 * lost. What is whole stays as it is. Throws ConsoleError `data_dir_in_use` while a program runs on it,
 * `passphrase_needed`, and what opening the key store throws; what happens to one database stands in its line.
 */
export async function recover({ dataDir, passphrase, clock, randomness }: RecoverOptions): Promise<Check[]> {
  if (!keystoreExists(dataDir)) return [skipped('Key store', 'There is none here: nothing can be read.')]
  if (passphrase === null) throw noPassphrase()
  const release = lockDataDir(dataDir)
  try {
    const keys = await openKeys(dataDir, passphraseProvider(passphrase, randomness), randomness)
    const at = clock.now()
    const console = join(dataDir, 'console.db')
    const station = join(dataDir, 'station.db')
    return [
      recoverOne('Database', console, {
        isWhole: () => isWhole(() => openDatabase(console, keys.database, { readonly: true })),
        recover: () => recoverConsole(console, keys.database, at),
      }),
      recoverOne('Station’s database', station, {
        isWhole: () => isWhole(() => openStationFile(station, keys.stationDatabase, { readonly: true })),
        recover: () => recoverStation(station, keys.stationDatabase, at),
      }),
    ]
  } finally {
    release()
  }
}

function recoverOne(
  name: string,
  file: string,
  { isWhole, recover }: { isWhole(): boolean; recover(): Recovery },
): Check {
  if (!existsSync(file)) return skipped(name, 'There is none here.')
  try {
    if (isWhole()) return ok(name, 'It is undamaged; nothing was changed.')
    return recovered(name, recover())
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error
    if (error.code === 'database_damaged') return beyondReading(name)
    return failed(name, `${error.happened} ${error.safe}`, error.todo)
  }
}

/** Whether every page is read without a complaint; one that does not open tells why when it is recovered. */
function isWhole(open: () => ReturnType<typeof openDatabase>): boolean {
  let db: ReturnType<typeof openDatabase>
  try {
    db = open()
  } catch {
    return false
  }
  try {
    return isUndamaged(db)
  } catch {
    return false
  } finally {
    db.close()
  }
}

function recovered(name: string, { tables, kept }: Recovery): Check {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const damaged = tables
    .filter(({ lost }) => lost !== 0)
    .map(({ table, lost }) => `${table} (${lost === null ? 'some' : `${lost} at most`})`)
  const what = `${rows} rows were copied into a new database. The damaged file is kept as ${kept}.`
  if (damaged.length === 0) return ok(name, `${what} Nothing was lost.`)
  return warning(
    name,
    `${what} Not everything could be read; rows lost: ${damaged.join(', ')}.`,
    'Start the program again. Restore a backup instead where you have a newer one; keep the damaged file until then.',
  )
}

function beyondReading(name: string): Check {
  return failed(
    name,
    'The damage is where the database says what stands where, so that nothing in it can be read. It was not changed.',
    'Restore the whole data directory from a backup, or start with a new one (--data-dir): the queue sends what it still has.',
  )
}

function noPassphrase(): ConsoleError {
  return new ConsoleError({
    code: 'passphrase_needed',
    happened: 'The data are encrypted, and PSYFLO_PASSPHRASE is not set.',
    safe: 'Nothing was changed.',
    todo: 'Set PSYFLO_PASSPHRASE for this command and run it again.',
  })
}
