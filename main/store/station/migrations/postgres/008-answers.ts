import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** The tables of ../file/008-answers.ts. */
export const migration: PostgresMigration = {
  version: 8,
  up: `
    -- What the provider calls a text is kept as a digest alone, for as long as it could come again.
    CREATE TABLE texts_received (
      school_id text NOT NULL,
      digest text NOT NULL,
      received_at bigint NOT NULL,
      PRIMARY KEY (school_id, digest)
    );

    CREATE TABLE test_alerts (
      school_id text NOT NULL,
      test_id text NOT NULL,
      channel text NOT NULL,
      person text NOT NULL,
      sent_at bigint NOT NULL,
      settled_at bigint,
      outcome text CHECK (outcome IN ('delivered', 'failed')),
      code text,
      PRIMARY KEY (school_id, test_id, channel)
    );
    CREATE INDEX test_alerts_by_person ON test_alerts (school_id, person, sent_at);
    ${boundToItsSchool('texts_received')}
    ${boundToItsSchool('test_alerts')}
  `,
}
