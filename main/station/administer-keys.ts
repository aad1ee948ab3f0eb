/** What a command of the station's operator may do to its data, beside the stations that run on them. */
import type { Clock, Randomness } from '../platform/ports.ts'
import type { StationStore } from '../store/station/index.ts'
import { issuedKeys, type IssuedKeys } from './intake/index.ts'
import { openSecrets, type Wrapping } from './school-secrets.ts'

export interface KeyAdministration extends Omit<IssuedKeys, 'find'> {
  /** The schools that are served so far. */
  schools(): Promise<string[]>
}

/**
 * The API keys that stations give out. A school that is new gets secrets of its own with its first key; with a `salt`
 * from outside there is one school, and another one is refused (ConsoleError `salt`).
 */
export async function administerKeys(options: {
  store: StationStore
  wrapping: Wrapping
  /** The station's own school, where one is named. */
  schoolId: string | null
  salt: string | null
  clock: Clock
  randomness: Randomness
}): Promise<KeyAdministration> {
  const { store, wrapping, schoolId, salt, clock, randomness } = options
  const own = salt === null || schoolId === null ? [] : [schoolId]
  const secrets = await openSecrets({ store, wrapping, randomness, given: { salt, contentKey: null } }, own)
  const { find: _, ...keys } = issuedKeys({ store, clock, randomness, ensureSchool: (school) => secrets.of(school) })
  return { ...keys, schools: () => secrets.schools() }
}
