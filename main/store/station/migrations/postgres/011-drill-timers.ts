import type { PostgresMigration } from './migrate.ts'

/** What ../file/011-drill-timers.ts does. */
export const migration: PostgresMigration = {
  version: 11,
  up: `
    ALTER TABLE drills ADD COLUMN fired_at bigint;
    DROP TABLE drill_alarms;
    ALTER TABLE timers DROP CONSTRAINT timers_kind_check,
      ADD CONSTRAINT timers_kind_check CHECK (kind IN ('rung', 'due', 'drill'));
  `,
}
