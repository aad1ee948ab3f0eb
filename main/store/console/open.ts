import { openEncrypted, type Database, type OpenOptions } from '../open.ts'
import { migrations } from './migrations/index.ts'

/** Opens (or creates) the console's database. Throws what `openEncrypted` throws. */
export function openDatabase(file: string, key: Buffer, options: OpenOptions = {}): Database {
  return openEncrypted(file, key, migrations, options)
}
