import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { actionMessage, namesThatFit, publishedId, relayedEvent, relayedId } from '../../shared/action-message.ts'
import { actionsAsRead, reducedAction } from '../../shared/actions.ts'
import { alertActionSchema, eventSchema, type AlertActionEvent } from '../../shared/events.ts'
import { days } from '../../shared/time.ts'
import { contactKindSchema, contactOutcomeSchema, dispositionSchema } from '../../shared/actions.ts'

const noon = Date.UTC(2026, 0, 20, 12)
const hash = 'a'.repeat(64)

/** Everything an event about an action may say, by the schema of its kind. */
const someEvent = fc
  .record({
    option: fc.constantFrom(...alertActionSchema.options),
    words: fc.string({ maxLength: 60, unit: 'grapheme' }),
    person: fc.constantFrom('marlow', 'osei'),
    at: fc.integer({ min: 0, max: 100_000 }).map((after) => noon + after),
    disposition: fc.constantFrom(...dispositionSchema.options),
    contact: fc.constantFrom(...contactKindSchema.options),
    outcome: fc.constantFrom(...contactOutcomeSchema.options),
    without: fc.subarray([
      'next_action',
      'due_at',
      'owner',
      'owner_name',
      'to',
      'to_name',
      'note',
      'disposition',
      'reason',
      'by_name',
      'trigger_ids',
      'covered',
      'school_id',
      'urgent',
      'title',
      'who',
      'sealed',
    ]),
    covers: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
  })
  .map(({ option, words, person, at, disposition, contact, outcome, without, covers }): AlertActionEvent => {
    const action = [...option.shape.action.values][0]
    const everything: Record<string, unknown> = {
      schema_version: 1,
      event_id: 'act',
      idempotency_key: 'act',
      timestamp: new Date(at).toISOString(),
      school_id: 'school',
      session_id: 'session',
      student_hash: hash,
      event_type: 'ALERT_ACTION',
      action,
      ack_id: 'act',
      alert_key: 'key',
      covers,
      trigger_ids: covers.map((cover) => `id of ${cover}`),
      covered: { tier: 'crisis', categories: ['suicidal_intent'], score: 0.93 },
      console_id: 'console',
      by: person,
      by_name: words,
      at: new Date(at).toISOString(),
      next_action: words,
      due_at: new Date(at + 60_000).toISOString(),
      owner: person,
      owner_name: words,
      to: person,
      to_name: words,
      note: words,
      disposition,
      reason: words,
      urgent: true,
      step: 'call-guardian',
      title: words,
      contact,
      outcome,
      who: words,
      commitment: 'promise',
      record: 'earlier act',
      sealed: { ciphertext: 'AAAA', encrypted_key: 'AAAA' },
    }
    // A commitment always has a time: one without is none.
    const left = Object.entries(everything).filter(
      ([field]) => !without.includes(field) || (action === 'commitment_made' && field === 'due_at'),
    )
    return alertActionSchema.parse(Object.fromEntries(left))
  })

describe('every kind of action', () => {
  it('comes back from the station as it was recorded here', () => {
    fc.assert(
      fc.property(someEvent, (event) => {
        const relayed = relayedEvent(JSON.stringify(actionMessage(event)))
        const read = eventSchema.parse(JSON.parse(JSON.stringify(relayed)))
        if (read.event_type !== 'ALERT_ACTION') throw new Error(read.event_type)
        // The message names the event by its key alone.
        const { event_id: _, ...sent } = event
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(sent)))
        expect(reducedAction(read)).toEqual(reducedAction(event))
      }),
      { numRuns: 500 },
    )
  })

  it('puts nothing off for longer than a school year', () => {
    fc.assert(
      fc.property(someEvent, (event) => {
        const reduced = reducedAction({ ...event, due_at: event.at + days(40_000) } as AlertActionEvent)
        const bound = event.at + days(400)
        expect('due_at' in reduced ? reduced.due_at : bound).toBe(bound)
      }),
    )
  })

  it('reads the same from the log, and again after the log was written anew', () => {
    fc.assert(
      fc.property(someEvent, (event) => {
        const logged = JSON.parse(JSON.stringify(event)) as AlertActionEvent
        expect(JSON.stringify(reducedAction(logged))).toBe(JSON.stringify(reducedAction(event)))
      }),
    )
  })
})

describe('an acknowledgement in its published form', () => {
  const published = {
    schema_version: 1,
    ack_id: 'ack',
    event_type: 'ALERT_ACKNOWLEDGED',
    alert_key: 'key',
    covers: ['session-1768904100'],
    session_id: 'session',
    student_hash: hash,
    acknowledged_by: 'marlow',
    acknowledged_at: '2026-01-20T12:00:00.000Z',
    console_id: 'console',
    next_action: 'Call home',
    due_at: '2026-01-20T12:15:00.000Z',
  }

  it('needs nothing more', () => {
    const event = eventSchema.parse(relayedEvent(JSON.stringify(published)))
    expect(event).toMatchObject({
      action: 'acknowledged',
      by: 'marlow',
      at: noon,
      timestamp: noon,
      idempotency_key: 'ack',
      due_at: noon + 15 * 60_000,
    })
  })

  it('keeps on its way what this program does not know', () => {
    expect(relayedEvent(JSON.stringify({ ...published, signature: 'new' }))).toMatchObject({ signature: 'new' })
  })
})

