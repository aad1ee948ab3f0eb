import type { Migration } from '../../migrate.ts'

/** The last good detection files are a folder in the data directory: the megabytes of them leave the settings. */
export const migration: Migration = {
  version: 6,
  up(db) {
    db.exec(`DELETE FROM settings WHERE name = 'detection_files'`)
  },
}
