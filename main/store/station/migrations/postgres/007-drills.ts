import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** The column and tables of ../file/007-drills.ts. */
export const migration: PostgresMigration = {
  version: 7,
  up: `
    ALTER TABLE sessions ADD COLUMN drill bigint NOT NULL DEFAULT 0;
    CREATE INDEX sessions_of_drills ON sessions (school_id) WHERE drill = 1;

    CREATE TABLE drills (
      school_id text NOT NULL REFERENCES schools (school_id),
      number bigint NOT NULL,
      station_id text NOT NULL,
      session_id text NOT NULL,
      began_at bigint NOT NULL,
      outcome text,
      would_tell bigint,
      PRIMARY KEY (school_id, number)
    );
    CREATE TABLE drills_seen (
      school_id text NOT NULL REFERENCES schools (school_id),
      number bigint NOT NULL,
      console_id text NOT NULL,
      cached_at bigint NOT NULL,
      painted_at bigint,
      seen_by text,
      received_at bigint NOT NULL,
      PRIMARY KEY (school_id, number, console_id)
    );
    CREATE TABLE drill_alarms (
      school_id text PRIMARY KEY REFERENCES schools (school_id),
      since bigint NOT NULL,
      told_at bigint NOT NULL
    );
    ${['drills', 'drills_seen', 'drill_alarms'].map(boundToItsSchool).join('')}
  `,
}
