import { boundToItsSchool } from './bound-to-its-school.ts'
import type { PostgresMigration } from './migrate.ts'

/** Every table with rows of schools. */
const ofSchools = [
  'schools',
  'api_keys',
  'sessions',
  'messages',
  'markers',
  'outbox',
  'records',
  'record_positions',
  'heartbeats',
  'consoles',
]

/**
 * The tables of ../file/001-station.ts. A transaction sees and writes the rows of the school that it names in
 * `psyflo.school`, all rows where it says that it is the station's own work (`psyflo.station`), and otherwise
 * none: also the owner of the tables, who is the station.
 */
export const migration: PostgresMigration = {
  version: 1,
  up: `
    CREATE TABLE settings (
      name text PRIMARY KEY,
      value text NOT NULL
    );

    -- A second salt would make another student of everybody: it is made once and never replaced.
    CREATE TABLE schools (
      school_id text PRIMARY KEY,
      salt text NOT NULL,
      content_key text NOT NULL
    );
    CREATE FUNCTION refuse_another_salt() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'a salt never changes'; END $$;
    CREATE TRIGGER schools_no_update BEFORE UPDATE ON schools FOR EACH ROW EXECUTE FUNCTION refuse_another_salt();

    CREATE TABLE api_keys (
      id text PRIMARY KEY,
      school_id text NOT NULL REFERENCES schools (school_id),
      label text NOT NULL,
      -- SHA-256 of the key, hex; the key itself is shown once and kept nowhere.
      digest text NOT NULL UNIQUE,
      scopes text NOT NULL,
      created_at bigint NOT NULL,
      revoked_at bigint
    );

    -- Times are UTC milliseconds.
    CREATE TABLE sessions (
      school_id text NOT NULL REFERENCES schools (school_id),
      session_id text NOT NULL,
      student_hash text NOT NULL,
      status text NOT NULL CHECK (status IN ('active', 'ended', 'escalated')),
      started_at bigint NOT NULL,
      ended_at bigint,
      last_message_at bigint,
      metadata text NOT NULL,
      last_sequence bigint NOT NULL DEFAULT 0,
      message_count bigint NOT NULL DEFAULT 0,
      student_turns bigint NOT NULL DEFAULT 0,
      assistant_turns bigint NOT NULL DEFAULT 0,
      sentiment_sum double precision NOT NULL DEFAULT 0,
      highest_tier text NOT NULL DEFAULT 'ok',
      notes text NOT NULL DEFAULT '[]',
      resources text NOT NULL DEFAULT '[]',
      summary text,
      PRIMARY KEY (school_id, session_id)
    );
    -- A page is read in this order, whatever it is filtered by.
    CREATE INDEX sessions_by_time ON sessions (school_id, started_at DESC, session_id);
    CREATE INDEX sessions_by_status ON sessions (school_id, status, started_at DESC, session_id);
    CREATE INDEX sessions_by_student ON sessions (school_id, student_hash, started_at DESC, session_id);

    CREATE TABLE messages (
      school_id text NOT NULL,
      session_id text NOT NULL,
      message_id text NOT NULL,
      sequence bigint NOT NULL,
      -- Accepted: kept, numbered, and waiting for the answer of a service.
      state text NOT NULL CHECK (state IN ('accepted', 'analyzed')),
      role text NOT NULL CHECK (role IN ('student', 'assistant', 'system')),
      client_message_id text,
      content_digest text NOT NULL,
      said_at bigint NOT NULL,
      -- The envelope; null once a school that keeps no content needs it no more.
      content text,
      content_key text,
      -- Why the sender was told no, although the message was analysed and kept.
      refused text CHECK (refused IN ('ended', 'reused', 'too large', 'too many')),
      tier text NOT NULL,
      score double precision NOT NULL,
      sentiment double precision NOT NULL,
      -- The whole assessment as JSON: offsets and categories, never words. Null for system messages.
      assessment text,
      -- The station that awaits the answer, and until when the others leave it alone.
      claimed_by text,
      claimed_until bigint NOT NULL,
      PRIMARY KEY (school_id, session_id, message_id),
      UNIQUE (school_id, session_id, sequence),
      UNIQUE (school_id, session_id, client_message_id),
      FOREIGN KEY (school_id, session_id) REFERENCES sessions (school_id, session_id)
    );
    CREATE INDEX messages_accepted ON messages (claimed_until) WHERE state = 'accepted';

    CREATE TABLE markers (
      school_id text NOT NULL,
      session_id text NOT NULL,
      message_id text NOT NULL,
      marker_type text NOT NULL,
      student_hash text NOT NULL,
      confidence double precision NOT NULL,
      said_at bigint NOT NULL,
      PRIMARY KEY (school_id, session_id, message_id, marker_type),
      FOREIGN KEY (school_id, session_id, message_id) REFERENCES messages (school_id, session_id, message_id)
    );
    CREATE INDEX markers_by_student ON markers (school_id, student_hash, said_at, marker_type, confidence);

    -- Events; a row stands until the event is known to have arrived.
    CREATE TABLE outbox (
      position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      -- '' = a record whose sender named no school.
      school_id text NOT NULL,
      group_id text NOT NULL,
      event_type text NOT NULL,
      body text NOT NULL,
      created_at bigint NOT NULL,
      attempts bigint NOT NULL DEFAULT 0,
      next_attempt_at bigint NOT NULL,
      sent_at bigint,
      last_error text,
      claimed_by text,
      claimed_until bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX outbox_waiting ON outbox ((event_type <> 'CRISIS_DETECTED'), position) WHERE sent_at IS NULL;
    CREATE INDEX outbox_group ON outbox (group_id, sent_at, position);

    -- What people did, each kept once, with its place in the order of its session.
    CREATE TABLE records (
      school_id text NOT NULL,
      ack_id text NOT NULL,
      session_id text,
      position bigint,
      relayed_at bigint NOT NULL,
      PRIMARY KEY (school_id, ack_id),
      UNIQUE (school_id, session_id, position)
    );
    CREATE TABLE record_positions (
      school_id text NOT NULL,
      session_id text NOT NULL,
      last bigint NOT NULL,
      PRIMARY KEY (school_id, session_id)
    );

    CREATE TABLE heartbeats (
      school_id text PRIMARY KEY,
      number bigint NOT NULL,
      last_at bigint NOT NULL
    );

    -- The consoles that announced themselves, each with every pair of keys it ever named.
    CREATE TABLE consoles (
      school_id text NOT NULL REFERENCES schools (school_id),
      console_id text NOT NULL,
      fingerprint text NOT NULL,
      signing_key text NOT NULL,
      sealing_key text NOT NULL,
      state text NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'revoked')),
      announced_at bigint NOT NULL,
      decided_at bigint,
      decided_by text,
      -- The content key that was sealed to it last.
      sealed_key_id text,
      PRIMARY KEY (school_id, console_id, fingerprint)
    );
    CREATE UNIQUE INDEX consoles_approved ON consoles (school_id, console_id) WHERE state = 'approved';
    CREATE INDEX consoles_by_id ON consoles (console_id);

    ${ofSchools.map(boundToItsSchool).join('')}
    -- The key store is one of the settings: no school’s request has any business there.
    ALTER TABLE settings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY station_only ON settings USING (current_setting('psyflo.station', true) = 'on');
  `,
}
