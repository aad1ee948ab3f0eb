import type { Migration } from '../../migrate.ts'

/** Keys that were given out here. Only a digest is kept: what stands in this table opens nothing. */
export const migration: Migration = {
  version: 2,
  up(db) {
    db.exec(`
      CREATE TABLE api_keys (
        id TEXT PRIMARY KEY,
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        label TEXT NOT NULL,
        -- SHA-256 of the key, which is 256 random bits.
        digest TEXT NOT NULL UNIQUE,
        -- A JSON list.
        scopes TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
