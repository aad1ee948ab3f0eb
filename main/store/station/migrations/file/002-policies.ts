import type { Migration } from '../../../migrate.ts'

/** Directories and calendars of schools, and who looks after which student. The same tables stand in ../postgres. */
export const migration: Migration = {
  version: 2,
  up(db) {
    db.exec(`
      -- A school's directory and calendar, every version of it; what a version said never changes.
      CREATE TABLE policies (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        version INTEGER NOT NULL CHECK (version > 0),
        event_id TEXT NOT NULL,
        -- The envelope, as it travels.
        document TEXT NOT NULL,
        changed_at INTEGER NOT NULL,
        changed_by TEXT NOT NULL,
        PRIMARY KEY (school_id, version)
      ) STRICT, WITHOUT ROWID;
      CREATE TRIGGER policies_no_update BEFORE UPDATE ON policies
        BEGIN SELECT RAISE(ABORT, 'a version of a policy never changes'); END;

      -- Who looks after a student; null = nobody any more.
      CREATE TABLE assignments (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        student_hash TEXT NOT NULL,
        person_id TEXT,
        assigned_at INTEGER NOT NULL,
        assigned_by TEXT NOT NULL,
        PRIMARY KEY (school_id, student_hash)
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
