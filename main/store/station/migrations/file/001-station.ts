import type { Migration } from '../../../migrate.ts'

/**
 * What the station keeps: sessions with their metrics, messages with their decision, the markers of each
 * student, the events that wait to be published, and what it knows of schools, keys, consoles and people's records.
 * A school's rows are found by its id alone. The same tables stand in ../postgres.
 */
export const migration: Migration = {
  version: 1,
  up(db) {
    db.exec(`
      CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- A second salt would make another student of everybody: it is made once and never replaced.
      CREATE TABLE schools (
        school_id TEXT PRIMARY KEY,
        salt TEXT NOT NULL,
        content_key TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TRIGGER schools_no_update BEFORE UPDATE ON schools BEGIN SELECT RAISE(ABORT, 'a salt never changes'); END;

      CREATE TABLE api_keys (
        id TEXT PRIMARY KEY,
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        label TEXT NOT NULL,
        -- SHA-256 of the key, hex; the key itself is shown once and kept nowhere.
        digest TEXT NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER
      ) STRICT, WITHOUT ROWID;

      -- Times are UTC milliseconds.
      CREATE TABLE sessions (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        session_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'ended', 'escalated')),
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        last_message_at INTEGER,
        metadata TEXT NOT NULL,
        last_sequence INTEGER NOT NULL DEFAULT 0,
        message_count INTEGER NOT NULL DEFAULT 0,
        student_turns INTEGER NOT NULL DEFAULT 0,
        assistant_turns INTEGER NOT NULL DEFAULT 0,
        sentiment_sum REAL NOT NULL DEFAULT 0,
        highest_tier TEXT NOT NULL DEFAULT 'ok',
        notes TEXT NOT NULL DEFAULT '[]',
        resources TEXT NOT NULL DEFAULT '[]',
        summary TEXT,
        PRIMARY KEY (school_id, session_id)
      ) STRICT;
      -- A page is read in this order, whatever it is filtered by.
      CREATE INDEX sessions_by_time ON sessions (school_id, started_at DESC, session_id);
      CREATE INDEX sessions_by_status ON sessions (school_id, status, started_at DESC, session_id);
      CREATE INDEX sessions_by_student ON sessions (school_id, student_hash, started_at DESC, session_id);

      CREATE TABLE messages (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        -- Accepted: kept, numbered, and waiting for the answer of a service.
        state TEXT NOT NULL CHECK (state IN ('accepted', 'analyzed')),
        role TEXT NOT NULL CHECK (role IN ('student', 'assistant', 'system')),
        client_message_id TEXT,
        content_digest TEXT NOT NULL,
        said_at INTEGER NOT NULL,
        -- The envelope; null once a school that keeps no content needs it no more.
        content TEXT,
        content_key TEXT,
        -- Why the sender was told no, although the message was analysed and kept.
        refused TEXT CHECK (refused IN ('ended', 'reused', 'too large', 'too many')),
        tier TEXT NOT NULL,
        score REAL NOT NULL,
        sentiment REAL NOT NULL,
        -- The whole assessment as JSON: offsets and categories, never words. Null for system messages.
        assessment TEXT,
        -- The station that awaits the answer, and until when the others leave it alone.
        claimed_by TEXT,
        claimed_until INTEGER NOT NULL,
        PRIMARY KEY (school_id, session_id, message_id),
        UNIQUE (school_id, session_id, sequence),
        UNIQUE (school_id, session_id, client_message_id),
        FOREIGN KEY (school_id, session_id) REFERENCES sessions (school_id, session_id)
      ) STRICT;
      CREATE INDEX messages_accepted ON messages (claimed_until) WHERE state = 'accepted';

      CREATE TABLE markers (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        marker_type TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        confidence REAL NOT NULL,
        said_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, session_id, message_id, marker_type),
        FOREIGN KEY (school_id, session_id, message_id) REFERENCES messages (school_id, session_id, message_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX markers_by_student ON markers (school_id, student_hash, said_at, marker_type, confidence);

      -- Events; a row stands until the event is known to have arrived.
      CREATE TABLE outbox (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        -- '' = a record whose sender named no school.
        school_id TEXT NOT NULL,
        group_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_attempt_at INTEGER NOT NULL,
        sent_at INTEGER,
        last_error TEXT,
        claimed_by TEXT,
        claimed_until INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX outbox_waiting ON outbox ((event_type <> 'CRISIS_DETECTED'), position) WHERE sent_at IS NULL;
      CREATE INDEX outbox_group ON outbox (group_id, sent_at, position);

      -- What people did, each kept once, with its place in the order of its session.
      CREATE TABLE records (
        school_id TEXT NOT NULL,
        ack_id TEXT NOT NULL,
        session_id TEXT,
        position INTEGER,
        relayed_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, ack_id),
        UNIQUE (school_id, session_id, position)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE record_positions (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (school_id, session_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE heartbeats (
        school_id TEXT PRIMARY KEY,
        number INTEGER NOT NULL,
        last_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- The consoles that announced themselves, each with every pair of keys it ever named.
      CREATE TABLE consoles (
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        console_id TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        signing_key TEXT NOT NULL,
        sealing_key TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'revoked')),
        announced_at INTEGER NOT NULL,
        decided_at INTEGER,
        decided_by TEXT,
        -- The content key that was sealed to it last.
        sealed_key_id TEXT,
        PRIMARY KEY (school_id, console_id, fingerprint)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX consoles_approved ON consoles (school_id, console_id) WHERE state = 'approved';
      CREATE INDEX consoles_by_id ON consoles (console_id);
    `)
  },
}
