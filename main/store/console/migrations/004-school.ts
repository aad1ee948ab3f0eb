import type { Migration } from '../../migrate.ts'
import type { Database } from '../../open.ts'

/** A school's id in its one form, as `normalSchoolId` makes it: older versions kept it as it was written. */
const oneForm = (id: string) => `lower(trim(${id}, ' {}'))`

/**
 * Identity is (school, session, message) and (school, student hash). The log says of each event its school
 * and its student; the projections are made anew from it (event-log.ts), because what two schools or two
 * sessions numbered alike was dropped by the keys of before. Roster rows name their counselor by id.
 */
export const migration: Migration = {
  version: 4,
  up(db) {
    askForGuessedSchool(db)
    db.exec(`
      DROP TRIGGER events_no_update;
      -- '' = the school is not known.
      ALTER TABLE events ADD COLUMN school_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE events ADD COLUMN student_hash TEXT;
      UPDATE events SET school_id = ${oneForm(`coalesce(body ->> '$.school_id', '')`)}, student_hash = body ->> '$.student_hash'
        WHERE body IS NOT NULL;
      CREATE TRIGGER events_no_update BEFORE UPDATE ON events WHEN NEW.body IS NOT NULL
        OR (NEW.seq, NEW.identity, NEW.origin, NEW.event_type, NEW.idempotency_key, NEW.session_id, NEW.at, NEW.received_at,
            NEW.school_id, NEW.student_hash)
        IS NOT (OLD.seq, OLD.identity, OLD.origin, OLD.event_type, OLD.idempotency_key, OLD.session_id, OLD.at, OLD.received_at,
            OLD.school_id, OLD.student_hash)
      BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
      CREATE INDEX events_unknown ON events (student_hash) WHERE school_id = '' AND student_hash IS NOT NULL;
      CREATE INDEX events_unknown_by_session ON events (session_id) WHERE school_id = '' AND session_id IS NOT NULL;
      CREATE INDEX events_resolved ON events (student_hash, seq) WHERE event_type = 'SCHOOL_RESOLVED';

      DROP TABLE sessions;
      CREATE TABLE sessions (
        school_id TEXT NOT NULL,
        id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        last_message_at INTEGER,
        escalated INTEGER NOT NULL DEFAULT 0,
        message_count INTEGER NOT NULL DEFAULT 0,
        student_turns INTEGER NOT NULL DEFAULT 0,
        sentiment_sum REAL NOT NULL DEFAULT 0,
        tier_rank INTEGER NOT NULL DEFAULT 0,
        metadata TEXT NOT NULL DEFAULT '{}',
        summary TEXT,
        PRIMARY KEY (school_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_id ON sessions (id);
      CREATE INDEX sessions_by_student ON sessions (student_hash, started_at);
      CREATE INDEX sessions_by_time ON sessions (last_message_at);

      DROP TABLE messages;
      CREATE TABLE messages (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        event_seq INTEGER NOT NULL REFERENCES events (seq),
        PRIMARY KEY (school_id, session_id, message_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX messages_by_session ON messages (school_id, session_id, sequence);

      -- One point per student message, or per crisis event whose message never came. id: the message, else the event.
      DROP TABLE risk_points;
      CREATE TABLE risk_points (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        score REAL NOT NULL,
        tier_rank INTEGER NOT NULL,
        message_id TEXT,
        event_seq INTEGER NOT NULL REFERENCES events (seq),
        PRIMARY KEY (school_id, session_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX risk_points_by_student ON risk_points (school_id, student_hash, at, score, tier_rank, session_id, id);

      -- id: digest of (school, session, message, type, start).
      DROP TABLE markers;
      CREATE TABLE markers (
        id TEXT PRIMARY KEY,
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        student_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        marker_type TEXT NOT NULL,
        confidence REAL NOT NULL,
        start_offset INTEGER NOT NULL,
        end_offset INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX markers_by_student ON markers (school_id, student_hash, at, marker_type, confidence);
      CREATE INDEX markers_by_session ON markers (school_id, session_id, sequence);

      DROP TABLE students;
      CREATE TABLE students (
        school_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        last_message_at INTEGER,
        PRIMARY KEY (school_id, student_hash)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX students_by_hash ON students (student_hash);

      -- One row per student and UTC day with messages (day = milliseconds of its midnight).
      DROP TABLE student_days;
      CREATE TABLE student_days (
        school_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        day INTEGER NOT NULL,
        messages INTEGER NOT NULL,
        tier_rank INTEGER NOT NULL,
        score REAL NOT NULL,
        PRIMARY KEY (school_id, student_hash, day)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX student_days_by_day ON student_days (day, school_id, student_hash, tier_rank, score);

      DROP TABLE clinical_scores;
      CREATE TABLE clinical_scores (
        id TEXT PRIMARY KEY,
        school_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        phq9_score INTEGER,
        gad7_score INTEGER,
        items TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX clinical_scores_by_student ON clinical_scores (school_id, student_hash, at);

      DROP TABLE triggers;
      CREATE TABLE triggers (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        id TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        received_at INTEGER NOT NULL,
        tier TEXT NOT NULL,
        score REAL NOT NULL,
        categories TEXT NOT NULL,
        about_other INTEGER NOT NULL,
        message_id TEXT,
        occurred_at INTEGER,
        event_seq INTEGER NOT NULL REFERENCES events (seq),
        PRIMARY KEY (school_id, session_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX triggers_by_id ON triggers (id);

      DROP TABLE actions;
      CREATE TABLE actions (
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        action TEXT NOT NULL,
        -- When the action came back from the queue, as a station's confirmation.
        confirmed_at INTEGER,
        -- 1 when another console did it.
        elsewhere INTEGER NOT NULL,
        PRIMARY KEY (school_id, session_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX actions_by_id ON actions (id);

      -- A cache of the reduction of triggers and actions.
      DROP TABLE alerts;
      CREATE TABLE alerts (
        key TEXT PRIMARY KEY,
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
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
      CREATE INDEX alerts_by_session ON alerts (session_id, school_id, opened_at);
      CREATE INDEX alerts_by_student ON alerts (student_hash, opened_at);
      CREATE INDEX alerts_by_time ON alerts (school_id, opened_at, tier);
      CREATE INDEX alerts_by_owner ON alerts (owner_id, state);
      CREATE INDEX alerts_due ON alerts (due_at) WHERE state = 'acknowledged' AND due_at IS NOT NULL;
      CREATE INDEX alerts_unresolved ON alerts (school_id, tier_rank DESC, state_rank, last_trigger_at DESC, key, state)
        WHERE state <> 'resolved';
      CREATE INDEX alerts_handed_to ON alerts (hand_off_to) WHERE hand_off_to IS NOT NULL;
      CREATE INDEX alerts_open_by_student ON alerts (school_id, student_hash, state) WHERE state <> 'resolved';

      DROP TABLE alert_keys;
      CREATE TABLE alert_keys (
        alias TEXT PRIMARY KEY,
        key TEXT NOT NULL,
        school_id TEXT NOT NULL,
        session_id TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX alert_keys_by_session ON alert_keys (school_id, session_id);

      UPDATE people SET school_id = ${oneForm('school_id')};
      UPDATE roster SET school_id = ${oneForm('school_id')};
      CREATE TABLE roster_by_school (
        -- '' = imported before this console's school was known: it is given to that school once it is.
        school_id TEXT NOT NULL,
        student_hash TEXT NOT NULL,
        student_id TEXT NOT NULL,
        name TEXT NOT NULL,
        grade TEXT NOT NULL,
        class TEXT NOT NULL,
        counselor TEXT NOT NULL,
        -- The person this name means; null = nobody known here by that name: it gives nobody rights.
        counselor_id TEXT,
        guardian_contact TEXT NOT NULL,
        imported_at INTEGER NOT NULL,
        PRIMARY KEY (school_id, student_hash)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO roster_by_school
          (school_id, student_hash, student_id, name, grade, class, counselor, counselor_id, guardian_contact, imported_at)
        SELECT school_id, student_hash, student_id, name, grade, class, counselor,
          (SELECT CASE WHEN count(*) = 1 THEN min(people.id) END FROM people
           WHERE people.school_id = roster.school_id AND people.name = roster.counselor),
          guardian_contact, imported_at
        FROM roster;
      DROP TABLE roster;
      ALTER TABLE roster_by_school RENAME TO roster;
      CREATE INDEX roster_by_hash ON roster (student_hash);
      CREATE INDEX roster_by_name ON roster (school_id, name);
      CREATE INDEX people_by_school ON people (school_id, name);
    `)
  },
}

/**
 * Versions before took the school of the first event they saw for their own. Where no token named it (its
 * person would be known here, and is no account of this machine), it is asked for again; people and roster
 * go with the answer.
 */
function askForGuessedSchool(db: Database): void {
  const guessed = db.prepare(`SELECT value FROM settings WHERE name = 'school_id' AND value <> ''`).pluck().get()
  if (guessed === undefined) return
  const ofToken = db.prepare(
    `SELECT 1 FROM people WHERE ${oneForm('school_id')} = ${oneForm('?')} AND id NOT LIKE 'local:%'`,
  )
  if (ofToken.get(guessed) !== undefined) return
  db.prepare(`DELETE FROM settings WHERE name = 'school_id'`).run()
  for (const table of ['people', 'roster'])
    db.prepare(`UPDATE ${table} SET school_id = '' WHERE school_id = ?`).run(guessed)
}
