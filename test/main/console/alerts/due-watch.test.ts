import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDueWatch, createLifecycle, type DueWatch } from '../../../../main/console/alerts/index.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { crisis, hashOf, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
let watch: DueWatch
let lifecycle: OpenRecord['lifecycle']

beforeEach(() => {
  at = openRecord()
  lifecycle = createLifecycle({
    db: at.db,
    eventLog: at.eventLog,
    changes: at.changes,
    clock: at.clock,
    randomness: systemRandomness,
    consoleId: 'console-1',
    keys: at.keys,
    wordsKey: () => null,
    hasAckQueue: true,
  })
  watch = createDueWatch({
    db: at.db,
    changes: at.changes,
    clock: at.clock,
    lifecycle,
    schoolId: () => at.ownSchool.id,
  })
})
afterEach(() => {
  watch.stop()
  at.close()
})

const states = () => at.rows('SELECT state, reopened_reason, reopened_at FROM alerts ORDER BY session_id')
async function alert(changes: Record<string, unknown> = {}): Promise<string> {
  const session_id = String(changes['session_id'] ?? 'session-1')
  await at.receive(crisis({ session_id, ...changes }))
  return String(at.rows('SELECT key FROM alerts WHERE session_id = ?', session_id)[0]?.['key'])
}

describe('a due time', () => {
  it('that passes opens the alert again, on the second, once', async () => {
    const key = await alert()
    watch.start()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    at.clock.advance(minutes(15) - 1)
    expect(states()).toMatchObject([{ state: 'acknowledged' }])
    at.clock.advance(1)
    expect(states()).toEqual([{ state: 'open', reopened_reason: 'due time passed', reopened_at: noon + minutes(15) }])
    at.clock.advance(hours(1))
    expect(at.count(`audit WHERE what = 'alert.reopened'`)).toBe(1)
    expect(at.rows(`SELECT who, why FROM audit WHERE what = 'alert.reopened'`)).toEqual([
      { who: 'system', why: 'due time passed' },
    ])
  })

  it('that is edited counts from then on', async () => {
    const key = await alert()
    watch.start()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    lifecycle.act(key, marlow, { action: 'corrected', next_action: 'Wait', due_at: noon + minutes(40) })
    at.clock.advance(minutes(39))
    expect(states()).toMatchObject([{ state: 'acknowledged' }])
    at.clock.advance(minutes(1) + seconds(5))
    expect(states()).toMatchObject([{ state: 'open' }])
  })

  it('that passed while nothing ran opens it at the next start', async () => {
    const key = await alert()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    at.clock.advance(hours(12))
    expect(states()).toMatchObject([{ state: 'acknowledged' }])
    watch.start()
    expect(states()).toMatchObject([{ state: 'open', reopened_at: noon + hours(12) }])
  })

  it('of a resolved alert is nobody’s', async () => {
    const key = await alert()
    watch.start()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    lifecycle.act(key, marlow, { action: 'resolved', disposition: 'duplicate', note: 'Same.' })
    at.clock.advance(hours(1))
    expect(states()).toMatchObject([{ state: 'resolved' }])
  })

  it('that cannot be written for a full disk is tried again, and ends nothing', async () => {
    const key = await alert()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    at.clock.advance(minutes(15))
    at.db.exec(`CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END`)
    watch.start()
    at.clock.advance(seconds(12))
    expect(states()).toMatchObject([{ state: 'acknowledged' }])
    at.db.exec('DROP TRIGGER full')
    at.clock.advance(seconds(5))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
  })

  it('is kept also where the sender’s clock runs ahead of ours', async () => {
    const key = await alert({ at: noon + hours(2) })
    watch.start()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    at.clock.advance(minutes(16))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
    expect(at.count(`audit WHERE what = 'alert.reopened'`)).toBe(1)
  })
})

