import type { Migration } from '../../migrate.ts'

/**
 * The station has a database of its own: its sessions, messages and markers leave this one (they were
 * the demonstration's alone, made anew at each start). What is left in the outbox are acknowledgements,
 * so a message no longer says where it goes.
 */
export const migration: Migration = {
  version: 5,
  up(db) {
    db.exec(`
      DROP TABLE intake_markers;
      DROP TABLE intake_messages;
      DROP TABLE intake_sessions;

      DELETE FROM outbox WHERE target = 'events';
      DROP INDEX outbox_waiting;
      DROP INDEX outbox_group;
      ALTER TABLE outbox RENAME TO outbox_with_target;
      CREATE TABLE outbox (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        group_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_attempt_at INTEGER NOT NULL,
        sent_at INTEGER,
        last_error TEXT
      ) STRICT;
      INSERT INTO outbox (position, id, group_id, event_type, body, created_at, attempts, next_attempt_at, sent_at, last_error)
        SELECT position, id, group_id, event_type, body, created_at, attempts, next_attempt_at, sent_at, last_error
        FROM outbox_with_target;
      DROP TABLE outbox_with_target;
      CREATE INDEX outbox_waiting ON outbox (position) WHERE sent_at IS NULL;
      CREATE INDEX outbox_group ON outbox (group_id, position) WHERE sent_at IS NULL;
    `)
  },
}
