import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrations as ofConsole } from '../../../main/store/console/migrations/index.ts'
import { keepSchool } from '../../../main/store/console/school.ts'
import { migrate, versionAfter } from '../../../main/store/migrate.ts'
import { migrations as ofStation } from '../../../main/store/station/migrations/file/index.ts'

const schemaOf = (db: Database.Database) =>
  db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()
const versionOf = (db: Database.Database) => db.pragma('user_version', { simple: true })
const rows = (db: Database.Database, sql: string) => db.prepare(sql).all()

describe.each([
  ['console', ofConsole],
  ['station', ofStation],
])('the schema of the %s', (_, migrations) => {
  it('has steps numbered from 1 without a gap', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
  })

  it.each(migrations.map(({ version }, index) => [version, index + 1] as const))(
    'of version %i is brought up to date like a new database',
    (version, steps) => {
      const fresh = new Database(':memory:')
      migrate(fresh, migrations)
      const old = new Database(':memory:')
      migrate(old, migrations.slice(0, steps))
      expect(versionOf(old)).toBe(version)
      migrate(old, migrations)
      expect(versionOf(old)).toBe(versionAfter(migrations))
      expect(schemaOf(old)).toEqual(schemaOf(fresh))
      migrate(old, migrations)
      expect(schemaOf(old)).toEqual(schemaOf(fresh))
    },
  )

  it('keeps version and data of the step before where a step fails', () => {
    const db = new Database(':memory:')
    migrate(db, migrations)
    const before = schemaOf(db)
    const broken = {
      version: versionAfter(migrations) + 1,
      up(target: Database.Database) {
        target.exec('CREATE TABLE half (a); DROP TABLE settings')
        throw new Error('no room')
      },
    }
    expect(() => migrate(db, [...migrations, broken])).toThrow('no room')
    expect(versionOf(db)).toBe(versionAfter(migrations))
    expect(schemaOf(db)).toEqual(before)
  })

  it('of a newer program is refused and left alone', () => {
    const db = new Database(':memory:')
    db.pragma(`user_version = ${versionAfter(migrations) + 1}`)
    expect(() => migrate(db, migrations)).toThrow(expect.objectContaining({ code: 'database_newer' }))
    expect(schemaOf(db)).toEqual([])
  })
})

it('what version 1 of the console held is there afterwards', () => {
  const db = new Database(':memory:')
  migrate(db, ofConsole.slice(0, 1))
  db.exec(`INSERT INTO events (seq, identity, origin, event_type, idempotency_key, session_id, at, received_at, body)
      VALUES (1, 'id', 'queue', 'HEARTBEAT', 'key', NULL, 1, 2, '{}');
    INSERT INTO settings (name, value) VALUES ('console_id', 'c1');
    INSERT INTO quarantine VALUES (1, 'd', 1, 'not JSON', '', 5, 1, 0, 'raw', NULL, NULL, NULL)`)
  migrate(db, ofConsole)
  expect(rows(db, 'SELECT identity, body FROM events')).toEqual([{ identity: 'id', body: '{}' }])
  expect(rows(db, 'SELECT value FROM settings')).toEqual([{ value: 'c1' }])
  expect(rows(db, 'SELECT reason FROM quarantine')).toEqual([{ reason: 'not JSON' }])
})