describe('a due time, where a colleague’s clock runs ahead of ours', () => {
  const iso = (time: number) => new Date(time).toISOString()
  /** What a colleague did at another console, by that one's clock. */
  const theirs = (action: string, time: number, fields: Record<string, unknown> = {}) => {
    const [trigger] = at.rows('SELECT id, idempotency_key FROM triggers')
    return {
      schema_version: 1,
      event_type: 'ALERT_ACTION',
      action,
      ack_id: `osei-${action}`,
      idempotency_key: `osei-${action}`,
      timestamp: iso(time),
      at: iso(time),
      session_id: 'session-1',
      student_hash: hashOf('session-1'),
      school_id: school,
      alert_key: 'alert',
      covers: [trigger?.['idempotency_key']],
      trigger_ids: [trigger?.['id']],
      console_id: 'console-2',
      by: osei.id,
      by_name: osei.name,
      ...fields,
    }
  }
  const reopened = () => ({
    actions: at.count(`actions WHERE action LIKE '%reopened%'`),
    audit: at.count(`audit WHERE what = 'alert.reopened'`),
    outbox: at.count(`outbox WHERE body LIKE '%"reopened"%'`),
  })
  const once = { actions: 1, audit: 1, outbox: 1 }

  it('opens the alert again, once, after a hand-off accepted two minutes ahead', async () => {
    const key = await alert()
    watch.start()
    lifecycle.act(key, marlow, { action: 'acknowledged', due_at: noon + minutes(1) })
    lifecycle.act(key, marlow, { action: 'handed_off', to: osei.id, to_name: osei.name })
    await at.receive(theirs('hand_off_accepted', noon + minutes(2)))
    at.clock.advance(minutes(1))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
    at.clock.advance(hours(1))
    expect(reopened()).toEqual(once)
  })

  it.each([minutes(5), hours(3)])('opens it again where a plan was made %d ms ahead of ours', async (ahead) => {
    const key = await alert()
    watch.start()
    await at.receive(theirs('acknowledged', noon + ahead, { due_at: iso(noon + minutes(2)) }))
    at.clock.advance(minutes(2))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
    expect(reopened()).toEqual(once)
    // Whoever takes it then has it, and what follows keeps its order.
    expect(lifecycle.act(key, marlow, { action: 'acknowledged' }).alert).toMatchObject({
      state: 'acknowledged',
      owner: { id: marlow.id },
      due_at: noon + minutes(17),
    })
    at.clock.advance(minutes(15))
    expect(states()).toMatchObject([{ state: 'open' }])
    lifecycle.act(key, marlow, { action: 'taken_over' })
    expect(
      lifecycle.act(key, marlow, { action: 'resolved', disposition: 'duplicate', note: 'Same.' }).alert.state,
    ).toBe('resolved')
  })

  it('opens both alerts of which one plan speaks', async () => {
    const key = await alert()
    await at.receive(crisis({ session_id: 'session-1', at: noon + hours(2) }))
    watch.start()
    const both = at.rows('SELECT id FROM triggers').map(({ id }) => id)
    await at.receive(theirs('acknowledged', noon, { trigger_ids: both, due_at: iso(noon + minutes(2)) }))
    at.clock.advance(minutes(2))
    expect(lifecycle.find(key)?.state).toBe('open')
    expect(states().map(({ state }) => state)).toEqual(['open', 'open'])
    at.clock.advance(minutes(10))
    expect(reopened()).toEqual({ actions: 2, audit: 2, outbox: 2 })
  })

  it('opens it again where an earlier re-opening stood before the plan', async () => {
    const key = await alert()
    lifecycle.act(key, marlow, { action: 'acknowledged', due_at: noon + minutes(1) })
    const [ours] = at.rows(`SELECT id FROM actions`)
    const before = { by: 'system', by_name: 'The clock', due_at: iso(noon + minutes(1)), reason: 'due time passed' }
    const ack_id = createHash('sha256')
      .update(`overdue ${key} ${String(ours?.['id'])} ${noon + minutes(1)} 0`)
      .digest('hex')
    await at.receive(theirs('reopened', noon - minutes(1), { ...before, ack_id }))
    watch.start()
    at.clock.advance(minutes(1))
    expect(lifecycle.find(key)).toMatchObject({ state: 'open', reopened: { reason: 'due time passed' } })
  })
})

it('a hand-off accepted after the alert was opened again has a new due time', async () => {
  const key = await alert()
  watch.start()
  lifecycle.act(key, marlow, { action: 'acknowledged' })
  at.clock.advance(minutes(16))
  lifecycle.act(key, marlow, { action: 'handed_off', to: osei.id, to_name: osei.name })
  at.clock.advance(minutes(1))
  lifecycle.act(key, osei, { action: 'hand_off_accepted' })
  at.clock.advance(0)
  expect(lifecycle.find(key)).toMatchObject({
    state: 'acknowledged',
    owner: { id: osei.id },
    due_at: noon + minutes(32),
  })
})

