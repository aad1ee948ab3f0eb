/** The station's data as its programs open them: key store and store, on the file or on PostgreSQL. */
import { join } from 'node:path'
import { passphraseProvider, refuseShort } from './platform/key-providers.ts'
import type { Randomness } from './platform/ports.ts'
import { openStationKeys, openStationStore } from './station/index.ts'
import { keystoreExists, openKeys } from './store/index.ts'

export interface StationPlace {
  dataDir: string
  /** A PostgreSQL database; null = the encrypted file in the data directory. */
  databaseUrl: string | null
  passphrase: string
}

/**
 * The store and its keys, made where there are none: on a file the key store lies beside it, in PostgreSQL it is one
 * of its settings. Opened to read only they must be there, and stay as they are. Throws ConsoleError where they do not open.
 */
export async function openStationData(
  { dataDir, databaseUrl, passphrase }: StationPlace,
  randomness: Randomness,
  options: { readonly?: boolean } = {},
) {
  const provider = passphraseProvider(passphrase, randomness)
  if (databaseUrl === null) {
    if (!keystoreExists(dataDir)) refuseShort(passphrase)
    const keys = await openKeys(dataDir, provider, randomness)
    const store = await openStationStore({ file: join(dataDir, 'station.db'), key: keys.stationDatabase }, options)
    return { store, keys }
  }
  refuseShort(passphrase)
  const store = await openStationStore({ url: databaseUrl }, options)
  try {
    return { store, keys: await openStationKeys(store, provider, randomness) }
  } catch (error) {
    await store.close()
    throw error
  }
}
