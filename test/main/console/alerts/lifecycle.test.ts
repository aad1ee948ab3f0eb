import { verifyAudit } from '../../../../main/store/console/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSignedBy } from '../../../../main/platform/signing.ts'
import { relayAction } from '../../../../main/station/relay/index.ts'
import { relayedEvent } from '../../../../shared/action-message.ts'
import { undoAcceptedFor } from '../../../../shared/thresholds.ts'
import { minutes } from '../../../../shared/time.ts'
import { dump, marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { crisis, hashOf, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
let key: string
beforeEach(async () => {
  at = openRecord()
  await at.receive(crisis({ idempotency_key: 'first' }))
  key = String(at.rows('SELECT key FROM alerts')[0]?.['key'])
})
afterEach(() => at.close())

const messages = () =>
  at.rows('SELECT id, group_id, body FROM outbox ORDER BY position').map(({ id, group_id, body }) => ({
    id,
    group_id,
    body: JSON.parse(String(body)) as Record<string, unknown>,
  }))

describe('an acknowledgement', () => {
  it.each(['k', '学', '\u0001'])(
    'of 440 triggers whose keys are 400 times %j is relayed, and covers them all',
    async (part) => {
      await at.receive(
        ...Array.from({ length: 440 }, (_, index) =>
          crisis({ session_id: 'long', idempotency_key: `${index}-`.padEnd(400, part), at: noon + index }),
        ),
      )
      const [{ key: long } = {}] = at.rows(`SELECT key FROM alerts WHERE session_id = 'long'`)
      const { ackId, alert } = at.lifecycle.act(String(long), marlow, { action: 'acknowledged' })
      expect(alert.state).toBe('acknowledged')
      const sent = messages().find(({ id }) => id === ackId)?.body
      expect(relayAction(JSON.stringify(sent))).not.toBeNull()
      expect(sent?.['trigger_ids']).toHaveLength(440)
    },
  )

  it('stands in the record, the audit and the outbox when it returns', () => {
    const { ackId, alert } = at.lifecycle.act(key, marlow, { action: 'acknowledged' })
    expect(alert).toMatchObject({
      state: 'acknowledged',
      owner: { id: 'marlow', name: 'J. Marlow' },
      next_action: 'Contact the student',
      due_at: noon + minutes(15),
    })
    expect(at.rows('SELECT id, confirmed_at FROM actions')).toEqual([{ id: ackId, confirmed_at: null }])
    expect(at.rows('SELECT who, role, what, subject FROM audit')).toEqual([
      { who: 'marlow', role: 'COUNSELOR', what: 'alert.acknowledged', subject: `alert ${key}` },
    ])
    expect(at.heard.at(-1)).toMatchObject({ alerts: [{ key, opened: false, reopened: false }], queued: true })
    expect(verifyAudit(at.db)).toEqual({ ok: true, entries: 1, broken_at: null })
  })

  it('goes out in the form of the contract', () => {
    const { ackId } = at.lifecycle.act(key, marlow, {
      action: 'acknowledged',
      next_action: 'Call home',
      due_at: noon + minutes(5),
      owner: osei.id,
      owner_name: osei.name,
    })
    const trigger = String(at.rows('SELECT id FROM triggers')[0]?.['id'])
    expect(messages()).toEqual([
      {
        id: ackId,
        group_id: 'session-1',
        body: {
          schema_version: 1,
          event_type: 'ALERT_ACKNOWLEDGED',
          ack_id: ackId,
          action: 'acknowledged',
          alert_key: key,
          covers: ['first'],
          trigger_ids: [trigger],
          covered: { tier: 'crisis', categories: ['suicidal_intent'], score: 0.93 },
          session_id: 'session-1',
          student_hash: hashOf('session-1'),
          school_id: school,
          acknowledged_by: 'marlow',
          acknowledged_by_name: 'J. Marlow',
          acknowledged_at: new Date(noon).toISOString(),
          console_id: 'console-1',
          next_action: 'Call home',
          due_at: new Date(noon + minutes(5)).toISOString(),
          owner: 'osei',
          owner_name: 'A. Osei',
          key_id: at.keys.fingerprint,
          signature: expect.any(String) as string,
        },
      },
    ])
  })

  it('goes out signed, whatever is typed into it', () => {
    // Half of a character outside the basic plane, as a broken paste leaves it.
    const note = `Spoke\ud83d to them \u0000 “quietly”`
    at.lifecycle.act(key, marlow, { action: 'noted', note })
    at.lifecycle.act(key, osei, { action: 'resolved', disposition: 'safety plan', note: 'Done.' })
    for (const { body } of messages()) {
      expect(isSignedBy(at.keys.public.signing_key, body)).toBe(true)
      expect(isSignedBy(at.keys.public.signing_key, { ...body, by: 'somebody' })).toBe(false)
    }
  })

  it('that a station refused moves no time of ours, however far ahead its clock was', async () => {
    const body = (ack_id: string, more: object) => ({
      ...messages()[0]?.body,
      event_type: 'ALERT_ACTION',
      action: 'acknowledged',
      ack_id,
      idempotency_key: ack_id,
      by: 'somebody',
      timestamp: new Date(noon + minutes(1)).toISOString(),
      at: new Date(noon + minutes(1)).toISOString(),
      ...more,
    })
    at.lifecycle.act(key, marlow, { action: 'noted', note: 'One.' })
    await at.receive(body('refused:1', { refused: 'signature' }))
    expect(at.lifecycle.find(key)).toMatchObject({ state: 'open', owner: null, acknowledged: null })
    const history = () => at.lifecycle.find(key)?.history ?? []
    expect(history().map(({ applied, action }) => [applied, action.refused])).toEqual([
      [true, undefined],
      [false, 'signature'],
    ])
    at.lifecycle.act(key, marlow, { action: 'noted', note: 'Two.' })
    expect(history().find(({ action }) => action.note === 'Two.')?.action.at).toBeLessThan(noon + minutes(1))
  })

  it('covers only what the person had before them', async () => {
    const seen = at.lifecycle.find(key)!.triggers.map(({ id }) => id)
    await at.receive(crisis({ idempotency_key: 'second', at: noon + 10, consensus_score: 0.99 }))
    at.clock.advance(minutes(1))
    const { alert } = at.lifecycle.act(key, marlow, { action: 'acknowledged', trigger_ids: seen })
    expect(alert).toMatchObject({ state: 'open', reopened: { reason: 'unseen when acknowledged' } })
    expect(messages()[0]?.body).toMatchObject({ covers: ['first'], trigger_ids: seen })
  })

  it('covers one of two crises in one second, which share a key, and not the other', async () => {
    const [seen] = at.lifecycle.find(key)!.triggers.map(({ id }) => id)
    await at.receive(crisis({ idempotency_key: 'first', consensus_score: 0.99 }))
    const { alert } = at.lifecycle.act(key, marlow, { action: 'acknowledged', trigger_ids: [seen ?? ''] })
    expect(alert).toMatchObject({ state: 'open', reopened: { reason: 'unseen when acknowledged' } })
  })

  it('is found by an alias after an earlier trigger came late', async () => {
    await at.receive(crisis({ at: noon - minutes(5) }))
    expect(at.count('alerts')).toBe(1)
    expect(at.lifecycle.act(key, marlow, { action: 'acknowledged' }).alert).toMatchObject({ state: 'acknowledged' })
  })
})

/** What a colleague did at another console, by that one's clock. */
function theirs(action: string, time: number, fields: Record<string, unknown> = {}) {
  const iso = new Date(time).toISOString()
  return {
    ...crisis({ idempotency_key: `osei-${action}`, timestamp: iso }),
    ...{ event_type: 'ALERT_ACTION', action, ack_id: `osei-${action}`, at: iso, alert_key: key, covers: ['first'] },
    ...{ console_id: 'console-2', by: osei.id, by_name: osei.name },
    ...fields,
  }
}

it('what was done in one millisecond, or by a clock a little ahead, keeps its order', async () => {
  await at.receive(theirs('acknowledged', noon + 20_000))
  for (let times = 0; times < 10; times++) {
    at.lifecycle.act(key, marlow, { action: 'taken_over' })
    expect(at.lifecycle.act(key, osei, { action: 'taken_over' }).alert.owner?.id).toBe('osei')
  }
  // A clock that is wrong by hours is not followed.
  await at.receive(theirs('noted', noon + minutes(90), { note: 'Later.' }))
  expect(at.lifecycle.act(key, marlow, { action: 'noted', note: 'Now.' }).alert.history.at(-2)?.action.note).toBe(
    'Now.',
  )
})

it('other actions go out as ALERT_ACTION, and having looked concerns nobody else', () => {
  at.lifecycle.act(key, marlow, { action: 'seen' })
  at.lifecycle.act(key, marlow, { action: 'acknowledged' })
  at.lifecycle.act(key, marlow, { action: 'handed_off', to: osei.id, to_name: osei.name, note: 'Going home.' })
  at.lifecycle.act(key, osei, { action: 'hand_off_accepted' })
  at.lifecycle.act(key, osei, { action: 'resolved', disposition: 'contacted student', note: 'Spoke.' })
  expect(
    messages().map(({ body }) => [body['event_type'], body['action'], body['by'] ?? body['acknowledged_by']]),
  ).toEqual([
    ['ALERT_ACKNOWLEDGED', 'acknowledged', 'marlow'],
    ['ALERT_ACTION', 'handed_off', 'marlow'],
    ['ALERT_ACTION', 'hand_off_accepted', 'osei'],
    ['ALERT_ACTION', 'resolved', 'osei'],
  ])
  expect(messages().at(-1)?.body).toMatchObject({ disposition: 'contacted student', note: 'Spoke.' })
  expect(at.lifecycle.find(key)).toMatchObject({ state: 'resolved', first_seen_at: noon })
})

it.each([
  ['the audit', 'audit'],
  ['the outbox', 'outbox'],
  ['the alerts', 'alerts'],
])('an action of which %s cannot be written is not recorded at all', (_, table) => {
  const before = [dump(at.db), at.count('events'), at.count('audit'), at.count('outbox'), at.heard.length]
  at.db.exec(`CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`)
  expect(() => at.lifecycle.act(key, marlow, { action: 'acknowledged' })).toThrow('full')
  at.db.exec('DROP TRIGGER full')
  expect([dump(at.db), at.count('events'), at.count('audit'), at.count('outbox'), at.heard.length]).toEqual(before)
  expect(at.lifecycle.act(key, marlow, { action: 'acknowledged' }).alert.state).toBe('acknowledged')
})

it('the clock opens no plan before its time, and on every console under one id', async () => {
  at.lifecycle.act(key, marlow, { action: 'acknowledged' })
  at.lifecycle.reopenOverdue(key)
  expect(at.lifecycle.find(key)?.state).toBe('acknowledged')
  const other = openRecord()
  await other.receive(crisis({ idempotency_key: 'first' }), relayedEvent(JSON.stringify(messages()[0]?.body)))
  const ids = [at, other].map(({ clock, lifecycle }) => {
    clock.advance(minutes(15))
    lifecycle.reopenOverdue(key)
    const alert = lifecycle.find(key)
    expect(alert).toMatchObject({ state: 'open', reopened: { reason: 'due time passed' } })
    return alert?.history.at(-1)?.action.id
  })
  other.close()
  expect(ids[0]).toBe(ids[1])
})

it('an alert nobody knows is refused in words', () => {
  expect(() => at.lifecycle.act('unknown', marlow, { action: 'acknowledged' })).toThrow(
    expect.objectContaining({ code: 'alert_unknown' }),
  )
})

it('without an acknowledgement queue actions stay here', async () => {
  const alone = openRecord({ hasAckQueue: false })
  await alone.receive(crisis())
  alone.lifecycle.act(String(alone.rows('SELECT key FROM alerts')[0]?.['key']), marlow, { action: 'acknowledged' })
  expect([alone.count('actions'), alone.count('outbox')]).toEqual([1, 0])
  alone.close()
})

describe('undo', () => {
  it('is taken for 15 seconds, and offered for less; then what was recorded stands', () => {
    const { ackId } = at.lifecycle.act(key, marlow, { action: 'acknowledged' })
    const undo = () => at.lifecycle.act(key, marlow, { action: 'withdrawn', record: ackId })
    at.clock.advance(undoAcceptedFor + 1)
    expect(undo).toThrow('This can no longer be undone.')
    at.clock.advance(-1)
    expect(undo().alert).toMatchObject({ state: 'open', owner: null })
    expect(undo).toThrow('This can no longer be undone.')
    expect(at.rows('SELECT what FROM audit').map(({ what }) => what)).toEqual(['alert.acknowledged', 'alert.withdrawn'])
  })

  it('is nobody else’s, and of nothing that was never done', () => {
    const { ackId } = at.lifecycle.act(key, marlow, { action: 'acknowledged' })
    for (const [person, record] of [
      [osei, ackId],
      [marlow, 'never done'],
    ] as const)
      expect(() => at.lifecycle.act(key, person, { action: 'withdrawn', record })).toThrow('no longer be undone')
    expect(at.lifecycle.find(key)?.state).toBe('acknowledged')
  })
})
