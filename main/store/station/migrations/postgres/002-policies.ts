import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** The tables of ../file/002-policies.ts. */
export const migration: PostgresMigration = {
  version: 2,
  up: `
    -- A school's directory and calendar, every version of it; what a version said never changes.
    CREATE TABLE policies (
      school_id text NOT NULL REFERENCES schools (school_id),
      version bigint NOT NULL CHECK (version > 0),
      event_id text NOT NULL,
      -- The envelope, as it travels.
      document text NOT NULL,
      changed_at bigint NOT NULL,
      changed_by text NOT NULL,
      PRIMARY KEY (school_id, version)
    );
    CREATE FUNCTION refuse_another_policy() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'a version of a policy never changes'; END $$;
    CREATE TRIGGER policies_no_update BEFORE UPDATE ON policies FOR EACH ROW EXECUTE FUNCTION refuse_another_policy();

    -- Who looks after a student; null = nobody any more.
    CREATE TABLE assignments (
      school_id text NOT NULL REFERENCES schools (school_id),
      student_hash text NOT NULL,
      person_id text,
      assigned_at bigint NOT NULL,
      assigned_by text NOT NULL,
      PRIMARY KEY (school_id, student_hash)
    );
    ${['policies', 'assignments'].map(boundToItsSchool).join('')}
  `,
}
