import type { Migration } from '../../../migrate.ts'

/**
 * How many sessions of a school stand in each status, kept as they change: to count them would read them all. The
 * same in ../postgres.
 */
export const migration: Migration = {
  version: 5,
  up(db) {
    db.exec(`
      CREATE TABLE session_counts (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        status TEXT NOT NULL CHECK (status IN ('active', 'ended', 'escalated')),
        count INTEGER NOT NULL,
        PRIMARY KEY (school_id, status)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO session_counts SELECT school_id, status, count(*) FROM sessions GROUP BY school_id, status;
    `)
  },
}
