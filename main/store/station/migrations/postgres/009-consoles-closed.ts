import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** The table of ../file/009-consoles-closed.ts. */
export const migration: PostgresMigration = {
  version: 9,
  up: `
    CREATE TABLE consoles_closed (
      school_id text NOT NULL REFERENCES schools (school_id),
      console_id text NOT NULL,
      number bigint NOT NULL,
      closed_at bigint NOT NULL,
      PRIMARY KEY (school_id, console_id)
    );
    ${boundToItsSchool('consoles_closed')}
  `,
}