describe('a told past', () => {
  const iso = (time: number) => new Date(time).toISOString()
  const told = (action: string, time: number, fields: Record<string, unknown> = {}) => ({
    ...crisis({ session_id: 'session-1', backfill: true, at: time, idempotency_key: `told-${action}` }),
    ...{ event_type: 'ALERT_ACTION', action, ack_id: `told-${action}`, at: iso(time), alert_key: 'alert' },
    ...{ covers: ['past'], console_id: 'console-2', by: osei.id, by_name: osei.name },
    ...fields,
  })
  const past = () => alert({ backfill: true, at: noon - hours(2), idempotency_key: 'past' })
  const news = () =>
    at.heard.flatMap(({ alerts }) => alerts.filter(({ opened, reopened, worse }) => opened || reopened || worse))

  it('has no timer: its plans are neither missed nor kept by the clock', async () => {
    watch.start()
    await past()
    await at.receive(told('acknowledged', noon - hours(1), { due_at: iso(noon - minutes(30)) }))
    await at.receive(told('corrected', noon - minutes(50), { due_at: iso(noon + minutes(1)) }))
    at.clock.advance(hours(12))
    expect(states()).toMatchObject([{ state: 'acknowledged' }])
    expect(news()).toEqual([])
    expect(at.count('outbox')).toBe(0)
  })

  it('that somebody takes now has a plan from now on', async () => {
    watch.start()
    const key = await past()
    await at.receive(told('acknowledged', noon - hours(1), { due_at: iso(noon - minutes(30)) }))
    await at.receive(told('handed_off', noon - minutes(59), { to: marlow.id }))
    lifecycle.act(key, marlow, { action: 'hand_off_accepted' })
    expect(lifecycle.find(key)).toMatchObject({ owner: { id: marlow.id }, due_at: noon + minutes(15) })
    at.clock.advance(minutes(15))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
  })

  it('answers for nothing that is said now, and takes no live plan away', async () => {
    watch.start()
    const key = await past()
    const [now, twice] = [noon - hours(2) + minutes(5), noon - hours(2) + minutes(6)]
    await at.receive(crisis({ session_id: 'session-1', at: now }))
    const trigger_ids = at.rows('SELECT id FROM triggers').map(({ id }) => id)
    const claim = { trigger_ids, covered: { tier: 'crisis', score: 1, categories: [] } }
    await at.receive(told('acknowledged', noon - hours(1), claim))
    expect(lifecycle.find(key)).toMatchObject({ state: 'open', acknowledged: null, first_seen_at: null })
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    await at.receive(told('corrected', noon + seconds(1), { due_at: iso(noon + hours(9)), ...claim }))
    await at.receive(told('resolved', noon + seconds(2), { disposition: 'not a concern', note: 'x', ...claim }))
    await at.receive(crisis({ session_id: 'session-1', at: twice }))
    expect(lifecycle.find(key)).toMatchObject({
      state: 'acknowledged',
      owner: { id: marlow.id },
      due_at: noon + minutes(15),
    })
    at.clock.advance(minutes(15))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
  })
})

it('what the clock does is news, here and everywhere', async () => {
  const key = await alert()
  lifecycle.act(key, marlow, { action: 'acknowledged' })
  watch.start()
  at.clock.advance(minutes(15))
  const [reopening] = at.rows(`SELECT body FROM events WHERE body LIKE '%"reopened"%'`)
  expect(JSON.parse(String(reopening?.['body']))).not.toHaveProperty('backfill')
  const [sent] = at.rows(`SELECT body FROM outbox WHERE body LIKE '%"reopened"%'`)
  expect(JSON.parse(String(sent?.['body']))).not.toHaveProperty('backfill')
})

it('what stays overdue is looked at again only after a while', async () => {
  const key = await alert()
  lifecycle.act(key, marlow, { action: 'acknowledged' })
  at.clock.advance(minutes(15))
  let looks = 0
  const still = { ...lifecycle, reopenOverdue: () => void looks++ }
  watch = createDueWatch({ db: at.db, changes: at.changes, clock: at.clock, lifecycle: still, schoolId: () => school })
  watch.start()
  at.clock.advance(seconds(10))
  expect(looks).toBe(3)
})

