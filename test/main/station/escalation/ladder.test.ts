import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAlertBook } from '../../../../main/station/escalation/index.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { school } from '../../../support/intake-school.ts'
import { ladderHouse, ladderPolicy, type LadderHouse } from '../../../support/ladder.ts'
import { listed } from '../../../support/policies.ts'
import { onEachStore } from '../../../support/test-stores.ts'
import { hashOf } from '../../../support/wire.ts'

let at: LadderHouse
afterEach(() => at.close())

onEachStore((kind) => {
  beforeEach(async () => {
    at = await ladderHouse(kind)
    await at.assign('session-1', 'assigned')
  })

  it('tells the assigned counselor at once, then calls, then tells everybody, and goes on until somebody acknowledges', async () => {
    at.start()
    await at.crisis()
    await at.answerDesktops()
    expect(at.told()).toEqual([[0, 'assigned', 'sms', 'alert']])
    expect(at.sent[0]?.message).toMatchObject({ tier: 'crisis', count: 1, late_ms: 0, reply: 1 })
    await at.pass(minutes(21))
    expect((await at.rungs()).map(([second, rung]) => [second, rung])).toEqual([
      [0, 0],
      [300, 1],
      [600, 2],
      [900, 2],
      [1200, 2],
    ])
    expect(at.told().filter(([second]) => second === 300)).toEqual([[300, 'assigned', 'voice', 'alert']])
    expect(at.told().filter(([second]) => second === 600)).toHaveLength(6)
    await at.acknowledge()
    const before = at.sent.length
    await at.pass(minutes(10))
    expect(at.sent).toHaveLength(before)
    expect(await at.rows(`SELECT kind FROM timers`)).toEqual([{ kind: 'due' }])
  })

  it('tells the consoles of every rung and every delivery, and when the next one is due', async () => {
    at.start()
    await at.crisis()
    const events = await at.ladderEvents()
    const began = at.clock.now()
    expect(events[0]).toMatchObject({
      event_type: 'ALERT_ESCALATED',
      school_id: school,
      rung: 0,
      layer: 1,
      outcome: 'attempted',
      due_at: began,
      next_at: began + minutes(5),
    })
    expect(events.slice(1).map(({ channel, outcome, to }) => [channel, outcome, to])).toEqual([
      ['desktop', 'attempted', 'assigned'],
      ['sms', 'attempted', 'assigned'],
      ['sms', 'delivered', 'assigned'],
    ])
    await at.answerDesktops()
    expect((await at.deliveries()).map(({ channel, state }) => [channel, state])).toEqual([
      ['desktop', 'delivered'],
      ['sms', 'delivered'],
    ])
  })

  it('goes on where it stood when an acknowledgement is taken back', async () => {
    at.start()
    await at.crisis()
    await at.pass(minutes(2))
    const record = await at.acknowledge()
    await at.pass(seconds(5))
    expect(await at.rows(`SELECT kind FROM timers WHERE kind = 'rung'`)).toEqual([])
    await at.act('session-1', 'withdrawn', { record })
    await at.pass(minutes(4))
    expect((await at.rungs()).map(([second, rung]) => [second, rung])).toEqual([
      [0, 0],
      [300, 1],
    ])
  })

  it('takes a rung for on time whose time passed while somebody held the alert', async () => {
    const runner = at.start()
    await at.crisis()
    await at.pass(minutes(5) - seconds(5))
    const record = await at.acknowledge()
    await at.pass(seconds(12))
    await at.act('session-1', 'withdrawn', { record })
    expect((await at.rungs()).at(-1)).toEqual([307, 1, 'attempted'])
    await at.pass(minutes(2))
    expect(runner.failingSince(school)).toBeNull()
    expect(at.sent.filter(({ message }) => message.kind === 'alarm failing' || message.late_ms > 0)).toEqual([])
    expect(at.entries.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('begins anew when something worse is said, or the alert is given back', async () => {
    at.start()
    await at.high()
    await at.pass(minutes(1))
    await at.acknowledge()
    await at.pass(minutes(1))
    await at.crisis()
    expect((await at.rungs()).at(-1)?.slice(0, 2)).toEqual([120, 0])
    await at.pass(minutes(5))
    expect((await at.rungs()).at(-1)?.slice(0, 2)).toEqual([420, 1])
    await at.acknowledge()
    await at.pass(seconds(1))
    await at.act('session-1', 'returned')
    expect((await at.rungs()).at(-1)).toEqual([421, 0, 'attempted', 'opened again: returned'])
  })

  it('passes over a rung that tells nobody, at once, and says why', async () => {
    await at.assign('session-1', null)
    at.start()
    await at.crisis()
    expect(await at.rungs()).toEqual([
      [0, 0, 'failed', 'nobody assigned'],
      [0, 1, 'failed', 'nobody assigned'],
      [0, 2, 'attempted'],
    ])
    await at.pass(minutes(5))
    expect((await at.rungs()).at(-1)?.slice(0, 2)).toEqual([300, 2])
  })

  it('goes on at once where every delivery of a rung has failed, and waits for a desktop no longer than 15 seconds', async () => {
    at.setOutcome(({ channel }) =>
      channel === 'sms' ? { outcome: 'failed', code: 'no such number' } : { outcome: 'delivered', reference: null },
    )
    at.start()
    await at.crisis()
    await at.pass(seconds(14))
    expect(await at.rungs()).toHaveLength(1)
    await at.pass(seconds(1))
    expect(await at.rungs()).toEqual([
      [0, 0, 'attempted'],
      [15, 1, 'attempted', 'nobody was reached'],
    ])
    expect(await at.deliveries()).toMatchObject([
      { channel: 'desktop', state: 'failed', code: 'no answer' },
      { channel: 'sms', state: 'failed', code: 'no such number' },
      { channel: 'desktop', state: 'attempted' },
      { channel: 'voice', state: 'delivered' },
    ])
    // The call was answered: the next rung comes five minutes after it.
    await at.pass(minutes(5))
    expect((await at.rungs()).at(-1)?.slice(0, 2)).toEqual([315, 2])
  })

  it('does not hurry the last rung, which comes again in its time', async () => {
    at.setWays([])
    at.start()
    await at.crisis()
    await at.pass(minutes(1))
    expect((await at.rungs()).map(([second, rung]) => [second, rung])).toEqual([
      [0, 0],
      [15, 1],
      [30, 2],
    ])
    await at.pass(minutes(5))
    expect((await at.rungs()).at(-1)?.slice(0, 2)).toEqual([330, 2])
  })

  it('fires what was overdue once, late, the highest for all', async () => {
    const runner = at.start()
    await at.crisis()
    await at.answerDesktops()
    await at.stop(runner)
    at.clock.advance(minutes(12))
    at.start()
    await at.idle()
    expect(await at.rungs()).toEqual([
      [0, 0, 'attempted'],
      [720, 2, 'attempted', 'late'],
    ])
    expect(at.sent.at(-1)?.message.late_ms).toBe(minutes(7))
    await at.pass(minutes(3))
    expect((await at.rungs()).at(-1)).toEqual([900, 2, 'attempted'])
  })

  it('tells nobody of a told past', async () => {
    at.start()
    await at.crisis('session-1', { backfill: true })
    await at.pass(minutes(30))
    expect(at.sent).toEqual([])
    expect(await at.rows('SELECT * FROM timers')).toEqual([])
    expect((await at.alerts()).map(({ state, run }) => [state, run])).toEqual([['open', null]])
  })

  it('opens an alert again whose holder has not done what they promised, by a record with a place in the order', async () => {
    at.start()
    await at.crisis()
    await at.acknowledge()
    await at.pass(minutes(15) + seconds(1))
    const [alert] = await at.alerts()
    expect(alert?.state).toBe('open')
    const records = (await at.events()).filter((event) => event.event_type === 'ALERT_ACTION')
    expect(records.map(({ action, by, position }) => [action, by, position])).toEqual([
      ['acknowledged', 'assigned', 1],
      ['reopened', 'system', 2],
    ])
    expect((await at.rungs()).at(-1)).toEqual([900, 0, 'attempted', 'opened again: due time passed'])
  })

  it('holds a promise for as long as it was meant to last, where a console’s clock is hours ahead', async () => {
    at.start()
    await at.crisis()
    const [before] = await at.alerts()
    const [said, due] = [hours(6), hours(6) + minutes(15)].map((ms) => new Date(at.clock.now() + ms).toISOString())
    const done = { at: said, timestamp: said, trigger_ids: before?.document.trigger_ids }
    await at.acknowledge('session-1', { ...done, due_at: due })
    await at.pass(minutes(14))
    expect((await at.alerts()).map(({ state }) => state)).toEqual(['acknowledged'])
    // An earlier trigger that comes late gives the alert another key, and its promise no other time.
    await at.crisis('session-1', { at: at.clock.now() - minutes(20) })
    // Nor does what the station holds in memory matter.
    at.forget()
    await at.pass(seconds(59))
    expect((await at.rungs()).at(-1)?.[3]).not.toBe('opened again: due time passed')
    await at.pass(seconds(2))
    expect((await at.rungs()).at(-1)?.slice(1)).toEqual([0, 'attempted', 'opened again: due time passed'])
    expect((await at.rungs()).at(-1)?.[0]).toBeLessThanOrEqual(901)
  })

  it('opens an alert again at once whose holder, offline until now, had promised more than that long ago', async () => {
    at.start()
    await at.crisis()
    const [before] = await at.alerts()
    await at.pass(hours(6))
    const [said, due] = [-hours(5), minutes(15) - hours(5)].map((ms) => new Date(at.clock.now() + ms).toISOString())
    await at.acknowledge('session-1', {
      ...{ at: said, timestamp: said, trigger_ids: before?.document.trigger_ids, due_at: due },
    })
    await at.pass(seconds(2))
    expect((await at.rungs()).at(-1)?.slice(1)).toEqual([0, 'attempted', 'opened again: due time passed'])
  })

  it('opens an alert again by a record that is relayed, however long the keys of its triggers are', async () => {
    at.start()
    const keys = Array.from({ length: 100 }, (_, index) => `${index}-`.padEnd(400, '\u0001'))
    for (const idempotency_key of keys) await at.crisis('session-1', { idempotency_key })
    await at.acknowledge('session-1', { covers: keys.slice(-40) })
    await at.pass(minutes(16))
    expect((await at.alerts())[0]?.state).toBe('open')
    expect((await at.rungs()).at(-1)?.at(-1)).toBe('opened again: due time passed')
    for (const { body } of await at.rows('SELECT body FROM outbox'))
      expect(Buffer.byteLength(String(body))).toBeLessThan(200 * 1024)
  })

  it.each([0, hours(20)])(
    'lets nobody close what comes later by its key, said to be done %d ms ahead',
    async (ahead) => {
      at.start()
      await at.crisis('session-1', { idempotency_key: 'key-0' })
      const later = new Date(at.clock.now() + ahead).toISOString()
      const closing = { disposition: 'contacted student', note: 'x', at: later, timestamp: later }
      await at.act('session-1', 'resolved', { covers: ['key-0', 'key-1', 'key-2'], ...closing })
      expect((await at.alerts()).map(({ state }) => state)).toEqual(['resolved'])
      await at.pass(minutes(2))
      const before = at.sent.length
      await at.crisis('session-1', { idempotency_key: 'key-1' })
      expect((await at.alerts()).map(({ state }) => state).toSorted()).toEqual(['open', 'resolved'])
      expect(at.sent.length).toBeGreaterThan(before)
      await at.pass(minutes(40))
      await at.crisis('session-1', { idempotency_key: 'key-2' })
      expect((await at.alerts()).filter(({ state }) => state === 'open')).toHaveLength(2)
    },
  )

  it('rings whoever an alert was handed to urgently, and goes on after two minutes without an answer', async () => {
    at.start()
    await at.crisis()
    await at.acknowledge()
    await at.pass(seconds(1))
    await at.act('session-1', 'handed_off', { to: 'backup', urgent: true })
    expect(new Set(at.told().slice(1))).toEqual(
      new Set([
        [1, 'backup', 'other', 'hand off'],
        [1, 'backup', 'sms', 'hand off'],
        [1, 'backup', 'voice', 'hand off'],
        [1, 'backup', 'email', 'hand off'],
      ]),
    )
    await at.pass(minutes(2))
    expect((await at.rungs()).at(-1)).toEqual([121, 1, 'attempted', 'hand-off not accepted'])
    expect(at.told().at(-1)).toEqual([121, 'backup', 'voice', 'alert'])
    await at.act('session-1', 'hand_off_accepted', { by: 'backup' })
    const before = at.sent.length
    await at.pass(minutes(10))
    expect(at.sent).toHaveLength(before)
  })

  it('gives the alert of an earlier trigger that comes late the ladder that runs', async () => {
    at.start()
    await at.crisis()
    await at.pass(minutes(1))
    await at.crisis('session-1', { at: at.clock.now() - minutes(3) })
    const [alert, ...others] = await at.alerts()
    expect(others).toEqual([])
    expect(alert?.document.aliases).toHaveLength(2)
    await at.pass(minutes(5))
    expect((await at.rungs()).map(([second, rung]) => [second, rung])).toEqual([
      [0, 0],
      [300, 1],
    ])
    expect(await at.rows('SELECT DISTINCT alert_key FROM deliveries')).toHaveLength(1)
  })

  it('asks the policy when a rung comes, not when the alert did', async () => {
    at.start()
    await at.crisis()
    at.house.policy = ladderPolicy({
      people: [listed('new', { channels: { sms: '+15550142009', voice: null, email: null } })],
    })
    await at.pass(minutes(6))
    expect((await at.rungs()).slice(1)).toEqual([
      [300, 1, 'failed', 'left the directory'],
      [300, 2, 'attempted'],
    ])
    expect(at.told().at(-1)).toEqual([300, 'new', 'sms', 'alert'])
  })

  it('reduces what is kept to the same after a restart', async () => {
    await at.crisis()
    await at.acknowledge()
    at.clock.advance(minutes(1))
    await at.crisis('session-1', { consensus_score: 0.99 })
    const before = await at.alerts()
    const book = createAlertBook({ clock: at.clock, keyOf: () => Promise.resolve(null), ladder: true })
    const after = await at.store.asSchool(school, (unit) =>
      book.alertsOf(unit, { school_id: school, session_id: 'session-1' }),
    )
    expect(after.map(({ key, state, tier }) => [key, state, tier])).toEqual(
      before.map(({ alert_key, state, tier }) => [alert_key, state, tier]),
    )
  })

  it('keeps no more than a thousand records of a session that change nothing, and every one that counts', async () => {
    let leftOut = 0
    const keyOf = () => Promise.resolve(null)
    const book = createAlertBook({ clock: at.clock, keyOf, ladder: true, onLeftOut: () => void (leftOut += 1) })
    at.start()
    await at.crisis()
    const said = (number: number) => ({
      ...{ schema_version: 2, event_type: 'ALERT_ACTION', action: 'acknowledged', session_id: 'session-1' },
      ...{ school_id: school, student_hash: hashOf('session-1'), alert_key: 'any', covers: ['none'] },
      ...{ ack_id: `void-${number}`, idempotency_key: `void-${number}`, console_id: 'console-9', by: 'nobody' },
      ...{ timestamp: new Date(at.clock.now()).toISOString(), at: new Date(at.clock.now()).toISOString() },
      ...(number % 2 === 0 ? { refused: 'signature', refused_record: 'one' } : { unvouched: 'unsigned' }),
    })
    for (let from = 0; from < 1_200; from += 200)
      await at.store.asStation(async (unit) => {
        for (let number = from; number < from + 200; number += 1) await book.done(unit, school, said(number))
      })
    const kept = async (kind: string) =>
      (await at.rows(`SELECT step_id FROM alert_steps WHERE kind = '${kind}'`)).length
    expect([await kept('action'), leftOut]).toEqual([1_000, 200])
    await at.acknowledge()
    expect(await kept('action')).toBe(1_001)
    expect((await at.alerts()).map(({ state }) => state)).toEqual(['acknowledged'])
    await at.crisis('session-1', { consensus_score: 0.99 })
    expect(await kept('trigger')).toBe(2)
  }, 20_000)

  it('makes good a timer that is missing, and says that the ladder failed', async () => {
    const runner = at.start()
    await at.crisis()
    await at.run('DELETE FROM timers')
    await at.pass(minutes(1))
    expect(runner.failingSince(school)).not.toBeNull()
    expect(at.entries.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(at.sent.filter(({ message }) => message.kind === 'alarm failing').length).toBeGreaterThan(0)
    await at.pass(minutes(4))
    expect((await at.rungs()).at(-1)?.slice(0, 2)).toEqual([300, 1])
    expect(runner.failingSince(school)).toBeNull()
  })
})

describe('what cannot be worked', () => {
  beforeEach(async () => {
    at = await ladderHouse()
    await at.assign('session-1', 'assigned')
  })
  const elsewhere = 'elsewhere'
  const minuteLater = async () => {
    at.clock.advance(minutes(1))
    await at.idle()
  }

  it('keeps no other school waiting, and only its own school hears that the ladder fails', async () => {
    const runner = at.start()
    await at.idle()
    at.house.unreadable.add(elsewhere)
    const before = at.clock.now() - 1
    for (let stuck = 0; stuck < 250; stuck += 1)
      await at.run(`INSERT INTO timers (school_id, alert_key, kind, session_id, run, rung, firing, due_at, created_at)
        VALUES ('${elsewhere}', 'stuck-${stuck}', 'rung', 'stuck', 'none', 0, 0, ${before}, ${before})`)
    for (let stuck = 0; stuck < 250; stuck += 1)
      await at.run(`INSERT INTO tellings (school_id, telling_id, kind, person, channel, state, late_ms, due_at, created_at, claimed_until)
        VALUES ('${elsewhere}', 'stuck-${stuck}', 'alert', 'nobody', 'sms', 'waiting', 0, ${before}, ${before}, 0)`)
    await at.crisis()
    expect(at.told()).toEqual([[0, 'assigned', 'sms', 'alert']])
    await at.crisis('session-2')
    await minuteLater()
    expect(at.told().length).toBeGreaterThan(1)
    expect(runner.failingSince(elsewhere)).not.toBeNull()
    expect(runner.failingSince(school)).toBeNull()
  })

  it('is forgotten where it was left from before the ladder was turned off', async () => {
    const off = at.station('station-1', at.store, false)
    await at.crisis()
    await at.crisis('session-2')
    await at.acknowledge('session-2')
    const due_at = new Date(at.clock.now() + minutes(15)).toISOString()
    await at.act('session-1', 'acknowledged', { next_action: 'Contact the student', due_at }, off)
    await at.act('session-1', 'resolved', { disposition: 'not a concern' }, off)
    await at.act('session-2', 'resolved', { disposition: 'not a concern' }, off)
    expect(await at.rows('SELECT kind FROM timers ORDER BY kind')).toEqual([{ kind: 'due' }, { kind: 'rung' }])
    at.clock.advance(minutes(30))
    const runner = at.start()
    await at.idle()
    await minuteLater()
    expect(await at.rows('SELECT kind FROM timers')).toEqual([])
    expect(at.sent).toEqual([])
    expect(runner.failingSince(school)).toBeNull()
  })
})

describe('an alarm that fails', () => {
  beforeEach(async () => {
    at = await ladderHouse()
    await at.assign('session-1', 'assigned')
  })
  const told = () => at.sent.filter(({ message }) => message.kind === 'alarm failing')

  it('is told to whoever can be reached, once in the time after which the last rung comes again', async () => {
    const runner = at.start()
    at.setWays([])
    await expect(runner.alarmFails(school)).rejects.toThrow('nobody can be reached')
    at.setWays(['sms'])
    at.house.unreadable.add(school)
    await expect(runner.alarmFails(school)).rejects.toThrow('no policy')
    at.house.unreadable.clear()
    await runner.alarmFails(school)
    await at.idle()
    const first = told().length
    expect(first).toBeGreaterThan(0)
    await runner.alarmFails(school)
    await at.idle()
    expect(told()).toHaveLength(first)
    at.clock.advance(minutes(5))
    await at.idle()
    await runner.alarmFails(school)
    await at.idle()
    expect(told()).toHaveLength(2 * first)
  })

  it('of which nobody could be told is over once nothing is wrong any more', async () => {
    const runner = at.start()
    at.setWays([])
    await expect(runner.alarmFails(school)).rejects.toThrow('nobody can be reached')
    await at.pass(minutes(1))
    expect(runner.failingSince(school)).not.toBeNull()
    await at.pass(minutes(1))
    expect(runner.failingSince(school)).toBeNull()
  })

  it('is told to each person once, whoever finds it, and again while it lasts', async () => {
    const [runner, other] = [at.start(), at.start(at.station('station-2'))]
    const began = at.clock.now()
    const alike = new Set<string>()
    for (let minute = 0; minute < 12; minute += 1) {
      // A drill that failed and the audit, at two stations, each minute.
      await Promise.all([runner, other, runner].map((each) => each.alarmFails(school)))
      await at.idle()
      at.clock.advance(minutes(1))
      await at.idle()
    }
    for (const { at: when, person, channel } of told()) alike.add(`${when - began} ${person} ${channel}`)
    expect(alike.size).toBe(told().length)
    const times = [...new Set(told().map(({ at: when }) => when - began))]
    expect(times).toEqual([0, minutes(5), minutes(10)])
    // Nor does a station that starts in between begin anew.
    await at.stop(runner)
    const before = told().length
    await at.start().alarmFails(school)
    await at.idle()
    expect(told()).toHaveLength(before)
  })

  it('is noticed though a look never ends, and not where the machine only slept', async () => {
    const runner = at.start()
    await at.idle()
    at.clock.jump(minutes(60))
    at.clock.advance(seconds(1))
    expect(runner.failingSince(school)).toBeNull()
    at.clock.advance(seconds(11))
    expect(runner.failingSince(school)).not.toBeNull()
    await at.idle()
    expect(runner.failingSince(school)).toBeNull()
  })
})

describe('a clock that is set', () => {
  beforeEach(async () => {
    at = await ladderHouse()
    await at.assign('session-1', 'assigned')
  })

  it('back two hours keeps nobody waiting', async () => {
    at.start()
    await at.crisis()
    await at.answerDesktops()
    await at.pass(minutes(1))
    at.clock.set(at.clock.now() - minutes(120))
    await at.pass(seconds(1))
    await at.pass(minutes(3) + seconds(58))
    expect(await at.rungs()).toHaveLength(1)
    await at.pass(seconds(2))
    expect((await at.rungs()).at(-1)?.slice(1)).toEqual([1, 'attempted'])
  })

  it('back while nothing runs keeps nobody waiting either', async () => {
    const runner = at.start()
    await at.crisis()
    await at.stop(runner)
    at.clock.set(at.clock.now() - minutes(120))
    at.start()
    await at.idle()
    expect((await at.rungs()).at(-1)?.slice(1)).toEqual([1, 'attempted'])
    // And once is enough.
    await at.pass(seconds(14))
    expect(await at.rungs()).toHaveLength(2)
  })
})
