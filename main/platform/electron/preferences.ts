import Store from 'electron-store'
import { forgiving } from '../preferences.ts'
import type { Logger, PreferenceStore } from '../ports.ts'

/** Preferences and the window's place, in `preferences.json` of the data directory. */
export function electronPreferences(dataDir: string, logger: Logger): PreferenceStore {
  const options = {
    cwd: dataDir,
    name: 'preferences',
    clearInvalidConfig: true,
    accessPropertiesByDotNotation: false,
  }
  return forgiving(() => new Store<Record<string, unknown>>(options), logger)
}
