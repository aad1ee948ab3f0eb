import type { PostgresMigration } from './migrate.ts'

/** The table of ../file/002-consoles.ts. */
export const migration: PostgresMigration = {
  version: 2,
  up: `
    CREATE TABLE consoles (
      school_id text NOT NULL REFERENCES schools (school_id),
      console_id text NOT NULL,
      fingerprint text NOT NULL,
      signing_key text NOT NULL,
      sealing_key text NOT NULL,
      state text NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'revoked')),
      announced_at bigint NOT NULL,
      decided_at bigint,
      decided_by text,
      sealed_key_id text,
      PRIMARY KEY (school_id, console_id, fingerprint)
    );
    CREATE UNIQUE INDEX consoles_approved ON consoles (school_id, console_id) WHERE state = 'approved';
    CREATE INDEX consoles_by_id ON consoles (console_id);
    ALTER TABLE consoles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY own_school ON consoles USING (school_id = nullif(current_setting('psyflo.school', true), '')
      OR current_setting('psyflo.station', true) = 'on');
  `,
}