it('is left for a minute to the station that escalates, and then is opened by the console after all', async () => {
  const key = await alert()
  lifecycle.act(key, marlow, { action: 'acknowledged' })
  const { db, changes, clock } = at
  watch = createDueWatch({ db, changes, clock, lifecycle, schoolId: () => school, patience: () => minutes(1) })
  watch.start()
  at.clock.advance(minutes(15) + seconds(59))
  expect(states()).toMatchObject([{ state: 'acknowledged' }])
  at.clock.advance(seconds(1))
  expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
})

it('many that passed together open together', async () => {
  const many = 100
  await at.receive(...Array.from({ length: many }, (_, index) => crisis({ session_id: `session-${index}` })))
  for (const { key } of at.rows('SELECT key FROM alerts'))
    lifecycle.act(String(key), marlow, { action: 'acknowledged' })
  at.clock.advance(minutes(20))
  let depth = 0
  const deep = {
    ...lifecycle,
    reopenOverdue: (key: string) => {
      depth += 1
      expect(depth, 'one inside the other').toBe(1)
      lifecycle.reopenOverdue(key)
      depth -= 1
    },
  }
  watch = createDueWatch({
    db: at.db,
    changes: at.changes,
    clock: at.clock,
    lifecycle: deep,
    schoolId: () => at.ownSchool.id,
  })
  watch.start()
  expect(at.count(`alerts WHERE state = 'open'`)).toBe(many)
  expect(at.count(`audit WHERE what = 'alert.reopened'`)).toBe(many)
})

it('of another school’s alert is not this console’s to watch, once its own school is named', async () => {
  at.ownSchool.id = ''
  const school_id = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
  for (const key of [await alert(), await alert({ session_id: 'theirs', school_id })])
    lifecycle.act(key, marlow, { action: 'acknowledged' })
  at.ownSchool.id = school
  watch.start()
  at.clock.advance(minutes(20))
  expect(at.rows('SELECT session_id, state FROM alerts ORDER BY session_id')).toEqual([
    { session_id: 'session-1', state: 'open' },
    { session_id: 'theirs', state: 'acknowledged' },
  ])
})

it('of every school’s alerts opens them again while no school is named', async () => {
  at.ownSchool.id = ''
  const key = await alert({ school_id: '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90' })
  lifecycle.act(key, marlow, { action: 'acknowledged' })
  watch.start()
  at.clock.advance(minutes(20))
  expect(states()).toMatchObject([{ state: 'open' }])
})

it('two consoles that both see it open it once', async () => {
  const key = await alert()
  lifecycle.act(key, marlow, { action: 'acknowledged' })
  at.clock.advance(minutes(15))
  lifecycle.reopenOverdue(key)
  const [action] = at.rows(`SELECT id FROM actions WHERE action LIKE '%reopened%'`)
  lifecycle.reopenOverdue(key)
  expect(at.rows(`SELECT id FROM actions WHERE action LIKE '%reopened%'`)).toEqual([action])
  expect(action?.['id']).toMatch(/^[0-9a-f]{64}$/)
})

describe('a sleep of the machine, and a clock that is set', () => {
  it('what became due meanwhile opens within seconds of waking, once', async () => {
    const key = await alert()
    watch.start()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    at.clock.jump(hours(9))
    at.clock.advance(seconds(5))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
    at.clock.jump(hours(9))
    at.clock.advance(minutes(1))
    expect(at.rows(`SELECT 1 FROM events WHERE body LIKE '%"reopened"%'`)).toHaveLength(1)
  })

  it('a due time holds by the clock as it is then, after it was set back and forward again', async () => {
    const key = await alert()
    watch.start()
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    at.clock.jump(-hours(2))
    at.clock.advance(minutes(20))
    expect(states()).toMatchObject([{ state: 'acknowledged' }])
    at.clock.jump(hours(2))
    at.clock.advance(seconds(5))
    expect(states()).toMatchObject([{ state: 'open', reopened_reason: 'due time passed' }])
  })
})