describe('what older senders leave out', () => {
  const bare = {
    event_type: 'ALERT_ACTION',
    idempotency_key: 'old',
    timestamp: '2026-01-20T12:00:00',
    session_id: 'session',
    student_hash: hash.toUpperCase(),
    ack_id: 'old',
    alert_key: 'key',
    covers: ['one'],
    console_id: 'console',
    by: 'marlow',
    at: '2026-01-20T12:00:00',
  }
  /** What kinds that began with these fields cannot do without: nobody ever sent them otherwise. */
  const own: Partial<Record<AlertActionEvent['action'], Record<string, unknown>>> = {
    step_done: { step: 'call-guardian' },
    contact_attempted: { contact: 'guardian', outcome: 'no answer' },
    commitment_made: { due_at: bare.at },
    commitment_met: { commitment: 'promise' },
    commitment_moved: { commitment: 'promise' },
    withdrawn: { record: 'earlier act' },
  }
  const kinds = alertActionSchema.options.map(({ shape }) => [...shape.action.values][0])
  const older = kinds.filter((action) => action !== undefined && !(action in own))

  it('are the fields of every kind that there was before, and of none that must name its subject', () => {
    expect(older).toEqual([
      ...['seen', 'acknowledged', 'taken_over', 'handed_off', 'hand_off_accepted', 'noted', 'reopened', 'corrected'],
      ...['resolved', 'hand_off_declined', 'hand_off_withdrawn', 'returned'],
    ])
  })

  it.each(Object.entries(own))('“%s” is read only with each of its own', (action, fields) => {
    for (const field of Object.keys(fields)) {
      const without = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field))
      expect(eventSchema.safeParse({ ...bare, ...without, action }).success, field).toBe(false)
    }
  })

  it.each(kinds)('“%s” is read without any other field, and with those of every other', (action) => {
    const bareOfKind = { ...bare, ...(action && own[action]), action }
    expect(eventSchema.parse(bareOfKind)).toMatchObject({ action, at: noon, student_hash: hash })
    const more = {
      note: '',
      reason: '',
      disposition: 'duplicate',
      to: 'osei',
      next_action: '',
      due_at: bare.at,
      owner: 'osei',
      unknown: 1,
    }
    expect(eventSchema.parse({ ...bareOfKind, ...more })).toMatchObject({ action, note: '' })
  })

  it('a kind nobody knows is not read', () => {
    expect(eventSchema.safeParse({ ...bare, action: 'danced' }).success).toBe(false)
    expect(actionsAsRead({}, z.int()).safeParse({ action: 'danced' }).success).toBe(false)
  })
})

describe('the id by which an event is confirmed', () => {
  const school = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'
  const idempotency_key = 'session:SESSION_ENDED'
  const common = { idempotency_key, session_id: 'session', student_hash: hash, timestamp: '2026-01-20T12:00:00' }
  const action = (more: object) =>
    alertActionSchema.parse({
      ...common,
      ...{ event_type: 'ALERT_ACTION', action: 'seen', ack_id: 'ack', alert_key: 'key', covers: ['one'] },
      ...{ console_id: 'console', by: 'marlow', at: '2026-01-20T12:00:00' },
      ...more,
    })

  it('of an action is none of a station’s own events, whatever key it came under', () => {
    const ended = { ...common, event_type: 'SESSION_ENDED' as const, timestamp: noon }
    expect(publishedId(ended)).toBe(idempotency_key)
    expect(publishedId(action({}))).not.toBe(idempotency_key)
  })

  it('of an action is that under which it was relayed, however its school is written', () => {
    expect(publishedId(action({}))).toBe(relayedId({ school_id: '', ack_id: 'ack' }))
    const written = action({ school_id: `{${school.toUpperCase()}}` })
    expect(publishedId(written)).toBe(relayedId({ school_id: school, ack_id: 'ack' }))
  })

  it('is that of no other record', () => {
    const name = fc.string({ unit: fc.constantFrom('a', ':', '1', '0'), maxLength: 5 })
    const record = fc.record({ school_id: name, ack_id: name })
    fc.assert(
      fc.property(record, record, (one, other) => {
        const same = one.school_id === other.school_id && one.ack_id === other.ack_id
        expect(relayedId(one) === relayedId(other)).toBe(same)
      }),
    )
  })
})

describe('the triggers that a message names', () => {
  it('are the first of them, as many as there is room for, and one at least', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1, maxLength: 700 }),
        (names) => {
          const some = namesThatFit(names)
          expect(some).toEqual(names.slice(0, some.length))
          expect(some.length).toBeGreaterThan(0)
          expect(Buffer.byteLength(JSON.stringify(some))).toBeLessThan(50 * 1024)
        },
      ),
      { numRuns: 50 },
    )
    const ids = Array.from({ length: 600 }, (_, index) => String(index).padStart(64, '0'))
    expect(namesThatFit(ids)).toEqual(ids.slice(0, 500))
    expect(namesThatFit(['x'.repeat(60 * 1024)])).toHaveLength(1)
  })
})
