import type { Migration } from '../../migrate.ts'

/**
 * The last good detection files are a folder in the data directory. The row of older versions holds files of other
 * names and no intent model: no engine can be built from them any more, so they are not taken over.
 */
export const migration: Migration = {
  version: 6,
  up(db) {
    db.exec(`DELETE FROM settings WHERE name = 'detection_files'`)
  },
}
