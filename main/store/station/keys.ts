/** The key store of a database that several stations share: the same as in keystore.json, as one of its settings. */
import type { KeyProvider, Randomness } from '../../platform/ports.ts'
import { openKeysIn, type Keys } from '../keystore.ts'
import { findSetting, keepSetting, keystoreSetting } from './settings.ts'
import type { StationStore } from './store.ts'

/**
 * Unwraps the keys of a station's database, or makes the first ones; a station that starts at the same time
 * gets the same. Throws ConsoleError `provider_changed`, `keystore_broken` or what the provider throws.
 */
export function openStationKeys(store: StationStore, provider: KeyProvider, randomness: Randomness): Promise<Keys> {
  return openKeysIn(
    {
      read: () => store.asStation((unit) => findSetting(unit, keystoreSetting)),
      keep: (text) => store.asStation((unit) => keepSetting(unit, keystoreSetting, text)),
    },
    provider,
    randomness,
  )
}
