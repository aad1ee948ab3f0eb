import type { Migration } from '../../../migrate.ts'

/** The consoles that announced themselves, each with every pair of keys it ever named. */
export const migration: Migration = {
  version: 2,
  up(db) {
    db.exec(`
      CREATE TABLE consoles (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        console_id TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        signing_key TEXT NOT NULL,
        sealing_key TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'revoked')),
        announced_at INTEGER NOT NULL,
        decided_at INTEGER,
        decided_by TEXT,
        -- The content key that was sealed to it last.
        sealed_key_id TEXT,
        PRIMARY KEY (school_id, console_id, fingerprint)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX consoles_approved ON consoles (school_id, console_id) WHERE state = 'approved';
      CREATE INDEX consoles_by_id ON consoles (console_id);
    `)
  },
}
