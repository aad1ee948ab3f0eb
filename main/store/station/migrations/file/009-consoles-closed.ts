import type { Migration } from '../../../migrate.ts'

/** Which consoles said that they close: whoever is gone without a word has vanished. The same in ../postgres. */
export const migration: Migration = {
  version: 9,
  up(db) {
    db.exec(`
      -- Consoles that closed in good order, and the newest drill that each knew of then.
      CREATE TABLE consoles_closed (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        console_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        -- By the station’s clock.
        closed_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, console_id)
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
