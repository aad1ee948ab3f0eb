import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createViewing, type Viewing, type ViewingOptions } from '../../../../main/console/viewing/index.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import type { Alert } from '../../../../shared/alerts.ts'
import { eventSchema } from '../../../../shared/events.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { crisis, hashOf, school } from '../../../support/wire.ts'

let at: OpenRecord
let viewing: Viewing
let said: { looking: boolean; at: number; subject: string; body: Record<string, unknown> }[]
let told: number
let alert: Alert

beforeEach(async () => {
  at = openRecord()
  said = []
  told = 0
  viewing = createViewing({
    ...at,
    randomness: systemRandomness,
    consoleId: 'console-1',
    schoolId: () => school,
    find: (key) => at.lifecycle.find(key),
    say(subject, event) {
      said.push({ looking: event.until > event.timestamp, at: at.clock.now(), subject, body: event })
    },
  })
  viewing.listen(() => void told++)
  await at.receive(crisis({ session_id: 's' }))
  alert = at.lifecycle.find(String(at.rows('SELECT key FROM alerts')[0]?.['key'])) as Alert
})
afterEach(() => {
  viewing.stop()
  at.close()
})

/** What another console says of A. Osei. */
const elsewhere = (changes: { at?: number; lasts?: number } & Record<string, unknown> = {}) => {
  const { at: timestamp = at.clock.now(), lasts = seconds(45), ...more } = changes
  return {
    ...{ schema_version: 2, event_type: 'ALERT_VIEWED', idempotency_key: systemRandomness.uuid() },
    ...{ timestamp: new Date(timestamp).toISOString(), until: new Date(timestamp + lasts).toISOString() },
    ...{ school_id: school, session_id: 's', student_hash: hashOf('s'), alert_key: alert.key },
    ...{ console_id: 'console-2', by: osei.id, by_name: osei.name, ...more },
  }
}
const others = () => viewing.others(marlow)
const oseiLooks = () => [{ key: alert.key, names: [osei.name] }]

describe('at this console', () => {
  it('is known in every window at once, and of others alone', () => {
    const leave = viewing.look(alert, osei)
    expect(others()).toEqual(oseiLooks())
    expect(viewing.others(osei)).toEqual([])
    expect(viewing.others({ ...marlow, school_id: 'another' })).toEqual([])
    const leaveSecond = viewing.look(alert, osei)
    leave()
    leave()
    expect(others()).toEqual(oseiLooks())
    leaveSecond()
    expect(others()).toEqual([])
  })

  it('is said at once, again while it lasts, and when it is over; the form is that of the wire', () => {
    const leave = viewing.look(alert, marlow)
    expect(said.map(({ looking }) => looking)).toEqual([true])
    const event = eventSchema.parse(said[0]?.body)
    expect(event).toMatchObject({ event_type: 'ALERT_VIEWED', alert_key: alert.key, by: marlow.id, school_id: school })
    at.clock.advance(seconds(95))
    expect(said.map(({ looking }) => looking)).toEqual([true, true, true, true])
    at.clock.advance(seconds(10))
    leave()
    expect(said.at(-1)).toMatchObject({ looking: true })
    at.clock.advance(seconds(20))
    expect(said.at(-1)).toMatchObject({ looking: false })
    const count = said.length
    at.clock.advance(minutes(10))
    expect(said).toHaveLength(count)
  })

  it('whoever only passes by is said to have come and gone, twenty seconds apart', () => {
    viewing.look(alert, marlow)()
    at.clock.advance(minutes(5))
    expect(said.map(({ looking }) => looking)).toEqual([true, false])
    expect((said[1]?.at ?? 0) - (said[0]?.at ?? 0)).toBe(seconds(20))
  })
})

