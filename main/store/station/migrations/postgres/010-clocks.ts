import type { PostgresMigration } from './migrate.ts'

/** The columns and the table of ../file/010-clocks.ts. */
export const migration: PostgresMigration = {
  version: 10,
  up: `
    ALTER TABLE alerts ADD COLUMN fired_at bigint, ADD COLUMN fired_rung bigint;
    CREATE TABLE clock_changes (
      id bigint PRIMARY KEY CHECK (id = 1),
      noticed_at bigint NOT NULL,
      set_back_by bigint NOT NULL
    );
    ALTER TABLE clock_changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY station_only ON clock_changes USING (current_setting('psyflo.station', true) = 'on');
  `,
}
