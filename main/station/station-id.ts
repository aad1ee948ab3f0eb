import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Randomness } from '../platform/ports.ts'
import { keepSetting, type StationStore } from '../store/station/index.ts'

/**
 * The id of this station, the same at every start: kept in a database that it has for itself, and in its own
 * data directory where others share the database, who must not take its claims for theirs.
 */
export async function openStationId(store: StationStore, dataDir: string, randomness: Randomness): Promise<string> {
  if (!store.shared) return store.asStation((unit) => keepSetting(unit, 'station_id', randomness.uuid()))
  const file = join(dataDir, 'station-id')
  const known = read(file)
  if (known) return known
  const id = randomness.uuid()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${id}\n`, { mode: 0o600, flush: true })
  return id
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
