import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchDrills, type DrillWatch } from '../../../main/console/drills.ts'
import { isSignedBy } from '../../../main/platform/signing.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { countWaiting } from '../../../main/store/console/index.ts'
import { recordCounts } from '../../../main/store/console/examination.ts'
import { consoleClosedSchema, drillSeenSchema } from '../../../shared/drill.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { silentLogger } from '../../support/logger.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { heartbeat, noon, school } from '../../support/wire.ts'

let at: OpenRecord
let drills: DrillWatch
let painted = 0
const open = (hasAckQueue = true, { db, changes, clock, keys, ownSchool } = at) =>
  watchDrills({
    ...{ db, changes, clock, randomness: systemRandomness, logger: silentLogger },
    ...{ consoleId: 'console-1', keys, schoolId: () => ownSchool.id, hasAckQueue },
    onPainted: () => void painted++,
  })
beforeEach(() => {
  painted = 0
  at = openRecord()
  drills = open()
})
afterEach(() => {
  drills.stop()
  at.close()
})
const drillBody = (number: number, began: number, changes: Record<string, unknown> = {}) => ({
  ...heartbeat({ at: began + 100, number, began_at: new Date(began).toISOString(), ...changes }),
  event_type: 'DRILL',
})
const drill = (number: number, began = at.clock.now(), changes: Record<string, unknown> = {}) =>
  at.receive(drillBody(number, began, changes))
/** What waits to be said of drills. */
const said = () =>
  at.rows('SELECT body FROM outbox').map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>)

describe('a drill that reaches this console', () => {
  it('is confirmed once a window has drawn it, signed, and how long that took is known', async () => {
    await drill(7, noon - 300)
    expect(said()).toEqual([])
    at.clock.advance(100)
    drills.painted(7, 'marlow')
    const [seen = {}] = said()
    expect(drillSeenSchema.parse(seen)).toMatchObject({
      ...{ school_id: school, console_id: 'console-1', number: 7, by: 'marlow' },
      ...{ cached_at: noon, painted_at: noon + 100 },
    })
    expect(isSignedBy(at.keys.public.signing_key, seen)).toBe(true)
    expect(seen['key_id']).toBe(at.keys.fingerprint)
    expect(drills.newest()).toEqual({ number: 7, began_at: noon - 300, at: noon - 300, took_ms: 400 })
    drills.painted(7, 'marlow')
    at.clock.advance(minutes(1))
    expect(said()).toHaveLength(1)
    expect(painted).toBe(1)
  })

  it('is confirmed as not drawn where no window has in time', async () => {
    await drill(7)
    at.clock.advance(seconds(5) - 1)
    expect(said()).toEqual([])
    at.clock.advance(1)
    expect(said()).toMatchObject([{ number: 7, painted_at: null }])
    drills.painted(7, 'marlow')
    expect(said()).toHaveLength(1)
    expect(drills.newest()?.took_ms).toBeNull()
  })

  it('is in no list and no count, and stands in the outbox alone', async () => {
    for (let number = 1; number <= 3; number++) {
      await drill(number)
      at.clock.advance(minutes(5))
    }
    expect(said()).toMatchObject([{ number: 3 }])
    expect(countWaiting(at.db)).toBe(0)
    expect(recordCounts(at.db)).toEqual({ events: 0, alerts: 0, open: 0, quarantined: 0, outbox_pending: 0 })
    for (const table of ['sessions', 'messages', 'students', 'alerts', 'triggers'])
      expect(at.count(table), table).toBe(0)
  })

  it('with a backlog, of another school, or without a number, is confirmed to nobody', async () => {
    await drill(7, noon - minutes(15) - 1)
    await drill(8, noon, { school_id: 'another' })
    await drill(9, noon, { number: undefined })
    at.clock.advance(minutes(1))
    expect(said()).toEqual([])
  })

  it('from a clock ahead of this one is as old as its arrival, and took nobody knows how long', async () => {
    await drill(7, noon + minutes(2))
    drills.painted(7, 'marlow')
    expect(drills.newest()).toMatchObject({ at: noon, took_ms: null })
    expect(said()).toMatchObject([{ number: 7 }])
  })

  it('that says it began long after it came is not believed, and hides none that comes with it, after it or at a start', async () => {
    await drill(7)
    drills.painted(7, 'marlow')
    at.clock.advance(minutes(5))
    const dated = (began_at: string) => drillBody(900, at.clock.now(), { began_at })
    const forged = () => dated(new Date(at.clock.now() + hours(20)).toISOString())
    await at.receive(forged(), dated('9999-01-01T00:00:00Z'))
    expect(drills.newest()).toMatchObject({ number: 7 })
    expect(recordCounts(at.db)).toMatchObject({ quarantined: 1 })
    at.clock.advance(1)
    await at.receive(forged(), drillBody(8, at.clock.now()))
    expect(drills.newest()).toMatchObject({ number: 8, at: at.clock.now() })
    at.clock.advance(minutes(5))
    await drill(9)
    await at.receive(forged())
    expect(drills.newest()).toMatchObject({ number: 9, at: at.clock.now() })
    expect(said().map(({ number }) => number)).not.toContain(900)
    drills.stop()
    drills = open()
    expect(drills.newest()).toMatchObject({ number: 9, at: at.clock.now() })
  })

  it('is followed by the next one, whatever the clocks of station and console did between them', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ ahead: fc.integer({ min: -hours(30), max: hours(20) }), later: fc.nat({ max: hours(2) }) }),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        fc.integer({ min: -minutes(10), max: minutes(10) }),
        async (before, ahead) => {
          const record = openRecord()
          const watch = open(true, record)
          try {
            for (const [index, { ahead, later }] of before.entries()) {
              await record.receive(drillBody(1000 + index, record.clock.now() + ahead))
              record.clock.advance(later)
            }
            record.clock.advance(minutes(30))
            await record.receive(drillBody(7, record.clock.now() + ahead))
            expect(watch.newest()).toMatchObject({ number: 7 })
          } finally {
            watch.stop()
            record.close()
          }
        },
      ),
      { numRuns: 30 },
    ))

  it('comes before one of before this console’s clock was set back', async () => {
    await drill(7)
    at.clock.set(noon - hours(2))
    await drill(8)
    expect(drills.newest()).toMatchObject({ number: 8 })
  })

  it('is known after a restart, without a word of what was drawn', async () => {
    await drill(7)
    drills.painted(7, 'marlow')
    drills.stop()
    drills = open()
    expect(drills.newest()).toEqual({ number: 7, began_at: noon, at: noon, took_ms: null })
  })

  it('is the last one that its station hears of when this console closes, signed; a start takes back what was not sent', async () => {
    drills.stop()
    expect(said()).toEqual([])
    drills = open()
    await drill(7)
    drills.painted(7, 'marlow')
    drills.stop()
    const [closed = {}, ...more] = said()
    expect(more).toEqual([])
    expect(consoleClosedSchema.parse(closed)).toMatchObject({ school_id: school, console_id: 'console-1', number: 7 })
    expect(isSignedBy(at.keys.public.signing_key, closed)).toBe(true)
    expect(countWaiting(at.db)).toBe(0)
    drills = open()
    expect(said()).toEqual([])
  })

  it('is confirmed to nobody where no acknowledgement queue is configured', async () => {
    drills.stop()
    drills = open(false)
    await drill(7)
    drills.painted(7, 'marlow')
    expect(said()).toEqual([])
    expect(drills.newest()?.took_ms).toBe(0)
  })
})
