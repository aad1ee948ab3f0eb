import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** The tables of ../file/006-escalation.ts. */
export const migration: PostgresMigration = {
  version: 6,
  up: `
    -- One row a session with alerts: whoever adds to its set holds it. Times are UTC milliseconds.
    CREATE TABLE alert_sessions (
      school_id text NOT NULL,
      session_id text NOT NULL,
      steps bigint NOT NULL,
      last_step text NOT NULL,
      PRIMARY KEY (school_id, session_id)
    );

    -- The set that is reduced: triggers, and what people did.
    CREATE TABLE alert_steps (
      school_id text NOT NULL,
      session_id text NOT NULL,
      step_id text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('trigger', 'action')),
      -- 1 = of a told past.
      told bigint NOT NULL CHECK (told IN (0, 1)),
      body text NOT NULL,
      PRIMARY KEY (school_id, session_id, step_id)
    );

    -- What comes of the reduction, and how far the ladder of each alert has come.
    CREATE TABLE alerts (
      school_id text NOT NULL,
      alert_key text NOT NULL,
      session_id text NOT NULL,
      student_hash text NOT NULL,
      tier text NOT NULL CHECK (tier IN ('high', 'crisis')),
      state text NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved')),
      opened_at bigint NOT NULL,
      owner text,
      due_at bigint,
      number bigint NOT NULL,
      document text NOT NULL,
      -- The run of the ladder that is needed now; null = none.
      run text,
      -- The last one that began, and how far it came.
      last_run text,
      run_began_at bigint,
      rung bigint NOT NULL,
      firing bigint NOT NULL,
      next_at bigint,
      PRIMARY KEY (school_id, alert_key)
    );
    CREATE INDEX alerts_by_session ON alerts (school_id, session_id);
    CREATE INDEX alerts_running ON alerts (school_id) WHERE run IS NOT NULL;
    CREATE TABLE alert_numbers (school_id text PRIMARY KEY, last bigint NOT NULL);

    CREATE TABLE timers (
      school_id text NOT NULL,
      alert_key text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('rung', 'due')),
      session_id text NOT NULL,
      run text NOT NULL,
      rung bigint NOT NULL,
      -- The firing after which it was set.
      firing bigint NOT NULL,
      reason text,
      due_at bigint NOT NULL,
      created_at bigint NOT NULL,
      PRIMARY KEY (school_id, alert_key, kind)
    );
    CREATE INDEX timers_due ON timers (due_at);
    CREATE INDEX timers_created ON timers (created_at);

    -- One message to one person by one channel, about one alert or several.
    CREATE TABLE tellings (
      school_id text NOT NULL,
      telling_id text NOT NULL,
      kind text NOT NULL,
      person text NOT NULL,
      channel text NOT NULL,
      state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'dropped')),
      late_ms bigint NOT NULL,
      due_at bigint NOT NULL,
      created_at bigint NOT NULL,
      claimed_by text,
      claimed_until bigint NOT NULL,
      settled_at bigint,
      code text,
      reference text,
      PRIMARY KEY (school_id, telling_id)
    );
    CREATE INDEX tellings_waiting ON tellings (due_at) WHERE state = 'waiting';
    -- What was told last to a person by a channel, and what waits to be told together.
    CREATE TABLE tell_windows (
      school_id text NOT NULL,
      person text NOT NULL,
      channel text NOT NULL,
      told_at bigint NOT NULL,
      crisis_at bigint NOT NULL,
      telling_id text,
      PRIMARY KEY (school_id, person, channel)
    );

    -- One alert told to one person by one channel, once.
    CREATE TABLE deliveries (
      school_id text NOT NULL,
      delivery_id text NOT NULL,
      alert_key text NOT NULL,
      session_id text NOT NULL,
      run text NOT NULL,
      firing bigint NOT NULL,
      rung bigint NOT NULL,
      person text NOT NULL,
      channel text NOT NULL,
      -- In which message; null = a desktop.
      telling_id text,
      state text NOT NULL CHECK (state IN ('attempted', 'delivered', 'failed')),
      attempted_at bigint NOT NULL,
      -- A desktop that has not answered by then has failed.
      answer_by bigint,
      settled_at bigint,
      code text,
      PRIMARY KEY (school_id, delivery_id)
    );
    CREATE INDEX deliveries_by_alert ON deliveries (school_id, alert_key, firing);
    CREATE INDEX deliveries_by_telling ON deliveries (school_id, telling_id) WHERE telling_id IS NOT NULL;
    CREATE INDEX deliveries_by_person ON deliveries (school_id, person);
    CREATE INDEX deliveries_unanswered ON deliveries (answer_by) WHERE answer_by IS NOT NULL AND state = 'attempted';
    ${['alert_sessions', 'alert_steps', 'alerts', 'alert_numbers', 'timers', 'tellings', 'tell_windows', 'deliveries']
      .map(boundToItsSchool)
      .join('')}
  `,
}
