/** `npm run keys`: the key of a data directory in a recovery file, and back from it where the key store is lost. */
import { base32crockford } from '@scure/base'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConsoleError } from '../../shared/errors.ts'
import { passphraseProvider, refuseShort } from '../platform/key-providers.ts'
import type { Clock, Randomness } from '../platform/ports.ts'
import { lockDataDir, openDatabase, restoreFromRecovery, wrapForRecovery, type Keys } from '../store/console/index.ts'
import { openStationFile } from '../store/station/index.ts'

interface KeyPlace {
  dataDir: string
  /** Opens the key store as it is, or will from now on. */
  passphrase: string
  /** Path of the recovery file. */
  file: string
}

/**
 * Writes the recovery file, which opens with the code that is answered and with nothing else: 160 bits of chance in
 * groups of four letters and digits. It is shown once. Throws ConsoleError `recovery_file_exists` and what opening the
 * key store throws.
 */
export async function exportKey({ dataDir, passphrase, file }: KeyPlace, randomness: Randomness): Promise<string> {
  if (existsSync(file)) throw fileExists(file)
  const code = base32crockford.encode(randomness.bytes(20))
  const own = passphraseProvider(passphrase, randomness)
  const text = await wrapForRecovery(dataDir, own, passphraseProvider(code, randomness))
  writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return (code.match(/.{4}/g) ?? []).join('-')
}

/**
 * Makes the key store anew from a recovery file and its code, under the passphrase of now, once these keys have opened
 * the data that stand there. A key store that was there is kept beside it. Throws ConsoleError `data_dir_in_use`,
 * `short_passphrase`, `recovery_file_missing`, `wrong_recovery_code`, and what opening the data throws.
 */
export async function restoreKey(
  { dataDir, passphrase, file, code }: KeyPlace & { code: string },
  { clock, randomness }: { clock: Clock; randomness: Randomness },
): Promise<void> {
  refuseShort(passphrase)
  if (!existsSync(file)) throw fileMissing(file)
  const release = lockDataDir(dataDir)
  try {
    await restoreFromRecovery(dataDir, readFileSync(file, 'utf8'), {
      recovery: passphraseProvider(plainCode(code), randomness),
      own: passphraseProvider(passphrase, randomness),
      fits: (keys) => openAll(dataDir, keys),
      mark: String(clock.now()),
    }).catch((error: unknown) => {
      throw error instanceof ConsoleError && error.code === 'wrong_passphrase' ? wrongCode(error) : error
    })
  } finally {
    release()
  }
}

/** As it was shown, however somebody typed it: these letters are not told from digits by hand. */
function plainCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}

function openAll(dataDir: string, keys: Keys): void {
  const [cache, station] = [join(dataDir, 'console.db'), join(dataDir, 'station.db')]
  if (existsSync(cache)) openDatabase(cache, keys.database, { readonly: true }).close()
  if (existsSync(station)) openStationFile(station, keys.stationDatabase, { readonly: true }).close()
}

function fileExists(file: string): ConsoleError {
  return new ConsoleError({
    code: 'recovery_file_exists',
    happened: `There is a file ${file} already.`,
    safe: 'Nothing was written.',
    todo: 'Choose another name for the recovery file.',
  })
}

function fileMissing(file: string): ConsoleError {
  return new ConsoleError({
    code: 'recovery_file_missing',
    happened: `There is no file ${file}.`,
    safe: 'Nothing was changed.',
    todo: 'Give the path of the recovery file that was exported from this data directory.',
  })
}

function wrongCode(cause: ConsoleError): ConsoleError {
  return new ConsoleError(
    {
      code: 'wrong_recovery_code',
      happened: 'The recovery code does not open this recovery file.',
      safe: 'Nothing was changed.',
      todo: 'Type the code that was shown when this very file was exported; each file has its own.',
    },
    { cause },
  )
}
