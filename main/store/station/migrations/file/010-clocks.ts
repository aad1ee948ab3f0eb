import type { Migration } from '../../../migrate.ts'

/** What keeps stations whose clocks differ, or are set, from telling anybody twice. The same in ../postgres. */
export const migration: Migration = {
  version: 10,
  up(db) {
    db.exec(`
      -- When a rung of the ladder fired last, and which: it does not so soon again, whoever looks.
      ALTER TABLE alerts ADD COLUMN fired_at INTEGER;
      ALTER TABLE alerts ADD COLUMN fired_rung INTEGER;
      -- By how much the clock was set back last: of several stations one sets the timers back with it.
      CREATE TABLE clock_changes (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        noticed_at INTEGER NOT NULL,
        set_back_by INTEGER NOT NULL
      ) STRICT;
    `)
  },
}
