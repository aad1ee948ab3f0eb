import { hkdfSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ConsoleError } from '../../shared/errors.ts'
import type { KeyProvider, Randomness } from '../platform/ports.ts'

/** The keys of one installation, from one master key that only its provider can unwrap. */
export interface Keys {
  /** 32 bytes: encrypts the console's database file, page by page. */
  database: Buffer
  /** 32 bytes: the same for the station's. */
  stationDatabase: Buffer
  /** 32 bytes: the second lock, on evidence envelopes. */
  evidence: Buffer
}

const keystoreSchema = z.object({
  version: z.literal(1),
  provider: z.enum(['passphrase', 'throwaway', 'safe-storage', 'kms']),
  wrapped: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
})

export function keystorePath(dataDir: string): string {
  return join(dataDir, 'keystore.json')
}

/** Whether this data directory has a key store already. */
export function keystoreExists(dataDir: string): boolean {
  return existsSync(keystorePath(dataDir))
}

/** Who keeps the key of this data directory. Throws ConsoleError `keystore_broken`. */
export function keystoreProvider(dataDir: string): KeyProvider['name'] {
  return read(dataDir).provider
}

/**
 * Unwraps the keys of a data directory, or makes new ones where it is empty. Never makes a new key
 * over old data: throws ConsoleError `provider_changed`, `keystore_missing` or `keystore_broken`.
 */
export async function openKeys(dataDir: string, provider: KeyProvider, randomness: Randomness): Promise<Keys> {
  if (!keystoreExists(dataDir)) {
    if (['console.db', 'station.db'].some((file) => existsSync(join(dataDir, file)))) throw missing()
    return derive(await create(dataDir, provider, randomness))
  }
  const stored = read(dataDir)
  if (stored.provider !== provider.name) throw changed(stored.provider, provider.name)
  return derive(
    await provider.unwrap(stored).catch((error: unknown) => {
      // A provider explains what it knows; parameters that cannot be used are damage.
      throw error instanceof ConsoleError ? error : broken(error)
    }),
  )
}

async function create(dataDir: string, provider: KeyProvider, randomness: Randomness): Promise<Buffer> {
  const master = randomness.bytes(32)
  const wrapped = await provider.wrap(master)
  const path = keystorePath(dataDir)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Written aside and renamed, so that a crash never leaves half a key store.
  writeFileSync(`${path}.new`, JSON.stringify({ version: 1, ...wrapped }, null, 2), { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  return master
}

function read(dataDir: string) {
  try {
    return keystoreSchema.parse(JSON.parse(readFileSync(keystorePath(dataDir), 'utf8')))
  } catch (cause) {
    throw broken(cause)
  }
}

function derive(master: Buffer): Keys {
  const part = (name: string) => Buffer.from(hkdfSync('sha256', master, 'psyflo-console', name, 32))
  return { database: part('database'), stationDatabase: part('station-database'), evidence: part('evidence') }
}

function broken(cause: unknown): ConsoleError {
  return new ConsoleError(
    {
      code: 'keystore_broken',
      happened: 'The key store of this data directory cannot be read.',
      safe: 'The encrypted data were not touched.',
      todo: 'Restore keystore.json from a backup of the data directory.',
    },
    { cause },
  )
}

function missing(): ConsoleError {
  return new ConsoleError({
    code: 'keystore_missing',
    happened: 'This data directory holds an encrypted database but no key store.',
    safe: 'The encrypted data were not touched.',
    todo: 'Restore keystore.json from a backup, or choose another data directory with --data-dir.',
  })
}

function changed(stored: string, offered: string): ConsoleError {
  return new ConsoleError({
    code: 'provider_changed',
    happened: `The key of this data is kept by “${stored}”, but this start offers “${offered}”.`,
    safe: 'Nothing was opened or changed.',
    todo: 'Start the console as it was set up, or choose another data directory with --data-dir.',
  })
}
