import { recoverDatabase, removeDatabase, type Recovery } from '../recovery.ts'
import { appendAudit } from './audit.ts'
import { createEventLog } from './event-log.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'
import { createProjections } from './projections/index.ts'
import { readSetting, writeSetting } from './setting.ts'

/**
 * Copies what can be read of a damaged console database into a new one, in its place: log, audit, people, roster,
 * settings and outbox as they were; whatever is made from the log is made anew. Throws what `recoverDatabase` throws.
 * `at`: now, UTC milliseconds.
 */
export function recoverConsole(file: string, key: Buffer, at: number): Recovery {
  return recoverDatabase({
    file,
    key,
    migrations,
    derived: projectionTables(`${file}.empty`),
    mark: String(at),
    complete(db, tables) {
      // Another version than any: the projections are made anew.
      writeSetting(db, 'projections_version', '')
      createEventLog(db)
      const lost = tables.filter((table) => table.lost !== 0).map(({ table }) => table)
      appendAudit(db, {
        at,
        who: 'system',
        role: '',
        what: 'database.recovered',
        subject: 'console',
        why: lost.length === 0 ? 'nothing was lost' : `not all could be read: ${lost.join(', ')}`,
        console_id: readSetting(db, 'console_id') ?? '',
      })
    },
  })
}

/** Asked of an empty database of this program, which is removed again. */
function projectionTables(file: string): readonly string[] {
  removeDatabase(file)
  const empty = openDatabase(file, Buffer.alloc(32))
  try {
    return createProjections(empty).tables
  } finally {
    empty.close()
    removeDatabase(file)
  }
}
