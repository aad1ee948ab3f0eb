import type { Migration } from '../../../migrate.ts'

/** Texts that people sent back, each taken once, and test alerts. The same tables stand in ../postgres. */
export const migration: Migration = {
  version: 8,
  up(db) {
    db.exec(`
      -- What the provider calls a text is kept as a digest alone, for as long as it could come again.
      CREATE TABLE texts_received (
        school_id TEXT NOT NULL,
        digest TEXT NOT NULL,
        received_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, digest)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE test_alerts (
        school_id TEXT NOT NULL,
        test_id TEXT NOT NULL,
        channel TEXT NOT NULL,
        person TEXT NOT NULL,
        sent_at INTEGER NOT NULL,
        settled_at INTEGER,
        outcome TEXT CHECK (outcome IN ('delivered', 'failed')),
        code TEXT,
        PRIMARY KEY (school_id, test_id, channel)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX test_alerts_by_person ON test_alerts (school_id, person, sent_at);
    `)
  },
}