it('a roster is there afterwards, whatever its school was written as, or before one was known', () => {
  const db = new Database(':memory:')
  migrate(
    db,
    ofConsole.filter(({ version }) => version < 4),
  )
  db.exec(`INSERT INTO people VALUES ('p1', 'J. Marlow', 'COUNSELOR', 'ABC-1', 1), ('p2', 'A. Osei', 'COUNSELOR', '', 1);
    INSERT INTO roster VALUES ('h1', '{ABC-1}', '1', 'Upper', '9', 'B', 'J. Marlow', '', 1),
      ('h2', '', '2', 'Early', '9', 'B', 'A. Osei', '', 1);
    INSERT INTO events (identity, origin, event_type, idempotency_key, at, received_at, body)
      VALUES ('id', 'queue', 'SESSION_STARTED', 'key', 1, 2, '{"school_id":"ABC-1"}')`)
  migrate(db, ofConsole)
  const roster = `SELECT school_id, student_hash, name, counselor_id FROM roster ORDER BY student_hash`
  const upper = { school_id: 'abc-1', student_hash: 'h1', name: 'Upper', counselor_id: 'p1' }
  const early = { student_hash: 'h2', name: 'Early', counselor_id: 'p2' }
  expect(rows(db, roster)).toEqual([upper, { school_id: '', ...early }])
  expect(rows(db, 'SELECT school_id FROM events')).toEqual([{ school_id: 'abc-1' }])
  keepSchool(db, 'abc-1')
  expect(rows(db, roster)).toEqual([upper, { school_id: 'abc-1', ...early }])
  expect(rows(db, 'SELECT school_id FROM people')).toEqual([{ school_id: 'abc-1' }, { school_id: 'abc-1' }])
})

it.each([
  ['asked for again where an event of then had told it', 'local:me', undefined, ''],
  ['kept where a token had named it', 'counselor-1', 'ABC-1', 'ABC-1'],
])('the school of a console is %s', (_, person, kept, ofRoster) => {
  const db = new Database(':memory:')
  migrate(
    db,
    ofConsole.filter(({ version }) => version < 4),
  )
  db.exec(`INSERT INTO settings VALUES ('school_id', 'ABC-1');
    INSERT INTO roster VALUES ('h1', 'ABC-1', '1', 'Name', '9', 'B', '', '', 1)`)
  db.prepare(`INSERT INTO people VALUES (?, 'Me', 'COUNSELOR', 'ABC-1', 1)`).run(person)
  migrate(db, ofConsole)
  expect(db.prepare(`SELECT value FROM settings WHERE name = 'school_id'`).pluck().get()).toBe(kept)
  expect(rows(db, 'SELECT school_id FROM roster UNION SELECT school_id FROM people')).toEqual([
    { school_id: ofRoster.toLowerCase() },
  ])
})

it('acknowledgements that waited keep their place when the events of the station leave the console', () => {
  const db = new Database(':memory:')
  migrate(
    db,
    ofConsole.filter(({ version }) => version < 5),
  )
  db.exec(`INSERT INTO outbox
      (position, id, target, group_id, event_type, body, created_at, attempts, next_attempt_at, sent_at, last_error)
    VALUES (3, 'ack-1', 'acks', 's1', 'ALERT_ACKNOWLEDGED', '{}', 10, 4, 20, NULL, 'Throttled'),
      (4, 'event-1', 'events', 's1', 'HEARTBEAT', '{}', 10, 0, 10, NULL, NULL),
      (7, 'ack-2', 'acks', 's2', 'ALERT_ACTION', '{}', 11, 1, 11, 12, NULL);
    INSERT INTO intake_sessions (session_id, student_hash, school_id, status, started_at, metadata)
      VALUES ('s1', 'h', NULL, 'active', 1, '{}')`)
  migrate(db, ofConsole)
  expect(rows(db, 'SELECT * FROM outbox ORDER BY position')).toEqual([
    { position: 3, id: 'ack-1', group_id: 's1', event_type: 'ALERT_ACKNOWLEDGED', body: '{}', created_at: 10, attempts: 4, next_attempt_at: 20, sent_at: null, last_error: 'Throttled' },
    { position: 7, id: 'ack-2', group_id: 's2', event_type: 'ALERT_ACTION', body: '{}', created_at: 11, attempts: 1, next_attempt_at: 11, sent_at: 12, last_error: null },
  ]) // prettier-ignore
  expect(rows(db, `SELECT name FROM sqlite_schema WHERE name LIKE '%intake%'`)).toEqual([])
})
