import { appendAudit } from '../../../../main/store/console/index.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { crisis } from '../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => {
  at = openRecord()
  at.append(crisis())
  const entry = { at: 1, who: 'marlow', role: 'COUNSELOR', what: 'w', subject: 's', why: '', console_id: 'c' }
  appendAudit(at.db, entry)
  appendAudit(at.db, entry)
})
afterEach(() => at.close())

it.each([
  ['the event log: delete', 'DELETE FROM events'],
  ['the event log: another time', 'UPDATE events SET at = at + 1'],
  ['the event log: another identity', `UPDATE events SET identity = 'x'`],
  ['the event log: another school', `UPDATE events SET school_id = ''`],
  ['the event log: another body', `UPDATE events SET body = '{}'`],
  [
    'the event log: replace',
    `REPLACE INTO events (seq, identity, origin, event_type, idempotency_key, session_id, at, received_at, body)
     SELECT seq, identity, origin, event_type, idempotency_key, session_id, 0, 0, body FROM events`,
  ],
  ['the audit: delete', 'DELETE FROM audit'],
  ['the audit: update', `UPDATE audit SET who = 'osei'`],
  ['the audit: replace by number', `REPLACE INTO audit VALUES (1, 1, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')`],
  [
    'the audit: replace by hash',
    `REPLACE INTO audit SELECT 9, at, 'osei', role, what, subject, why, console_id, previous, hash FROM audit WHERE seq = 1`,
  ],
])('refuses what is not adding to %s', (_, sql) => {
  expect(() => at.db.exec(sql)).toThrow('append-only')
  expect([at.count('events'), at.count('audit')]).toEqual([1, 2])
})

it('lets retention erase the body of an event, and nothing else with it', () => {
  expect(() => at.db.exec('UPDATE events SET body = NULL, at = 0')).toThrow('append-only')
  at.db.exec('UPDATE events SET body = NULL')
  expect(at.rows('SELECT event_type, body FROM events')).toEqual([{ event_type: 'CRISIS_DETECTED', body: null }])
})
