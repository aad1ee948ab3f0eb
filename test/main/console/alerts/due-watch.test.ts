import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDueWatch, createLifecycle, type DueWatch } from '../../../../main/console/alerts/index.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { marlow, openRecord, type OpenRecord } from '../../../support/record.ts'
import { crisis, noon, school } from '../../../support/wire.ts'

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
