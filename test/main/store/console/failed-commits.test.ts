/** What a failed write noted in memory never reaches a later commit, whatever is read or written in between. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readBody } from '../../../../main/console/event-queue/index.ts'
import {
  createEventLog,
  keyOf,
  openDatabase,
  type Database,
  type EventLog,
} from '../../../../main/store/console/index.ts'
import { minutes } from '../../../../shared/time.ts'
import { dump, marlow, openRecord, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

/** While this runs, a table takes no row, as on a full disk. */
function refusing<T>(db: Database, table: string, work: () => T): T {
  db.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON main.${table} BEGIN SELECT RAISE(ABORT, 'full'); END`)
  try {
    return work()
  } finally {
    db.exec('DROP TRIGGER full')
  }
}
/** False where a table took no row; one that is not written to refuses nothing. */
function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!String(error).includes('full')) throw error
    return false
  }
}
/** What stands in the tables is what a rebuild from the log makes of it. */
function expectTrue(db: Database, eventLog: EventLog): void {
  const before = dump(db)
  eventLog.rebuild()
  expect(before).toEqual(dump(db))
}

it('an acknowledgement that could not be written is not made by the next commit of another session', () => {
  at.append(crisis())
  const key = String(at.rows('SELECT key FROM alerts')[0]?.['key'])
  expect(at.lifecycle.find(key)?.state).toBe('open')
  const acknowledge = () => at.lifecycle.act(key, marlow, { action: 'acknowledged' })
  refusing(at.db, 'alerts', () => expect(acknowledge).toThrow('full'))
  expect(at.lifecycle.find(key)?.state).toBe('open')
  at.append(crisis({ session_id: 'session-2' }))
  expect(at.rows('SELECT state FROM alerts')).toEqual([{ state: 'open' }, { state: 'open' }])
  expect(at.lifecycle.find(key)?.state).toBe('open')
  expectTrue(at.db, at.eventLog)
})

it('a crisis that could not be written joins no alert with the next commit', () => {
  at.append(crisis())
  at.eventLog.alertsOf(school, 'session-1')
  refusing(at.db, 'alert_keys', () => expect(() => at.append(crisis({ at: noon + 1 }))).toThrow('full'))
  expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(1)
  at.append(crisis({ session_id: 'session-2' }))
  expect(at.eventLog.alertsOf(school, 'session-1')[0]?.triggers).toHaveLength(1)
  expectTrue(at.db, at.eventLog)
})

it('a commit names no session or student of one that failed before it', () => {
  const refused = () => at.append(crisis({ session_id: 'refused' }))
  refusing(at.db, 'alerts', () => expect(refused).toThrow('full'))
  const { sessions, students, alerts } = at.append(crisis())
  expect([sessions.length, students.length, alerts.length]).toEqual([1, 1, 1])
  expect(sessions).toEqual([keyOf(school, 'session-1')])
})

it('a rebuild that failed adds nothing to the next commit', () => {
  at.append(crisis())
  refusing(at.db, 'alerts', () => expect(() => at.eventLog.rebuild()).toThrow('full'))
  at.eventLog.alertsOf(school, 'session-1')
  const { sessions, alerts } = at.append(crisis({ session_id: 'session-2' }))
  expect([sessions, alerts.length]).toEqual([[keyOf(school, 'session-2')], 1])
  expectTrue(at.db, at.eventLog)
})

type Step =
  | { do: 'append' | 'rolled back'; writer: 0 | 1; body: object }
  | { do: 'refused'; writer: 0 | 1; body: object; table: string }
  | { do: 'read'; writer: 0 | 1; session: string }
  | { do: 'act'; refusedBy: string | null }

const session = fc.constantFrom('session-1', 'session-2', 'session-3')
const writer = fc.constantFrom(0 as const, 1 as const)
const body = fc
  .record({
    session_id: session,
    at: fc.integer({ min: 0, max: 80 }).map((after) => noon - minutes(90) + minutes(after)),
    crisis: fc.boolean(),
  })
  .map(({ crisis: isCrisis, ...of }): object => (isCrisis ? crisis(of) : analyzed({ ...of, tier: 'high', score: 0.8 })))
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('append' as const, 'rolled back' as const), writer, body }),
  fc.record({
    do: fc.constant('refused' as const),
    writer,
    body,
    table: fc.constantFrom('triggers', 'alerts', 'alert_keys', 'sessions', 'students'),
  }),
  fc.record({ do: fc.constant('read' as const), writer, session }),
  fc.record({
    do: fc.constant('act' as const),
    refusedBy: fc.constantFrom(null, 'actions', 'alerts', 'audit', 'outbox'),
  }),
)

it('rows equal the full reduction, and a change names only what was committed, after any sequence of commits, failures and reads', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 16 }), (steps) => {
      const record = openRecord()
      const other = openDatabase(record.file, record.databaseKey)
      try {
        play(record, other, steps)
      } finally {
        other.close()
        record.close()
      }
    }),
    { numRuns: 25 },
  )
})

function play(record: OpenRecord, other: Database, steps: readonly Step[]): void {
  const writers = [
    { db: record.db, eventLog: record.eventLog },
    { db: other, eventLog: createEventLog(other) },
  ] as const
  const append = (eventLog: EventLog, of: object) => {
    const reading = readBody(JSON.stringify(of), noon, record.key)
    if (reading.kind !== 'event') throw new Error(reading.detail)
    const { event, identity } = reading
    const touched = eventLog.append([{ event, school_id: school, identity, origin: 'queue', received_at: noon }])
    if (touched.added > 0 && 'session_id' in event)
      expect(touched.sessions).toEqual([keyOf(school, event.session_id ?? '')])
    if (touched.added === 0) expect([touched.sessions, touched.students, touched.alerts]).toEqual([[], [], []])
    const known = new Set(
      eventLog.alertsOf(school, 'session_id' in event ? String(event.session_id) : '').map(({ key }) => key),
    )
    for (const { key } of touched.alerts) expect(known).toContain(key)
  }
  for (const one of steps) {
    if (one.do === 'act') {
      const key = record.rows('SELECT key FROM alerts ORDER BY key')[0]?.['key']
      if (typeof key !== 'string') continue
      const act = () => record.lifecycle.act(key, marlow, { action: 'acknowledged' })
      const heard = record.heard.length
      const done = one.refusedBy === null ? succeeds(act) : refusing(record.db, one.refusedBy, () => succeeds(act))
      const told = record.heard.slice(heard).flatMap(({ alerts }) => alerts.map((alert) => alert.key))
      if (done) expect(told).toContain(key)
      else expect(told).toEqual([])
    } else {
      const { db, eventLog } = writers[one.writer]
      if (one.do === 'read') eventLog.alertsOf(school, one.session)
      else if (one.do === 'append') append(eventLog, one.body)
      else if (one.do === 'refused') refusing(db, one.table, () => succeeds(() => append(eventLog, one.body)))
      else {
        const taken = () =>
          db.transaction(() => {
            append(eventLog, one.body)
            throw new Error('taken back')
          })()
        expect(taken).toThrow('taken back')
      }
    }
    expectReduced(record.db)
  }
  expectTrue(record.db, record.eventLog)
}

/** The rows are those of a log that has just been opened and remembers nothing. */
function expectReduced(db: Database): void {
  const fresh = createEventLog(db)
  const rows = db.prepare('SELECT key, session_id, state, again_count, first_seen_at FROM alerts ORDER BY key').all()
  const reduced = ['session-1', 'session-2', 'session-3']
    .flatMap((name) => fresh.alertsOf(school, name))
    .map(({ key, session_id, state, again_at, first_seen_at }) => ({
      ...{ key, session_id, state, again_count: again_at.length, first_seen_at },
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  expect(rows).toEqual(reduced)
}
