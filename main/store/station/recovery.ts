import { recoverDatabase, type Recovery } from '../recovery.ts'
import { migrations } from './migrations/file/index.ts'

/**
 * Copies what can be read of a damaged station file into a new one, in its place. What was not confirmed is published
 * again at the next start. Throws what `recoverDatabase` throws. `at`: now, UTC milliseconds.
 */
export function recoverStation(file: string, key: Buffer, at: number): Recovery {
  return recoverDatabase({ file, key, migrations, derived: [], mark: String(at), complete: () => undefined })
}
