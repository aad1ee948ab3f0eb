import type { Migration } from '../../migrate.ts'

/** Who was told of an alert is asked by its session, when a record of the incident is made. */
export const migration: Migration = {
  version: 14,
  up(db) {
    db.exec(`
      CREATE INDEX events_notified ON events (session_id, at)
        WHERE event_type IN ('ALERT_NOTIFIED', 'ALERT_ESCALATED') AND session_id IS NOT NULL;
    `)
  },
}
