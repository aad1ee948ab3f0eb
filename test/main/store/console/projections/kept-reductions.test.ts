import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLifecycle } from '../../../../../main/console/alerts/index.ts'
import { readBody } from '../../../../../main/console/event-queue/index.ts'
import { systemRandomness } from '../../../../../main/platform/randomness.ts'
import { createEventLog, openDatabase, type EventLog } from '../../../../../main/store/console/index.ts'
import { minutes, seconds } from '../../../../../shared/time.ts'
import { dump, marlow, openRecord, type OpenRecord } from '../../../../support/record.ts'
import { crisis, noon, school } from '../../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const crises = (count: number, changes: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, index) => crisis({ at: noon - minutes(5) + seconds(index), ...changes }))
/** Appends to another log than the record's own. */
function appendTo(log: EventLog, body: unknown) {
  const reading = readBody(JSON.stringify(body), noon, at.key)
  if (reading.kind !== 'event') throw new Error(reading.detail)
  const { event, identity } = reading
  return log.append([{ event, school_id: school, identity, origin: 'queue', received_at: noon }])
}
const key = () => String(at.rows('SELECT key FROM alerts ORDER BY opened_at')[0]?.['key'])
/** What stands in the tables is what a rebuild from the log makes of it. */
function expectTrue(): void {
  const before = dump(at.db)
  at.eventLog.rebuild()
  expect(before).toEqual(dump(at.db))
}

it('a transaction that is taken back leaves nothing in memory', () => {
  for (const body of crises(3)) at.append(body)
  const before = at.eventLog.alertsOf(school, 'session-1')
  expect(() =>
    at.db.transaction(() => {
      at.append(crisis({ at: noon }))
      expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(4)
      throw new Error('no room')
    })(),
  ).toThrow('no room')
  expect(at.eventLog.alertsOf(school, 'session-1')).toEqual(before)
  at.append(crisis({ at: noon - 1 }))
  expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(4)
  expectTrue()
})

it.each(['triggers', 'alerts', 'alert_keys'])('an event that %s refuses is not remembered', (table) => {
  for (const body of crises(3)) at.append(body)
  at.db.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON main.${table} BEGIN SELECT RAISE(ABORT, 'full'); END`)
  expect(() => at.append(crisis({ at: noon }))).toThrow('full')
  at.db.exec('DROP TRIGGER full')
  at.append(crisis({ session_id: 'session-2' }))
  at.append(crisis({ at: noon - 1 }))
  expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(4)
  expectTrue()
})

it('what another connection writes is read', () => {
  for (const body of crises(2)) at.append(body)
  const other = openDatabase(at.file, at.databaseKey)
  const otherLog = createEventLog(other)
  try {
    expect(otherLog.alertsOf(school, 'session-1')).toEqual(at.eventLog.alertsOf(school, 'session-1'))
    at.append(crisis({ at: noon }))
    expect(otherLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(3)
    appendTo(otherLog, crisis({ at: noon + 1 }))
    at.append(crisis({ at: noon + 2 }))
    expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(5)
    expectTrue()
  } finally {
    other.close()
  }
})

it('what a second log on the same connection writes is read', () => {
  const second = createEventLog(at.db)
  for (const body of crises(2)) at.append(body)
  appendTo(second, crisis({ at: noon }))
  at.append(crisis({ at: noon + 1 }))
  expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(4)
  expectTrue()
})

it('an alert that was handed out does not change when more comes', () => {
  for (const body of crises(2)) at.append(body)
  const [alert] = at.eventLog.alertsOf(school, 'session-1')
  const before = structuredClone(alert)
  at.append(crisis({ at: noon, consensus_score: 0.99, matched_patterns: ['self_harm'] }))
  at.lifecycle.act(key(), marlow, { action: 'acknowledged' })
  at.lifecycle.act(key(), marlow, { action: 'acknowledged' })
  expect(alert).toEqual(before)
})

it('a rebuild that fails leaves memory and tables as they were', () => {
  for (const body of crises(3)) at.append(body)
  at.db.exec(`CREATE TEMP TRIGGER broken BEFORE INSERT ON alerts BEGIN SELECT RAISE(ABORT, 'broken'); END`)
  expect(() => at.eventLog.rebuild()).toThrow('broken')
  at.db.exec('DROP TRIGGER broken')
  at.append(crisis({ at: noon }))
  expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(4)
  expectTrue()
})

it('many sessions at once are each true, and so is one that was put out of memory', async () => {
  await at.receive(...Array.from({ length: 600 }, (_, session) => crisis({ session_id: `s${session}` })))
  at.append(crisis({ session_id: 's0', at: noon + 1 }))
  at.append(crisis({ session_id: 's599', at: noon + 1 }))
  expect(at.eventLog.alertsOf(school, 's0')[0]?.triggers).toHaveLength(2)
  expectTrue()
})

it('an action that comes back is told of, though it changes no row', () => {
  for (const body of crises(2)) at.append(body)
  at.append(crisis({ at: noon - minutes(60) }))
  const { ackId } = at.lifecycle.act(key(), marlow, { action: 'noted', note: 'Called.' })
  const body = JSON.parse(String(at.rows('SELECT body FROM outbox')[0]?.['body'])) as object
  expect(at.append(body).alerts.map((alert) => alert.key)).toEqual([key()])
  expect(at.rows('SELECT id, confirmed_at IS NOT NULL AS confirmed FROM actions')).toEqual([
    { id: ackId, confirmed: 1 },
  ])
})

describe('work', () => {
  /** How often the triggers of a session are read from the database while this is done. */
  function readings(work: () => void): number {
    let times = 0
    const prepare = at.db.prepare.bind(at.db)
    vi.spyOn(at.db, 'prepare').mockImplementation(((sql: string) => {
      const statement = prepare(sql)
      if (/FROM triggers WHERE/.test(sql)) {
        const all = statement.all.bind(statement)
        statement.all = (...parameters) => ((times += 1), all(...parameters))
      }
      return statement
    }) as typeof prepare)
    work()
    return times
  }

  it('an acknowledgement reads its session once, and the views after it not at all', async () => {
    await at.receive(...crises(5))
    const alert = key()
    const { db, changes, clock, keys } = at
    const times = readings(() => {
      // A program that has just started: nothing is in memory.
      const eventLog = createEventLog(db)
      const lifecycle = createLifecycle({
        db,
        eventLog,
        changes,
        clock,
        randomness: systemRandomness,
        consoleId: 'console-1',
        keys,
        wordsKey: () => null,
        hasAckQueue: true,
      })
      lifecycle.act(alert, marlow, { action: 'acknowledged' })
      lifecycle.find(alert)
      lifecycle.act(alert, marlow, { action: 'noted', note: 'Called.' })
    })
    expect(times).toBe(1)
  })

  it('triggers that come one by one are read once', () => {
    const times = readings(() => {
      const log = createEventLog(at.db)
      for (const body of crises(100, { at: noon })) appendTo(log, body)
    })
    expect(times).toBe(1)
    expect(at.count('alert_keys')).toBe(100)
    expectTrue()
  })
})
