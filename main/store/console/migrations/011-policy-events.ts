import type { Migration } from '../../migrate.ts'

/**
 * Directories are read from the events that brought them, the newest that opens: one row for a school held the one of
 * the highest version alone, whether a key opened it or not, and although a station that was restored counts on from
 * a lower one.
 */
export const migration: Migration = {
  version: 11,
  up(db) {
    db.exec(`
      DROP TABLE policies;
      CREATE INDEX events_policy ON events (school_id, at, json_extract(body, '$.version'), identity)
        WHERE event_type = 'POLICY_CHANGED';
    `)
  },
}
