import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** The table of ../file/005-session-counts.ts. */
export const migration: PostgresMigration = {
  version: 5,
  up: `
    CREATE TABLE session_counts (
      school_id text NOT NULL REFERENCES schools (school_id),
      status text NOT NULL CHECK (status IN ('active', 'ended', 'escalated')),
      count bigint NOT NULL,
      PRIMARY KEY (school_id, status)
    );
    -- The step is the station's own work: it counts the sessions of every school.
    SELECT set_config('psyflo.station', 'on', true);
    INSERT INTO session_counts SELECT school_id, status, count(*) FROM sessions GROUP BY school_id, status;
    ${boundToItsSchool('session_counts')}
  `,
}
