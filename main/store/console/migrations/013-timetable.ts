import type { Migration } from '../../migrate.ts'

/** Several guardians of a student, and when which lesson is. Neither is made from events: both are imported. */
export const migration: Migration = {
  version: 13,
  up(db) {
    db.exec(`
      -- JSON, in the order in which to call them; '[]' where a roster was imported before: then guardian_contact says.
      ALTER TABLE roster ADD COLUMN guardians TEXT NOT NULL DEFAULT '[]';

      CREATE TABLE timetable (
        school_id TEXT NOT NULL,
        -- 'student' or 'class'.
        kind TEXT NOT NULL,
        -- The student's id as the roster has it; a class's name as it is compared.
        whose TEXT NOT NULL,
        weekday INTEGER NOT NULL,
        -- '' = by its times alone.
        period TEXT NOT NULL,
        -- '' = when its period is.
        from_time TEXT NOT NULL,
        to_time TEXT NOT NULL,
        subject TEXT NOT NULL,
        room TEXT NOT NULL,
        imported_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX timetable_of ON timetable (school_id, kind, whose, weekday);
    `)
  },
}
