import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** The table of ../file/004-salt-reads.ts. */
export const migration: PostgresMigration = {
  version: 4,
  up: `
    CREATE TABLE salt_reads (
      position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      school_id text NOT NULL REFERENCES schools (school_id),
      read_at bigint NOT NULL,
      -- Person id; null = the operator.
      read_by text
    );
    CREATE FUNCTION refuse_another_salt_read() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'who read a salt stays written'; END $$;
    CREATE TRIGGER salt_reads_no_change BEFORE UPDATE OR DELETE ON salt_reads
      FOR EACH ROW EXECUTE FUNCTION refuse_another_salt_read();
    ${boundToItsSchool('salt_reads')}
  `,
}
