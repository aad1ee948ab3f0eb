import type { Migration } from '../../migrate.ts'

/**
 * The newest directory and calendar of each school, sealed as they came; and which counselor of a student the school's
 * station was told of. No log holds a policy yet, so nothing is made anew; of a roster that was imported before, the
 * station is told at the next start.
 */
export const migration: Migration = {
  version: 10,
  up(db) {
    db.exec(`
      CREATE TABLE policies (
        school_id TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        changed_by TEXT NOT NULL,
        -- Envelope around the JSON of the policy, as it was sealed last: a station may tell a version again, with a
        -- newer key.
        sealed TEXT NOT NULL,
        sealed_at INTEGER NOT NULL,
        -- Of the event that brought it.
        identity TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- What the station was told of a student; 0 = nothing since the last import.
      ALTER TABLE roster ADD COLUMN assignment_sent INTEGER NOT NULL DEFAULT 0;
      -- Whom it was told; null = nobody.
      ALTER TABLE roster ADD COLUMN assigned_to TEXT;
      CREATE INDEX roster_unassigned ON roster (school_id, student_hash)
        WHERE assignment_sent = 0 OR assigned_to IS NOT counselor_id;
    `)
  },
}
