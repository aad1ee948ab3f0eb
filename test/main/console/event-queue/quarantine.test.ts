import { quarantinedIds, verifyAudit } from '../../../../main/store/console/index.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { retryQuarantined } from '../../../../main/console/event-queue/index.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, hashOf, heartbeat, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const upgradeReasons = ['unknown event type', 'newer schema version']
const retry = (ids = quarantinedIds(at.db, upgradeReasons), schoolId = school) =>
  retryQuarantined(
    {
      db: at.db,
      eventLog: at.eventLog,
      changes: at.changes,
      evidenceKey: at.key,
      schoolId,
      now: at.clock.now(),
      consoleId: 'console-1',
      by: { id: 'system', role: 'ADMIN' },
    },
    ids,
  )

/** A body that an older program put aside with this reason, although this one can read it. */
function leftByOlder(body: object, reason = 'unknown event type'): void {
  at.db
    .prepare(
      `INSERT INTO quarantine (digest, received_at, reason, detail, bytes, receive_count, names_crisis, raw)
       VALUES (?, ?, ?, '', 1, 1, 0, ?)`,
    )
    .run(JSON.stringify(body), noon - 5000, reason, JSON.stringify(at.key.seal(JSON.stringify(body))))
}

it('reads after an upgrade what the older program did not know, as received when it was', () => {
  leftByOlder(crisis({ session_id: 'one', school_id: undefined }))
  leftByOlder(analyzed({ session_id: 'two', tier: 'high', score: 0.8 }), 'newer schema version')
  leftByOlder(crisis({ session_id: 'three' }), 'could not be stored')
  expect(retry().accepted).toBe(2)
  expect(at.heard.flatMap(({ alerts }) => alerts).filter(({ opened }) => opened)).toHaveLength(2)
  expect(at.rows('SELECT session_id, school_id, received_at FROM alerts ORDER BY 1')).toEqual([
    { session_id: 'one', school_id: school, received_at: noon - 5000 },
    { session_id: 'two', school_id: school, received_at: noon - 5000 },
  ])
  expect(at.rows('SELECT ended_how, ended_by FROM quarantine ORDER BY id')).toEqual([
    { ended_how: 'accepted', ended_by: 'system' },
    { ended_how: 'accepted', ended_by: 'system' },
    { ended_how: null, ended_by: null },
  ])
  expect(at.rows('SELECT what FROM audit')).toHaveLength(2)
  expect(verifyAudit(at.db).ok).toBe(true)
  expect(retry().accepted).toBe(0)
})

it('is no news of the queue: nothing was received or decided just now', () => {
  leftByOlder(analyzed({ tier: 'high', score: 0.8, degraded: ['semantic'] }))
  leftByOlder(heartbeat({ at: noon - 9000 }))
  expect(retry().accepted).toBe(2)
  expect(at.heard.at(-1)).toMatchObject({ confirmed: [], degraded: null, proven_at: noon - 9000 })
})

it('rings like a fresh one, and like a fresh one of a told past it does not', async () => {
  leftByOlder(crisis({ session_id: 'now' }))
  leftByOlder(crisis({ session_id: 'past', at: noon - 86_400_000, backfill: true }))
  expect(retry().accepted).toBe(2)
  const news = at.heard.flatMap(({ alerts }) => alerts).filter(({ opened }) => opened)
  const fresh = crisis({ session_id: 'fresh' })
  await at.receive(fresh)
  const ring = at.heard.at(-1)?.alerts.at(0)
  expect(news).toEqual([{ ...ring, key: news[0]?.key }])
  expect(at.rows('SELECT session_id, received_at FROM alerts ORDER BY 1')).toEqual([
    { session_id: 'fresh', received_at: noon },
    { session_id: 'now', received_at: noon - 5000 },
    { session_id: 'past', received_at: noon - 86_400_000 + 400 },
  ])
})

it('gives an action without a school that of the trigger that is read again with it', () => {
  const first = crisis({ session_id: 'one', school_id: '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90' })
  at.ownSchool.id = ''
  const done = {
    ...{ event_type: 'ALERT_ACTION', action: 'noted', ack_id: 'a', idempotency_key: 'a', session_id: 'one' },
    ...{ student_hash: hashOf('one'), timestamp: first.timestamp, at: first.timestamp, alert_key: 'key' },
    ...{ covers: [first.idempotency_key], console_id: 'elsewhere', by: 'osei' },
  }
  leftByOlder(done)
  leftByOlder(first)
  expect(retry(undefined, '').accepted).toBe(2)
  expect(at.rows('SELECT DISTINCT school_id FROM events')).toEqual([{ school_id: first.school_id }])
})

it('leaves what still cannot be read where it is', async () => {
  await at.receive({ ...crisis(), event_type: 'SOMETHING_NEW' }, 'no')
  expect(retry()).toEqual({ accepted: 0 })
  expect(retry([1])).toEqual({ accepted: 0 })
  expect(at.count('quarantine WHERE ended_at IS NULL')).toBe(2)
})

it('takes in all the others where one cannot be stored, or its seal is broken', () => {
  at.db.exec(
    `CREATE TRIGGER poison BEFORE INSERT ON sessions WHEN NEW.id = 'poison' BEGIN SELECT RAISE(ABORT, 'poison'); END`,
  )
  leftByOlder(crisis({ session_id: 'one' }))
  leftByOlder(crisis({ session_id: 'poison' }))
  leftByOlder(crisis({ session_id: 'broken' }))
  leftByOlder(crisis({ session_id: 'two' }))
  at.db.exec(`UPDATE quarantine SET raw = '{"ciphertext":"AAAA","encrypted_key":"AAAA"}' WHERE id = 3`)
  expect(retry().accepted).toBe(2)
  expect(at.rows('SELECT session_id FROM alerts ORDER BY 1')).toEqual([{ session_id: 'one' }, { session_id: 'two' }])
  expect(at.rows('SELECT id FROM quarantine WHERE ended_at IS NULL ORDER BY id')).toEqual([{ id: 2 }, { id: 3 }])
  expect(retry([2]).accepted).toBe(0)
})
