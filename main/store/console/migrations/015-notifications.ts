import type { Migration } from '../../migrate.ts'

/**
 * What the ladder did about alerts: each rung, and each person told by each way. And what became of what was done
 * here, where its author did not hear of it at once.
 */
export const migration: Migration = {
  version: 15,
  up(db) {
    db.exec(`
      DROP INDEX events_notified;
      -- A projection. Whose alert it is, is told by its keys: they merge, and split.
      CREATE TABLE notifications (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        -- Of the delivery; of the event where it names none.
        id TEXT NOT NULL,
        -- 1 = a rung of the ladder, 0 = a person told by one way.
        escalated INTEGER NOT NULL,
        student_hash TEXT NOT NULL,
        alert_key TEXT NOT NULL,
        -- JSON: idempotency keys of the triggers it tells of.
        covers TEXT NOT NULL,
        layer INTEGER NOT NULL,
        rung INTEGER,
        channel TEXT NOT NULL,
        person TEXT,
        at INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        -- attempted < failed < delivered: what is known best counts.
        outcome_rank INTEGER NOT NULL,
        outcome_at INTEGER NOT NULL,
        reason TEXT,
        due_at INTEGER,
        late INTEGER NOT NULL,
        -- When it was said when the next rung is due, and that: null = there is none.
        next_said_at INTEGER,
        next_at INTEGER,
        PRIMARY KEY (school_id, session_id, id, escalated)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX notifications_next ON notifications (school_id, session_id, next_said_at)
        WHERE next_said_at IS NOT NULL;
      CREATE INDEX notifications_at_consoles ON notifications (at)
        WHERE channel = 'desktop' AND escalated = 0 AND outcome = 'attempted';

      -- No projection: each is shown to its author until they have read it.
      CREATE TABLE action_reports (
        action_id TEXT PRIMARY KEY,
        person_id TEXT NOT NULL,
        alert_key TEXT NOT NULL,
        -- 'arrived' = it counts; 'changed nothing'; 'refused'.
        became TEXT NOT NULL,
        -- It waited here before it could be sent.
        waited INTEGER NOT NULL,
        at INTEGER NOT NULL,
        read_at INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX action_reports_unread ON action_reports (person_id, at) WHERE read_at IS NULL;
    `)
  },
}
