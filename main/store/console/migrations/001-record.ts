import type { Migration } from '../../migrate.ts'

/** The record: event log, quarantine, the projections made from it, outbox, audit, roster, people. */
export const migration: Migration = {
  version: 1,
  up(db) {
    db.exec(`
      -- Append-only. Times are UTC milliseconds. body is JSON with evidence in envelopes.
      CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        identity TEXT NOT NULL UNIQUE,
        origin TEXT NOT NULL CHECK (origin IN ('queue', 'console')),
        event_type TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        session_id TEXT,
        at INTEGER NOT NULL,
        received_at INTEGER NOT NULL,
        body TEXT
      ) STRICT;
      CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
      -- Retention may erase a body; nothing else of a row ever changes.
      CREATE TRIGGER events_no_update BEFORE UPDATE ON events WHEN NEW.body IS NOT NULL
        OR (NEW.seq, NEW.identity, NEW.origin, NEW.event_type, NEW.idempotency_key, NEW.session_id, NEW.at, NEW.received_at)
        IS NOT (OLD.seq, OLD.identity, OLD.origin, OLD.event_type, OLD.idempotency_key, OLD.session_id, OLD.at, OLD.received_at)
      BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;

      CREATE TABLE quarantine (
        id INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        received_at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        detail TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        receive_count INTEGER NOT NULL,
        names_crisis INTEGER NOT NULL,
        raw TEXT NOT NULL,
        ended_at INTEGER,
        ended_by TEXT,
        ended_how TEXT CHECK (ended_how IN ('dismissed', 'accepted'))
      ) STRICT;
      CREATE INDEX quarantine_waiting ON quarantine (received_at) WHERE ended_at IS NULL;

      -- Projections: made from the event log alone, by rebuild to the byte.
      CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        student_hash TEXT NOT NULL,
        school_id TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        last_message_at INTEGER,
        escalated INTEGER NOT NULL DEFAULT 0,
        message_count INTEGER NOT NULL DEFAULT 0,
        student_turns INTEGER NOT NULL DEFAULT 0,
        sentiment_sum REAL NOT NULL DEFAULT 0,
        tier_rank INTEGER NOT NULL DEFAULT 0,
        metadata TEXT NOT NULL DEFAULT '{}',
        summary TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_student ON sessions (student_hash, started_at);
      CREATE INDEX sessions_by_time ON sessions (last_message_at);

      CREATE TABLE messages (
        message_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        event_seq INTEGER NOT NULL REFERENCES events (seq)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX messages_by_session ON messages (session_id, sequence);

      -- One point per student message, or per crisis event whose message never came.
      CREATE TABLE risk_points (
        id TEXT PRIMARY KEY,
        student_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        score REAL NOT NULL,
        tier_rank INTEGER NOT NULL,
        session_id TEXT NOT NULL,
        message_id TEXT,
        event_seq INTEGER NOT NULL REFERENCES events (seq)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX risk_points_by_student ON risk_points (student_hash, at, score, tier_rank, id);

      CREATE TABLE markers (
        id TEXT PRIMARY KEY,
        message_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        student_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        marker_type TEXT NOT NULL,
        confidence REAL NOT NULL,
        start_offset INTEGER NOT NULL,
        end_offset INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX markers_by_student ON markers (student_hash, at, marker_type, confidence);
      CREATE INDEX markers_by_session ON markers (session_id, sequence);

      CREATE TABLE students (
        student_hash TEXT PRIMARY KEY,
        school_id TEXT NOT NULL,
        last_message_at INTEGER
      ) STRICT, WITHOUT ROWID;

      -- One row per student and UTC day with messages (day = milliseconds of its midnight).
      CREATE TABLE student_days (
        student_hash TEXT NOT NULL,
        day INTEGER NOT NULL,
        messages INTEGER NOT NULL,
        tier_rank INTEGER NOT NULL,
        score REAL NOT NULL,
        PRIMARY KEY (student_hash, day)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX student_days_by_day ON student_days (day, student_hash, tier_rank, score);

      CREATE TABLE clinical_scores (
        id TEXT PRIMARY KEY,
        student_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        phq9_score INTEGER,
        gad7_score INTEGER,
        items TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX clinical_scores_by_student ON clinical_scores (student_hash, at);

      CREATE TABLE triggers (
        id TEXT PRIMARY KEY,
        idempotency_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        school_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        received_at INTEGER NOT NULL,
        tier TEXT NOT NULL,
        score REAL NOT NULL,
        categories TEXT NOT NULL,
        about_other INTEGER NOT NULL,
        message_id TEXT,
        occurred_at INTEGER,
        event_seq INTEGER NOT NULL REFERENCES events (seq)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX triggers_by_session ON triggers (session_id);

      CREATE TABLE actions (
        id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        action TEXT NOT NULL,
        -- 1 once the action came back from the queue, as a station's confirmation.
        confirmed_at INTEGER,
        -- 1 when another console did it.
        elsewhere INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX actions_by_session ON actions (session_id);

      -- A cache of the reduction of triggers and actions.
      CREATE TABLE alerts (
        key TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        school_id TEXT NOT NULL,
        tier TEXT NOT NULL,
        tier_rank INTEGER NOT NULL,
        state TEXT NOT NULL,
        state_rank INTEGER NOT NULL,
        score REAL NOT NULL,
        categories TEXT NOT NULL,
        about_other INTEGER NOT NULL,
        opened_at INTEGER NOT NULL,
        received_at INTEGER NOT NULL,
        occurred_at INTEGER,
        last_trigger_at INTEGER NOT NULL,
        first_seen_at INTEGER,
        again_count INTEGER NOT NULL,
        acknowledged_at INTEGER,
        owner_id TEXT,
        owner_name TEXT,
        due_at INTEGER,
        hand_off_to TEXT,
        hand_off_to_name TEXT,
        reopened_at INTEGER,
        reopened_reason TEXT,
        resolved_at INTEGER,
        disposition TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX alerts_inbox ON alerts (school_id, (state = 'resolved'), tier_rank DESC, state_rank, last_trigger_at DESC, key);
      CREATE INDEX alerts_by_session ON alerts (session_id, opened_at);
      CREATE INDEX alerts_by_student ON alerts (student_hash, opened_at);
      CREATE INDEX alerts_by_time ON alerts (school_id, opened_at, tier);
      CREATE INDEX alerts_by_owner ON alerts (owner_id, state);
      CREATE INDEX alerts_due ON alerts (due_at) WHERE state = 'acknowledged' AND due_at IS NOT NULL;

      CREATE TABLE alert_keys (
        alias TEXT PRIMARY KEY,
        key TEXT NOT NULL,
        session_id TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX alert_keys_by_session ON alert_keys (session_id);

      -- Not projections.
      CREATE TABLE outbox (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        target TEXT NOT NULL CHECK (target IN ('events', 'acks')),
        group_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_attempt_at INTEGER NOT NULL,
        sent_at INTEGER,
        last_error TEXT
      ) STRICT;
      CREATE INDEX outbox_waiting ON outbox (target, position) WHERE sent_at IS NULL;
      CREATE INDEX outbox_group ON outbox (target, group_id, position);

      CREATE TABLE roster (
        student_hash TEXT PRIMARY KEY,
        school_id TEXT NOT NULL,
        student_id TEXT NOT NULL,
        name TEXT NOT NULL,
        grade TEXT NOT NULL,
        class TEXT NOT NULL,
        counselor TEXT NOT NULL,
        guardian_contact TEXT NOT NULL,
        imported_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX roster_by_name ON roster (school_id, name);

      CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        school_id TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE audit (
        seq INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        who TEXT NOT NULL,
        role TEXT NOT NULL,
        what TEXT NOT NULL,
        subject TEXT NOT NULL,
        why TEXT NOT NULL,
        console_id TEXT NOT NULL,
        previous TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE
      ) STRICT;
      CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
      CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
      CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE seq = NEW.seq OR hash = NEW.hash)
      BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
    `)
  },
}
