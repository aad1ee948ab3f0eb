import type { Migration } from '../../migrate.ts'

/**
 * Indices for what is asked at every change: the unresolved alerts in the order of the inbox, whose they
 * are, and how many each student has. `state` stands in them because an index serves a query alone only
 * when it holds every column the query names, those of its own condition included.
 */
export const migration: Migration = {
  version: 3,
  up(db) {
    db.exec(`
      CREATE INDEX alerts_unresolved ON alerts (school_id, tier_rank DESC, state_rank, last_trigger_at DESC, key, state)
        WHERE state <> 'resolved';
      CREATE INDEX alerts_handed_to ON alerts (hand_off_to) WHERE hand_off_to IS NOT NULL;
      CREATE INDEX alerts_open_by_student ON alerts (student_hash, state) WHERE state <> 'resolved';
      CREATE INDEX events_proofs ON events (received_at, event_type) WHERE event_type IN ('HEARTBEAT', 'DRILL');
      CREATE INDEX quarantine_crises ON quarantine (id) WHERE ended_at IS NULL AND names_crisis = 1;
    `)
  },
}
