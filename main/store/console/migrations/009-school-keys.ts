import type { Migration } from '../../migrate.ts'

/** The content keys of schools that this console was approved for; the events that brought them are found by an index. */
export const migration: Migration = {
  version: 9,
  up(db) {
    db.exec(`
      CREATE TABLE school_keys (
        school_id TEXT NOT NULL,
        key_id TEXT NOT NULL,
        content_key BLOB NOT NULL CHECK (length(content_key) = 32),
        -- Of the console's own keys, to which it was sealed.
        fingerprint TEXT NOT NULL,
        approved_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, key_id, fingerprint)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX events_school_key ON events (seq) WHERE event_type = 'SCHOOL_KEY_SEALED';
    `)
  },
}
