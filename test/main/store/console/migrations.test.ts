import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { migrate } from '../../../../main/store/migrate.ts'
import { migrations } from '../../../../main/store/console/migrations/index.ts'

const schemaOf = (db: Database.Database) =>
  db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()
const versionOf = (db: Database.Database) => db.pragma('user_version', { simple: true })

it('steps are numbered from 1 without a gap', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
})

it.each(migrations.map(({ version }) => version))('version %i is brought up to date like a new database', (version) => {
  const fresh = new Database(':memory:')
  migrate(fresh)
  const old = new Database(':memory:')
  migrate(old, migrations.slice(0, version))
  expect(versionOf(old)).toBe(version)
  migrate(old)
  expect(versionOf(old)).toBe(migrations.length)
  expect(schemaOf(old)).toEqual(schemaOf(fresh))
  migrate(old)
  expect(schemaOf(old)).toEqual(schemaOf(fresh))
})

it('what version 1 held is there afterwards', () => {
  const db = new Database(':memory:')
  migrate(db, migrations.slice(0, 1))
  db.exec(`INSERT INTO events VALUES (1, 'id', 'queue', 'HEARTBEAT', 'key', NULL, 1, 2, '{}');
    INSERT INTO settings VALUES ('console_id', 'c1');
    INSERT INTO quarantine VALUES (1, 'd', 1, 'not JSON', '', 5, 1, 0, 'raw', NULL, NULL, NULL)`)
  migrate(db)
  expect(db.prepare('SELECT identity, body FROM events').all()).toEqual([{ identity: 'id', body: '{}' }])
  expect(db.prepare('SELECT value FROM settings').pluck().get()).toBe('c1')
  expect(db.prepare('SELECT reason FROM quarantine').pluck().get()).toBe('not JSON')
})

it('what version 3 held is known by its school and its people afterwards', () => {
  const db = new Database(':memory:')
  migrate(db, migrations.slice(0, 3))
  const event = (seq: number, type: string, body: object | null) =>
    db
      .prepare(
        `INSERT INTO events (seq, identity, origin, event_type, idempotency_key, session_id, at, received_at, body)
         VALUES (?, ?, 'queue', ?, ?, 's', 1, 2, ?)`,
      )
      .run(seq, `id-${seq}`, type, `key-${seq}`, body && JSON.stringify(body))
  event(1, 'CRISIS_DETECTED', { school_id: 'a', student_hash: 'h' })
  event(2, 'CRISIS_DETECTED', { student_hash: 'h' })
  event(3, 'CRISIS_DETECTED', null)
  db.exec(`INSERT INTO people VALUES ('p1', 'Marlow', 'COUNSELOR', 'a', 1), ('p2', 'Osei', 'COUNSELOR', 'a', 1),
      ('p3', 'Osei', 'CLINICIAN', 'a', 1), ('p4', 'Reed', 'COUNSELOR', 'b', 1);
    INSERT INTO roster VALUES ('h1', 'a', '1', 'Ada', '9', '9B', 'Marlow', '555', 7), ('h2', 'a', '2', 'Bea', '', '', 'Osei', '', 7),
      ('h3', 'a', '3', 'Cid', '', '', 'Reed', '', 7)`)
  migrate(db)
  expect(db.prepare('SELECT school_id, student_hash FROM events ORDER BY seq').all()).toEqual([
    { school_id: 'a', student_hash: 'h' },
    { school_id: '', student_hash: 'h' },
    { school_id: '', student_hash: null },
  ])
  expect(() => db.exec(`UPDATE events SET school_id = 'b'`)).toThrow('append-only')
  expect(db.prepare('SELECT * FROM roster ORDER BY student_hash').all()).toMatchObject([
    {
      school_id: 'a',
      name: 'Ada',
      class: '9B',
      counselor: 'Marlow',
      counselor_id: 'p1',
      guardian_contact: '555',
      imported_at: 7,
    },
    { name: 'Bea', counselor: 'Osei', counselor_id: null },
    { name: 'Cid', counselor: 'Reed', counselor_id: null },
  ])
})

it('a step that fails leaves the version and the data of the step before', () => {
  const db = new Database(':memory:')
  migrate(db)
  const before = schemaOf(db)
  const broken = {
    version: migrations.length + 1,
    up(target: Database.Database) {
      target.exec('CREATE TABLE half (a); DROP TABLE settings')
      throw new Error('no room')
    },
  }
  expect(() => migrate(db, [...migrations, broken])).toThrow('no room')
  expect(versionOf(db)).toBe(migrations.length)
  expect(schemaOf(db)).toEqual(before)
})