it('others never hear of one person and alert more often than every twenty seconds, and in the end what is so', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('come' as const), who: fc.nat(1) }),
    fc.record({ kind: fc.constant('go' as const), who: fc.nat(1) }),
    fc.record({ kind: fc.constant('wait' as const), length: fc.nat(seconds(40)) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const clock = virtualClock()
      const heard: { subject: string; looking: boolean; at: number }[] = []
      const options: ViewingOptions = {
        ...{ clock, changes: at.changes, randomness: systemRandomness, consoleId: 'c' },
        schoolId: () => school,
        find: (key) => ({ key }),
        say: (subject, { until, timestamp }) =>
          void heard.push({ subject, looking: until > timestamp, at: clock.now() }),
      }
      const fresh = createViewing(options)
      const people = [marlow, osei]
      const open: (() => void)[][] = [[], []]
      for (const each of steps) {
        if (each.kind === 'wait') clock.advance(each.length)
        else if (each.kind === 'come') open[each.who]?.push(fresh.look(alert, people[each.who] ?? marlow))
        else open[each.who]?.pop()?.()
      }
      clock.advance(seconds(45))
      people.forEach(({ id }, who) => {
        const about = heard.filter(({ subject }) => subject.includes(`"${id}"`))
        about.slice(1).forEach((each, index) => {
          expect(each.at - (about[index]?.at ?? 0)).toBeGreaterThanOrEqual(seconds(20))
        })
        expect(about.at(-1)?.looking ?? false).toBe((open[who]?.length ?? 0) > 0)
      })
      fresh.stop()
    }),
    { numRuns: 200 },
  )
})

describe('at another console', () => {
  it('is shown by name, and is gone when they leave or are heard of no more; nothing of it is kept', async () => {
    await at.receive(elsewhere())
    expect(others()).toEqual(oseiLooks())
    at.clock.advance(seconds(10))
    await at.receive(elsewhere({ lasts: 0 }))
    expect(others()).toEqual([])
    at.clock.advance(seconds(10))
    await at.receive(elsewhere())
    expect(others()).toEqual(oseiLooks())
    const before = told
    at.clock.advance(seconds(46))
    expect(others()).toEqual([])
    expect(told).toBeGreaterThan(before)
    expect(at.count('events')).toBe(1)
    expect(at.count('quarantine')).toBe(0)
  })

  it('an older word that comes later changes nothing', async () => {
    await at.receive(elsewhere({ lasts: 0 }))
    await at.receive(elsewhere({ at: at.clock.now() - seconds(5) }))
    expect(others()).toEqual([])
  })

  it.each([
    ['another school', () => ({ school_id: 'another' })],
    ['no school', () => ({ school_id: undefined })],
    ['this very console', () => ({ console_id: 'console-1' })],
    ['long ago', () => ({ at: at.clock.now() - minutes(3) })],
    ['no sense', () => ({ until: 'tomorrow' })],
    ['a time far ahead', () => ({ at: at.clock.now() + hours(30) })],
    ['a newer version', () => ({ schema_version: 9 })],
  ])('of %s, nothing is shown, kept or set aside', async (_, changes) => {
    await at.receive(elsewhere(changes()))
    expect(others()).toEqual([])
    expect(at.count('events')).toBe(1)
    expect(at.count('quarantine')).toBe(0)
  })

  it('somebody whose clock is a minute off is shown as long as anybody else', async () => {
    await at.receive(elsewhere({ at: at.clock.now() - seconds(50) }))
    expect(others()).toEqual(oseiLooks())
    at.clock.advance(seconds(44))
    expect(others()).toEqual(oseiLooks())
    at.clock.advance(seconds(2))
    expect(others()).toEqual([])
  })

  it.each([hours(3), -hours(3)])('a clock that is set by %d ms leaves nobody standing there', async (jump) => {
    await at.receive(elsewhere())
    viewing.look(alert, marlow)
    at.clock.jump(jump)
    expect(others()).toEqual([])
    const before = said.length
    at.clock.advance(seconds(46))
    expect(said.length).toBeGreaterThan(before)
    await at.receive(elsewhere())
    expect(others()).toEqual(oseiLooks())
  })

  it('a thousand of them leave the memory as it is', async () => {
    for (let console = 0; console < 20; console++)
      await at.receive(...Array.from({ length: 50 }, (_, n) => elsewhere({ by: `p${n}`, console_id: `c${console}` })))
    expect(others()[0]?.names.length).toBeLessThanOrEqual(500)
  })
})
