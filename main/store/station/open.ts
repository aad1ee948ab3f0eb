import { openEncrypted, type Database, type OpenOptions } from '../open.ts'
import { prepared } from '../prepared.ts'
import { migrations } from './migrations/index.ts'

/** Opens (or creates) the station's database. Throws what `openEncrypted` throws. */
export function openStationDatabase(file: string, key: Buffer, options: OpenOptions = {}): Database {
  return openEncrypted(file, key, migrations, options)
}

/** Whether the database answers. */
export function isAnswering(db: Database): boolean {
  try {
    return prepared(db, 'SELECT 1').get() !== undefined
  } catch {
    return false
  }
}
