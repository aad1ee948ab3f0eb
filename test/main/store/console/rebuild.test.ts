import fc from 'fast-check'
import { expect, it } from 'vitest'
import { markerTypes } from '../../../../shared/estimates.ts'
import { riskTiers } from '../../../../shared/risk.ts'
import { minutes } from '../../../../shared/time.ts'
import { dump, openRecord, type OpenRecord } from '../../../support/record.ts'
import { schoolsResolved } from '../../../../main/store/console/index.ts'
import { analyzed, crisis, ended, noon, school, started } from '../../../support/wire.ts'

/** One event with its place in time; the same everywhere, whenever it arrives. */
interface Arriving {
  body: object
  receivedAt: number
  origin: 'queue' | 'console'
}

const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
/** Two schools that number alike, students included, and a session whose sender names no school. */
const places = [
  { session_id: 'session-1', student_hash: 'a'.repeat(64), school_id: school },
  { session_id: 'session-1', student_hash: 'a'.repeat(64), school_id: otherSchool },
  { session_id: 'session-2', student_hash: 'b'.repeat(64), school_id: undefined },
]
const minute = fc.integer({ min: 0, max: 90 }).map((after) => noon - minutes(120) + minutes(after))
const place = fc.constantFrom(...places)

const messages = fc.array(
  fc.record({
    place,
    at: minute,
    role: fc.constantFrom('student', 'assistant'),
    tier: fc.constantFrom(...riskTiers),
    score: fc.integer({ min: 0, max: 100 }).map((hundredth) => hundredth / 100),
    // Eighths, whose sums are exact in any order.
    sentiment: fc.integer({ min: -8, max: 8 }).map((eighth) => eighth / 8),
    markers: fc.array(
      fc.record({
        marker_type: fc.constantFrom(...markerTypes),
        confidence: fc.constantFrom(0.5, 0.9),
        start: fc.nat(40),
        end: fc.nat(40),
      }),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 8 },
)

const crises = fc.array(
  fc.record({
    place,
    at: minute,
    score: fc.constantFrom(0.9, 0.95),
    message: fc.option(fc.nat(9), { nil: undefined }),
  }),
  { maxLength: 5 },
)

const acts = fc.array(
  fc.record({
    place,
    at: minute,
    action: fc.constantFrom('acknowledged', 'resolved', 'noted', 'reopened', 'taken_over', 'seen'),
    covers: fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 6 }),
    by: fc.constantFrom('marlow', 'osei'),
    origin: fc.constantFrom('queue' as const, 'console' as const),
  }),
  { maxLength: 6 },
)

const told = fc.array(
  fc.record({
    place,
    at: minute,
    event_type: fc.constantFrom('ALERT_NOTIFIED', 'ALERT_ESCALATED'),
    delivery: fc.option(fc.nat(2), { nil: undefined }),
    outcome: fc.constantFrom('attempted', 'delivered', 'failed'),
    rung: fc.nat(2),
    next: fc.option(minute, { nil: null }),
    late: fc.boolean(),
    covers: fc.uniqueArray(fc.nat(12), { maxLength: 3 }),
  }),
  { maxLength: 6 },
)

const frames = fc.record({
  started: fc.subarray(places),
  ended: fc.subarray(places),
  scored: fc.subarray(places),
})

const histories = fc
  .tuple(messages, crises, acts, told, frames)
  .map(([said, alarms, done, notices, frame]): Arriving[] => {
    const arriving = (body: unknown, origin: Arriving['origin'] = 'queue') => ({ body: body as object, origin })
    /** Each session counts for itself: every number stands in all of them. */
    const idOf = (index: number) => `m${said.slice(0, index).filter((one) => one.place === said[index]?.place).length}`
    const all = [
      ...said.map(({ place: of, ...message }, index) =>
        arriving(
          analyzed({
            ...message,
            ...of,
            idempotency_key: `key-${index}`,
            message_id: idOf(index),
            sequence: index,
          }),
        ),
      ),
      ...alarms.map(({ message, score, place: anywhere, ...alarm }, index) => {
        const of = message === undefined ? undefined : said[message]
        return arriving(
          crisis({
            ...alarm,
            ...(of?.place ?? anywhere),
            ...(of && { message_id: idOf(message ?? 0) }),
            consensus_score: score,
            idempotency_key: `key-${said.length + index}`,
          }),
        )
      }),
      ...done.map(({ covers, origin, at, place: of, ...act }, index) =>
        arriving(
          {
            schema_version: 1,
            event_type: 'ALERT_ACTION',
            idempotency_key: `act-${index}`,
            ack_id: `act-${index}`,
            alert_key: 'any',
            console_id: 'c',
            covers: covers.map((cover) => `key-${cover}`),
            timestamp: new Date(at).toISOString(),
            at: new Date(at).toISOString(),
            ...(act.action === 'resolved' && { disposition: 'duplicate' }),
            ...act,
            ...of,
          },
          origin,
        ),
      ),
      ...notices.map(({ place: of, event_type, delivery, next, late, covers, ...notice }, index) =>
        arriving(
          analyzed({
            ...{ ...notice, ...of, event_type, idempotency_key: `told-${index}` },
            ...{ alert_key: 'any', layer: 1, channel: 'sms', to: 'marlow', late: late || undefined },
            ...{ delivery_id: delivery === undefined ? undefined : `delivery-${delivery}` },
            ...{ next_at: next === null ? null : new Date(next).toISOString() },
            covers: covers.map((cover) => `key-${cover}`),
          }),
        ),
      ),
      ...frame.started.map((of) => arriving(started({ at: noon - minutes(130), ...of, metadata: { channel: 'web' } }))),
      ...frame.ended.map((of) => arriving(ended({ at: noon - minutes(10), ...of }))),
      ...frame.scored.map((of) =>
        arriving({
          ...started({ at: noon, ...of }),
          event_type: 'CLINICAL_SCORE_UPDATED',
          phq9_score: 9,
          items: { PHQ9_ITEM_1: 2 },
        }),
      ),
    ]
    return all.map((one, index) => ({ ...one, receivedAt: noon + index }))
  })

