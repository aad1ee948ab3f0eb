import type { Migration } from '../../../migrate.ts'

/** Alerts as the station reduces them, the timers of their ladders, and whom they told how. The same tables stand in ../postgres. */
export const migration: Migration = {
  version: 6,
  up(db) {
    db.exec(`
      -- One row a session with alerts: whoever adds to its set holds it. Times are UTC milliseconds.
      CREATE TABLE alert_sessions (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        steps INTEGER NOT NULL,
        last_step TEXT NOT NULL,
        PRIMARY KEY (school_id, session_id)
      ) STRICT, WITHOUT ROWID;

      -- The set that is reduced: triggers, and what people did.
      CREATE TABLE alert_steps (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        step_id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('trigger', 'action')),
        -- 1 = of a told past.
        told INTEGER NOT NULL CHECK (told IN (0, 1)),
        body TEXT NOT NULL,
        PRIMARY KEY (school_id, session_id, step_id)
      ) STRICT;

      -- What comes of the reduction, and how far the ladder of each alert has come.
      CREATE TABLE alerts (
        school_id TEXT NOT NULL,
        alert_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        tier TEXT NOT NULL CHECK (tier IN ('high', 'crisis')),
        state TEXT NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved')),
        opened_at INTEGER NOT NULL,
        owner TEXT,
        due_at INTEGER,
        number INTEGER NOT NULL,
        document TEXT NOT NULL,
        -- The run of the ladder that is needed now; null = none.
        run TEXT,
        -- The last one that began, and how far it came.
        last_run TEXT,
        run_began_at INTEGER,
        rung INTEGER NOT NULL,
        firing INTEGER NOT NULL,
        next_at INTEGER,
        PRIMARY KEY (school_id, alert_key)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX alerts_by_session ON alerts (school_id, session_id);
      CREATE INDEX alerts_running ON alerts (school_id) WHERE run IS NOT NULL;
      CREATE TABLE alert_numbers (school_id TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE timers (
        school_id TEXT NOT NULL,
        alert_key TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('rung', 'due')),
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
      CREATE INDEX timers_due ON timers (due_at);
      CREATE INDEX timers_created ON timers (created_at);

      -- One message to one person by one channel, about one alert or several.
      CREATE TABLE tellings (
        school_id TEXT NOT NULL,
        telling_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        person TEXT NOT NULL,
        channel TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'dropped')),
        late_ms INTEGER NOT NULL,
        due_at INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        claimed_by TEXT,
        claimed_until INTEGER NOT NULL,
        settled_at INTEGER,
        code TEXT,
        reference TEXT,
        PRIMARY KEY (school_id, telling_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX tellings_waiting ON tellings (due_at) WHERE state = 'waiting';
      -- What was told last to a person by a channel, and what waits to be told together.
      CREATE TABLE tell_windows (
        school_id TEXT NOT NULL,
        person TEXT NOT NULL,
        channel TEXT NOT NULL,
        told_at INTEGER NOT NULL,
        crisis_at INTEGER NOT NULL,
        telling_id TEXT,
        PRIMARY KEY (school_id, person, channel)
      ) STRICT, WITHOUT ROWID;

      -- One alert told to one person by one channel, once.
      CREATE TABLE deliveries (
        school_id TEXT NOT NULL,
        delivery_id TEXT NOT NULL,
        alert_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        run TEXT NOT NULL,
        firing INTEGER NOT NULL,
        rung INTEGER NOT NULL,
        person TEXT NOT NULL,
        channel TEXT NOT NULL,
        -- In which message; null = a desktop.
        telling_id TEXT,
        state TEXT NOT NULL CHECK (state IN ('attempted', 'delivered', 'failed')),
        attempted_at INTEGER NOT NULL,
        -- A desktop that has not answered by then has failed.
        answer_by INTEGER,
        settled_at INTEGER,
        code TEXT,
        PRIMARY KEY (school_id, delivery_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX deliveries_by_alert ON deliveries (school_id, alert_key, firing);
      CREATE INDEX deliveries_by_telling ON deliveries (school_id, telling_id) WHERE telling_id IS NOT NULL;
      CREATE INDEX deliveries_by_person ON deliveries (school_id, person);
      CREATE INDEX deliveries_unanswered ON deliveries (answer_by) WHERE answer_by IS NOT NULL AND state = 'attempted';
    `)
  },
}
