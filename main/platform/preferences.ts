import Conf from 'conf'
import type { Logger, PreferenceStore } from './ports.ts'

/** The part of `conf` that is used; `electron-store` is the same underneath. */
interface KeyValueFile {
  get(name: string): unknown
  set(name: string, value: unknown): void
}

/** Preferences in `preferences.json` of the data directory, for hosts without Electron. */
export function filePreferences(dataDir: string, logger: Logger): PreferenceStore {
  const open = () =>
    new Conf<Record<string, unknown>>({
      cwd: dataDir,
      configName: 'preferences',
      projectName: 'psyflo-console',
      // A file cut short by a full disk is begun again: it holds nothing but taste.
      clearInvalidConfig: true,
      accessPropertiesByDotNotation: false,
    })
  return forgiving(open, logger)
}

/** A preference that cannot be read or kept harms nobody: the default is shown and the log says so. */
export function forgiving(open: () => KeyValueFile, logger: Logger): PreferenceStore {
  let file: KeyValueFile | null = null
  const attempt = <T>(what: string, work: (file: KeyValueFile) => T): T | undefined => {
    try {
      file ??= open()
      return work(file)
    } catch (error) {
      logger.warn({ error, what }, 'preferences')
      return undefined
    }
  }
  return {
    get: (name) => attempt('read', (kept) => kept.get(name)),
    set: (name, value) => void attempt('write', (kept) => kept.set(name, value)),
  }
}
