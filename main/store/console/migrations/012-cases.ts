import type { Migration } from '../../migrate.ts'

/**
 * What a case is made of: the commitments about an alert, what is kept about a student, and the order of the inbox,
 * in which who waits longest comes first (`turn`, shared/inbox-order.ts).
 */
export const migration: Migration = {
  version: 12,
  up(db) {
    db.exec(`
      ALTER TABLE alerts ADD COLUMN commitments TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE alerts ADD COLUMN hand_off_urgent INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE alerts ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
      DROP INDEX alerts_inbox;
      CREATE INDEX alerts_inbox ON alerts (school_id, state_rank, tier_rank DESC, turn, key);
      DROP INDEX alerts_unresolved;
      CREATE INDEX alerts_unresolved ON alerts (school_id, state_rank, tier_rank DESC, turn, key, state)
        WHERE state <> 'resolved';
      CREATE TABLE commitments (
        alert_key TEXT NOT NULL,
        id TEXT NOT NULL,
        school_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        what TEXT NOT NULL,
        due_at INTEGER,
        owner_id TEXT NOT NULL,
        owner_name TEXT NOT NULL,
        PRIMARY KEY (alert_key, id)
      ) STRICT;
      CREATE INDEX commitments_due ON commitments (school_id, owner_id, due_at);
      CREATE TABLE student_records (
        school_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        id TEXT NOT NULL,
        record_type TEXT NOT NULL,
        /** Of what it is one saving: the follow-up, or '' where a student has one such thing. */
        subject TEXT NOT NULL,
        at INTEGER NOT NULL,
        position INTEGER,
        confirmed_at INTEGER,
        body TEXT NOT NULL,
        PRIMARY KEY (school_id, student_hash, id)
      ) STRICT;
      CREATE INDEX student_records_by_type ON student_records (school_id, record_type, subject);
      CREATE INDEX follow_ups_by_owner ON student_records (json_extract(body, '$.owner'), subject)
        WHERE record_type = 'FOLLOW_UP_SET';
    `)
  },
}
