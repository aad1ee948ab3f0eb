import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEventLog, inboxPage } from '../../../../main/store/console/index.ts'
import { migrations } from '../../../../main/store/console/migrations/index.ts'
import { migrate } from '../../../../main/store/migrate.ts'
import { alertsOn } from '../../../support/alert-row.ts'

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
  migrate(db, migrations)
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

it('what version 5 kept of the detection files is a folder beside the data now', () => {
  const db = new Database(':memory:')
  migrate(db, migrations.slice(0, 5))
  db.exec(`INSERT INTO settings VALUES ('detection_files', '{}'), ('console_id', 'c1')`)
  migrate(db, migrations)
  expect(db.prepare('SELECT name FROM settings').pluck().all()).toEqual(['console_id'])
})

it('a roster of version 9 is told to the station after the upgrade', () => {
  const db = new Database(':memory:')
  migrate(db, migrations.slice(0, 9))
  db.exec(`INSERT INTO roster (school_id, student_hash, student_id, name, grade, class, counselor, counselor_id, guardian_contact, imported_at)
    VALUES ('a', 'h1', '1', 'Ada', '9', '9B', 'Marlow', NULL, '555', 7)`)
  migrate(db, migrations)
  expect(db.prepare('SELECT student_hash, name, assignment_sent, assigned_to FROM roster').all()).toEqual([
    { student_hash: 'h1', name: 'Ada', assignment_sent: 0, assigned_to: null },
  ])
})

it('what version 11 held of alerts stands in the order of the inbox, with its plans as commitments, once it is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  const db = new Database(join(folder, 'console.db'))
  migrate(db, migrations.slice(0, 11))
  const log = (seq: number, event: Record<string, unknown>) => {
    const of = {
      school_id: 'a',
      student_hash: 'b'.repeat(64),
      session_id: 's',
      idempotency_key: `key-${seq}`,
      ...event,
    }
    db.prepare(
      `INSERT INTO events (seq, identity, origin, event_type, idempotency_key, school_id, session_id, student_hash, at, received_at, body)
       VALUES (?, ?, 'queue', ?, ?, 'a', ?, ?, ?, ?, ?)`,
    ).run(
      ...[seq, String(seq).repeat(64).slice(0, 64), event['event_type'], `key-${seq}`, of.session_id, of.student_hash],
      ...[event['timestamp'], event['timestamp'], JSON.stringify(of)],
    )
  }
  const crisis = (seq: number, session_id: string) =>
    log(seq, {
      ...{ event_type: 'CRISIS_DETECTED', session_id, timestamp: 1000 * seq, consensus_score: 0.93 },
      ...{ risk_level: 'CRISIS', matched_patterns: ['suicidal_intent'], reasoning: '' },
    })
  const act = (seq: number, session_id: string, trigger: number, said: object) =>
    log(seq, {
      ...{ event_type: 'ALERT_ACTION', session_id, timestamp: 1000 * seq, at: 1000 * seq, ack_id: `ack-${seq}` },
      ...{ alert_key: 'k', covers: [`key-${trigger}`], console_id: 'c', by: 'marlow', ...said },
    })
  crisis(1, 'held')
  crisis(2, 'waits')
  crisis(3, 'waits less')
  crisis(4, 'given up')
  act(5, 'held', 1, { action: 'acknowledged', next_action: 'Call home', due_at: 99_000 })
  act(6, 'given up', 4, { action: 'resolved', disposition: 'could not reach', note: 'x' })
  // As the last version left it.
  db.prepare(`INSERT INTO settings VALUES ('projections_version', '4')`).run()
  migrate(db, migrations)
  createEventLog(db)
  const rows = alertsOn(inboxPage(db, { school: 'a', person: 'p', filter: 'all', offset: 0, limit: 10, now: 100_000 }))
  // A crisis that was closed by an attempt is open again: nobody had reached the student.
  expect(rows.map(({ session_id, state }) => [session_id, state])).toEqual([
    ['waits', 'open'],
    ['waits less', 'open'],
    ['given up', 'open'],
    ['held', 'acknowledged'],
  ])
  expect(db.prepare('SELECT id, what, due_at, owner_id FROM commitments').all()).toEqual([
    { id: 'ack-5', what: 'Call home', due_at: 99_000, owner_id: 'marlow' },
  ])
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
