import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusedAction, relayAction } from '../../../../main/station/relay/relay-action.ts'
import { relayedId } from '../../../../shared/action-message.ts'

const acknowledgement = {
  schema_version: 1,
  ack_id: 'a-1',
  event_type: 'ALERT_ACKNOWLEDGED',
  alert_key: 'alert',
  covers: ['trigger'],
  session_id: 's-1',
  student_hash: 'h',
  school_id: 'school',
  acknowledged_by: 'marlow',
  acknowledged_by_name: 'J. Marlow',
  acknowledged_at: '2026-01-20T10:15:00Z',
  console_id: 'console-1',
  next_action: 'contact the student',
}

describe('a message from the acknowledgement queue', () => {
  it('that acknowledges becomes the action of whoever did it, under the id of the acknowledgement', () => {
    const relayed = relayAction(JSON.stringify(acknowledgement))
    expect(relayed).toMatchObject({ id: 'relay:6:school:a-1', ack_id: 'a-1', school_id: 'school', order: 's-1' })
    expect(relayed?.event).toEqual({
      schema_version: 1,
      ack_id: 'a-1',
      event_type: 'ALERT_ACTION',
      action: 'acknowledged',
      idempotency_key: 'a-1',
      timestamp: '2026-01-20T10:15:00Z',
      at: '2026-01-20T10:15:00Z',
      by: 'marlow',
      by_name: 'J. Marlow',
      alert_key: 'alert',
      covers: ['trigger'],
      session_id: 's-1',
      student_hash: 'h',
      school_id: 'school',
      console_id: 'console-1',
      next_action: 'contact the student',
    })
  })

  it('that is too deep to be written again, or too long for an event once it is, is no action', () => {
    const deep = (depth: number) =>
      `{"ack_id":"a","event_type":"ALERT_ACTION","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(relayAction(deep(50))).not.toBeNull()
    expect(relayAction(deep(100_000))).toBeNull()
    const numbers = (count: number) =>
      `{"ack_id":"a","event_type":"ALERT_ACTION","x":[${Array(count).fill('1e20').join()}]}`
    expect(relayAction(numbers(100))).not.toBeNull()
    // 60 kB as it came, 260 kB as it would go.
    expect(relayAction(numbers(12_000))).toBeNull()
  })

  it('of any other kind travels as it came, under the id that the console will confirm', () => {
    const event = { ack_id: 'a-2', event_type: 'ALERT_ACTION', idempotency_key: 'k-2', added: { later: [1] } }
    const relayed = { id: 'relay:0::a-2', ack_id: 'a-2', school_id: '', order: null, event }
    expect(relayAction(JSON.stringify(event))).toEqual(relayed)
  })

  it.each([
    '',
    'no',
    'null',
    '5',
    '"text"',
    '[]',
    '{}',
    '{"ack_id":5}',
    '{"ack_id":"","event_type":"x"}',
    '{"ack_id":"a","event_type":"HEARTBEAT"}',
    '{"ack_id":"a","event_type":"CRISIS_DETECTED"}',
    '{"ack_id":"a","event_type":""}',
    '{"ack_id":"a\\u0000","event_type":"ALERT_ACTION"}',
    '{"ack_id":"a","session_id":"s\\u0000","event_type":"ALERT_ACTION"}',
    `{"ack_id":"${'a'.repeat(401)}","event_type":"ALERT_ACTION"}`,
  ])('“%s” is no action', (body) => {
    expect(relayAction(body)).toBeNull()
  })

  it('brings no place in the order of its own', () => {
    expect(relayAction('{"ack_id":"a","event_type":"ALERT_ACTION","position":1}')?.event).not.toHaveProperty('position')
  })

  it('is no told past: only whoever may tell one makes an event quiet', () => {
    for (const event_type of ['ALERT_ACTION', 'ALERT_ACKNOWLEDGED'])
      expect(relayAction(JSON.stringify({ ack_id: 'a', event_type, backfill: true }))?.event).not.toHaveProperty(
        'backfill',
      )
  })

  it('that names no type is relayed all the same: what a console cannot read it keeps in sight', () => {
    const relayed = relayAction('{"ack_id":"a","covers":["t"]}')
    expect(relayed).toMatchObject({ id: 'relay:0::a' })
    expect(relayed?.event).toEqual({ ack_id: 'a', covers: ['t'], event_type: 'ALERT_ACTION' })
  })

  it('is an action under its id whatever else it holds, and nothing throws', () => {
    const ack_id = fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined })
    const event_type = fc.constantFrom('ALERT_ACKNOWLEDGED', 'ALERT_ACTION', 5, undefined)
    const message = fc.tuple(fc.object(), ack_id, event_type)
    fc.assert(
      fc.property(message, ([fields, ack_id, event_type]) => {
        const relayed = relayAction(JSON.stringify({ ...fields, ack_id, event_type }))
        if (typeof ack_id !== 'string' || ack_id === '') expect(relayed).toBeNull()
        else expect(relayed).not.toBeNull()
        if (relayed) expect(relayed.id).toBe(relayedId(relayed))
        if (relayed) expect(relayed.event).toMatchObject({ ack_id, event_type: 'ALERT_ACTION' })
      }),
    )
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (body) => void relayAction(body)))
  })
})

describe('a message that was not signed as it must be', () => {
  it('goes under an id of its own, refused, whatever it says of itself', () => {
    const body = JSON.stringify({ ...acknowledgement, idempotency_key: 'k', refused: 'never' })
    const relayed = refusedAction(body, 'signature')
    const event = relayed?.event
    expect(event).toMatchObject({ event_type: 'ALERT_ACTION', action: 'acknowledged', refused: 'signature' })
    expect(event?.ack_id).toMatch(/^refused:[0-9a-f]{64}$/)
    expect(relayed?.id).toBe(`relay:6:school:${event?.ack_id}`)
    expect(refusedAction(body, 'signature')).toEqual(relayed)
    expect(refusedAction(`${body} `, 'signature')?.id).not.toBe(relayed?.id)
    expect(relayed).toMatchObject({ school_id: 'school', order: 's-1', ack_id: event?.ack_id })
    expect(refusedAction('no', 'signature')).toBeNull()
  })

  it('only the relay refuses: what a sender says of that is not handed on', () => {
    const relayed = relayAction('{"ack_id":"a","refused":"signature"}')
    expect(relayed?.event).toEqual({ ack_id: 'a', event_type: 'ALERT_ACTION' })
  })
})
