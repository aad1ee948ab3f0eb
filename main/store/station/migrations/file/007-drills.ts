import type { Migration } from '../../../migrate.ts'

/**
 * Drills of each school, and the consoles that have seen them. A drill’s session is marked from the start, and is gone
 * when the drill is over: no count, list or history ever holds it. The same in ../postgres.
 */
export const migration: Migration = {
  version: 7,
  up(db) {
    db.exec(`
      -- 1 = the session of a drill.
      ALTER TABLE sessions ADD COLUMN drill INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX sessions_of_drills ON sessions (school_id) WHERE drill = 1;

      CREATE TABLE drills (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        number INTEGER NOT NULL,
        station_id TEXT NOT NULL,
        -- '' until it is open.
        session_id TEXT NOT NULL,
        began_at INTEGER NOT NULL,
        -- 'passed', or why it did not; null = under way.
        outcome TEXT,
        -- How many people the ladder would have told at once; null = nothing escalates.
        would_tell INTEGER,
        PRIMARY KEY (school_id, number)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE drills_seen (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        number INTEGER NOT NULL,
        console_id TEXT NOT NULL,
        -- By the console’s clock.
        cached_at INTEGER NOT NULL,
        painted_at INTEGER,
        -- Person id; null = nobody was at the window.
        seen_by TEXT,
        -- By the station’s.
        received_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, number, console_id)
      ) STRICT, WITHOUT ROWID;

      -- Schools whose people were told that drills do not come back.
      CREATE TABLE drill_alarms (
        school_id TEXT PRIMARY KEY REFERENCES schools (school_id),
        since INTEGER NOT NULL,
        told_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