const append = (at: OpenRecord, { body, receivedAt, origin }: Arriving) => at.append(body, receivedAt, origin)
/** The school of what named none becomes known. */
const resolve = (at: OpenRecord) => at.eventLog.append(schoolsResolved(at.db, school, noon + minutes(60)))
const within = async (work: (at: OpenRecord) => void | Promise<void>) => {
  const at = openRecord({ school: '' })
  try {
    await work(at)
  } finally {
    at.close()
  }
}

it('gives the same tables to the byte, whatever happened', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.array(fc.nat(30), { maxLength: 2 }), (history, known) =>
      within((at) => {
        history.forEach((one, index) => {
          append(at, one)
          if (known.includes(index)) resolve(at)
        })
        const before = dump(at.db)
        // Made again, not left: what stands there now is wrong.
        at.db.exec(
          `DELETE FROM risk_points; DELETE FROM alert_keys; DELETE FROM notifications; UPDATE alerts SET score = 0; UPDATE students SET last_message_at = 0`,
        )
        at.eventLog.rebuild()
        expect(dump(at.db)).toEqual(before)
      }),
    ),
    { numRuns: 25 },
  )
})

it('gives the same tables for every order of arrival, whenever a school becomes known, and for events that come twice', async () => {
  const cases = histories.chain((history) =>
    fc.tuple(
      fc.constant(history),
      fc.shuffledSubarray(history, { minLength: history.length }),
      fc.subarray(history),
      fc.nat(30),
    ),
  )
  await fc.assert(
    fc.asyncProperty(cases, ([history, shuffled, twice, known]) =>
      within((at) =>
        within((other) => {
          history.forEach((one) => append(at, one))
          resolve(at)
          ;[...shuffled, ...twice].forEach((one, index) => {
            append(other, one)
            if (index === known) resolve(other)
          })
          resolve(other)
          // The place in the log is the order of arrival; all else is not.
          expect(dump(other.db, ['event_seq'])).toEqual(dump(at.db, ['event_seq']))
          expect(other.count(`events WHERE event_type <> 'SCHOOL_RESOLVED'`)).toBe(history.length)
        }),
      ),
    ),
    { numRuns: 25 },
  )
})

it('skips events whose body retention has erased', () =>
  within((at) => {
    at.append(crisis({ session_id: 'gone' }))
    at.append(crisis({ session_id: 'kept' }))
    at.db.exec(`UPDATE events SET body = NULL WHERE session_id = 'gone'`)
    at.eventLog.rebuild()
    expect(at.rows('SELECT session_id FROM alerts')).toEqual([{ session_id: 'kept' }])
  }))

it('leaves everything as it was when it fails', () =>
  within((at) => {
    at.append(crisis())
    const before = dump(at.db)
    at.db.exec(`CREATE TEMP TRIGGER broken BEFORE INSERT ON alerts BEGIN SELECT RAISE(ABORT, 'broken'); END`)
    expect(() => at.eventLog.rebuild()).toThrow('broken')
    expect(dump(at.db)).toEqual(before)
  }))

it('draws the worse of two crises that name a message nobody analysed, in either order', () =>
  within((at) =>
    within((other) => {
      const mild = crisis({ message_id: 'm1', consensus_score: 0.9 })
      const worse = crisis({ message_id: 'm1', consensus_score: 0.97 })
      at.append(mild)
      at.append(worse)
      other.append(worse)
      other.append(mild)
      for (const { rows } of [at, other])
        expect(rows('SELECT id, score FROM risk_points')).toEqual([{ id: 'm1', score: 0.97 }])
    }),
  ))
