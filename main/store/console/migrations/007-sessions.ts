import type { Migration } from '../../migrate.ts'

/** Lists of sessions are read off an index, newest first, however many sessions there are. */
export const migration: Migration = {
  version: 7,
  up(db) {
    db.exec(`
      DROP INDEX sessions_by_student;
      DROP INDEX sessions_by_time;
      CREATE INDEX sessions_by_student ON sessions (school_id, student_hash, last_message_at DESC, id);
      CREATE INDEX sessions_by_time ON sessions (last_message_at DESC, id, school_id, tier_rank);
    `)
  },
}
