import { hkdfSync } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ConsoleError } from '../../shared/errors.ts'
import { keystorePath } from '../platform/derive-key.ts'
import type { KeyProvider, Randomness } from '../platform/ports.ts'

/** The keys of one installation, from one master key that only its provider can unwrap. */
export interface Keys {
  /** 32 bytes: encrypts the console's database file, page by page. */
  database: Buffer
  /** 32 bytes: the same for the station's. */
  stationDatabase: Buffer
  /** 32 bytes: wraps the salt and the content key of each school in the station's database. */
  stationSecrets: Buffer
  /** 32 bytes: the second lock, on evidence envelopes. */
  evidence: Buffer
}

const keystoreSchema = z.object({
  version: z.literal(1),
  provider: z.enum(['passphrase', 'throwaway', 'safe-storage', 'kms']),
  wrapped: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** Whether this data directory has a key store already. */
export function keystoreExists(dataDir: string): boolean {
  return existsSync(keystorePath(dataDir))
}

/** Who keeps the key of this data directory. Throws ConsoleError `keystore_broken`. */
export function keystoreProvider(dataDir: string): KeyProvider['name'] {
  return parse(textIn(dataDir)).provider
}

/** Where the text of a key store is kept. */
export interface KeystorePlace {
  /** Null where there is none yet. */
  read(): Promise<string | null>
  /** Keeps it for good, and answers what is kept: whoever was first has made it. */
  keep(text: string): Promise<string>
}

/**
 * Unwraps the keys of a data directory, or makes new ones where it is empty. Never makes a new key
 * over old data: throws ConsoleError `provider_changed`, `keystore_missing` or `keystore_broken`.
 */
export async function openKeys(dataDir: string, provider: KeyProvider, randomness: Randomness): Promise<Keys> {
  const isNew = !keystoreExists(dataDir)
  if (isNew && ['console.db', 'station.db'].some((file) => existsSync(join(dataDir, file)))) throw missing()
  return openKeysIn(inFolder(dataDir), provider, randomness)
}

/**
 * Unwraps the keys of a key store, or makes the first ones. Throws ConsoleError `provider_changed`,
 * `keystore_broken` or what the provider throws.
 */
export async function openKeysIn(place: KeystorePlace, provider: KeyProvider, randomness: Randomness): Promise<Keys> {
  const found = await place.read()
  if (found !== null) return derive(await unwrap(found, provider))
  const master = randomness.bytes(32)
  const made = JSON.stringify({ version: 1, ...(await provider.wrap(master)) }, null, 2)
  const kept = await place.keep(made)
  return derive(kept === made ? master : await unwrap(kept, provider))
}

/**
 * The master key of a data directory, wrapped once more for when its own provider is gone: the text of a recovery file.
 * Throws ConsoleError `keystore_missing`, `keystore_broken`, `provider_changed` or what the provider throws.
 */
export async function wrapForRecovery(dataDir: string, own: KeyProvider, recovery: KeyProvider): Promise<string> {
  if (!keystoreExists(dataDir)) throw missing()
  const master = await unwrap(textIn(dataDir), own)
  return JSON.stringify({ version: 1, ...(await recovery.wrap(master)) }, null, 2)
}

/**
 * Makes the key store of a data directory anew from the text of a recovery file, for a provider of now. `fits` is asked
 * first, and throws where these keys do not open the data; a key store that stands there is kept under another name,
 * which ends with `mark`. Throws ConsoleError `keystore_broken` for a text that is none, and what `recovery` throws.
 */
export async function restoreFromRecovery(
  dataDir: string,
  text: string,
  { recovery, own, fits, mark }: { recovery: KeyProvider; own: KeyProvider; fits(keys: Keys): void; mark: string },
): Promise<void> {
  const master = await unwrap(text, recovery)
  fits(derive(master))
  const made = JSON.stringify({ version: 1, ...(await own.wrap(master)) }, null, 2)
  const path = keystorePath(dataDir)
  if (existsSync(path)) copyFileSync(path, `${path}.replaced-${mark}`)
  await inFolder(dataDir).keep(made)
}

async function unwrap(text: string, provider: KeyProvider): Promise<Buffer> {
  const stored = parse(text)
  if (stored.provider !== provider.name) throw changed(stored.provider, provider.name)
  return provider.unwrap(stored).catch((error: unknown) => {
    // A provider explains what it knows; parameters that cannot be used are damage.
    throw error instanceof ConsoleError ? error : broken(error)
  })
}

function inFolder(dataDir: string): KeystorePlace {
  const path = keystorePath(dataDir)
  return {
    read: async () => (existsSync(path) ? textIn(dataDir) : null),
    keep: async (text) => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      // Written aside and renamed, so that a crash never leaves half a key store.
      writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
      renameSync(`${path}.new`, path)
      return text
    },
  }
}

function textIn(dataDir: string): string {
  try {
    return readFileSync(keystorePath(dataDir), 'utf8')
  } catch (cause) {
    throw broken(cause)
  }
}

function parse(text: string) {
  try {
    return keystoreSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw broken(cause)
  }
}

function derive(master: Buffer): Keys {
  const part = (name: string) => Buffer.from(hkdfSync('sha256', master, 'psyflo-console', name, 32))
  return {
    database: part('database'),
    stationDatabase: part('station-database'),
    stationSecrets: part('station-secrets'),
    evidence: part('evidence'),
  }
}

function broken(cause: unknown): ConsoleError {
  return new ConsoleError(
    {
      code: 'keystore_broken',
      happened: 'The key store of this data directory cannot be read.',
      safe: 'The encrypted data was not touched.',
      todo: 'Restore keystore.json from a backup, or make it anew from its recovery file: npm run keys -- restore FILE.',
    },
    { cause },
  )
}

function missing(): ConsoleError {
  return new ConsoleError({
    code: 'keystore_missing',
    happened: 'This data directory holds an encrypted database but no key store.',
    safe: 'The encrypted data was not touched.',
    todo: 'Restore keystore.json from a backup, make it anew from its recovery file (npm run keys -- restore FILE), or choose another data directory with --data-dir.',
  })
}

function changed(stored: string, offered: string): ConsoleError {
  return new ConsoleError({
    code: 'provider_changed',
    happened: `The key to this data is kept by “${stored}”, but this start uses “${offered}”.`,
    safe: 'Nothing was opened or changed.',
    todo: 'Start the console the way it was set up, or choose another data directory with --data-dir.',
  })
}
