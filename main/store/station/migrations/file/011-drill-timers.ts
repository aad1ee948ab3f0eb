import type { Migration } from '../../../migrate.ts'

/**
 * A drill goes through a timer of the ladder, too; whoever is told of one that fails is told again while it lasts, of
 * which the messages themselves keep count. The same in ../postgres.
 */
export const migration: Migration = {
  version: 11,
  up(db) {
    db.exec(`
      ALTER TABLE drills ADD COLUMN fired_at INTEGER;
      DROP TABLE drill_alarms;

      CREATE TABLE timers_with_drills (
        school_id TEXT NOT NULL,
        alert_key TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('rung', 'due', 'drill')),
        session_id TEXT NOT NULL,
        run TEXT NOT NULL,
        rung INTEGER NOT NULL,
        -- The firing after which it was set.
        firing INTEGER NOT NULL,
        reason TEXT,
        due_at INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, alert_key, kind)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO timers_with_drills
        SELECT school_id, alert_key, kind, session_id, run, rung, firing, reason, due_at, created_at FROM timers;
      DROP TABLE timers;
      ALTER TABLE timers_with_drills RENAME TO timers;
      CREATE INDEX timers_due ON timers (due_at);
      CREATE INDEX timers_created ON timers (created_at);
    `)
  },
}
