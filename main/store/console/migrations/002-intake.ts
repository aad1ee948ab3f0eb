import type { Migration } from '../../migrate.ts'

/**
 * What the intake keeps: sessions with their metrics, messages with their decision, and the markers
 * of each student. These are the sender's side; the console's projections have tables of their own.
 */
export const migration: Migration = {
  version: 2,
  up(db) {
    db.exec(`
      CREATE TABLE intake_sessions (
        session_id TEXT PRIMARY KEY,
        student_hash TEXT NOT NULL,
        school_id TEXT,
        status TEXT NOT NULL CHECK (status IN ('active', 'ended', 'escalated')),
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        last_message_at INTEGER,
        metadata TEXT NOT NULL,
        message_count INTEGER NOT NULL DEFAULT 0,
        student_turns INTEGER NOT NULL DEFAULT 0,
        assistant_turns INTEGER NOT NULL DEFAULT 0,
        sentiment_sum REAL NOT NULL DEFAULT 0,
        highest_tier TEXT NOT NULL DEFAULT 'ok',
        notes TEXT NOT NULL DEFAULT '[]',
        resources TEXT NOT NULL DEFAULT '[]',
        summary TEXT
      ) STRICT;
      CREATE INDEX intake_sessions_by_school ON intake_sessions (school_id, status, started_at);
      CREATE INDEX intake_sessions_by_student ON intake_sessions (student_hash, started_at);

      CREATE TABLE intake_messages (
        message_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES intake_sessions (session_id),
        sequence INTEGER NOT NULL,
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
        -- The whole decision as JSON: offsets and categories, never words. Null for system messages.
        assessment TEXT,
        UNIQUE (session_id, sequence),
        UNIQUE (session_id, client_message_id)
      ) STRICT;

      CREATE TABLE intake_markers (
        message_id TEXT NOT NULL REFERENCES intake_messages (message_id),
        student_hash TEXT NOT NULL,
        marker_type TEXT NOT NULL,
        confidence REAL NOT NULL,
        said_at INTEGER NOT NULL,
        PRIMARY KEY (message_id, marker_type)
      ) STRICT;
      CREATE INDEX intake_markers_by_student ON intake_markers (student_hash, said_at);
    `)
  },
}
