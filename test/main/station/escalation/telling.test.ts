import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStationStore } from '../../../../main/store/station/index.ts'
import { minutes, seconds } from '../../../../shared/time.ts'
import { ladderHouse, type LadderHouse } from '../../../support/ladder.ts'
import { postgresMissing } from '../../../support/postgres.ts'
import { onEachStore } from '../../../support/test-stores.ts'

let at: LadderHouse
afterEach(() => at.close())

/** Crises of several students, each assigned to the same counselor. */
const crises = async (from: number, to: number) => {
  for (let number = from; number < to; number += 1) {
    await at.assign(`session-${number}`, 'assigned')
    await at.crisis(`session-${number}`)
  }
}
const sms = (person = 'assigned') => at.sent.filter((each) => each.channel === 'sms' && each.person === person)

onEachStore((kind) => {
  beforeEach(async () => void (at = await ladderHouse(kind)))

  it('tells a person of the first crisis alone and at once, and of all others of a minute together', async () => {
    at.start()
    const began = at.clock.now()
    await crises(0, 5)
    expect(sms().map(({ message }) => [message.kind, message.count])).toEqual([['alert', 1]])
    await at.pass(seconds(60))
    expect(sms().map(({ at: when, message }) => [when - began, message.kind, message.count])).toEqual([
      [0, 'alert', 1],
      [seconds(60), 'several', 4],
    ])
    // Each alert says in which message it was told.
    const rows = await at.rows(
      `SELECT telling_id, count(*) AS alerts FROM deliveries WHERE channel = 'sms' GROUP BY telling_id ORDER BY 2`,
    )
    expect(rows.map(({ alerts }) => Number(alerts))).toEqual([1, 4])
  })

  it('tells of the first urgent hand-off of a minute at once, and of all others of it together', async () => {
    at.start()
    for (let number = 0; number < 20; number += 1) {
      await at.crisis(`session-${number}`)
      await at.acknowledge(`session-${number}`)
    }
    at.sent.splice(0)
    const began = at.clock.now()
    for (let number = 0; number < 20; number += 1) {
      await at.act(`session-${number}`, 'handed_off', { to: 'backup', urgent: true })
      await at.pass(seconds(1))
    }
    await at.pass(seconds(60))
    expect(sms('backup').map(({ at: when, message }) => [when - began, message.kind, message.count])).toEqual([
      [0, 'hand off', 1],
      [seconds(60), 'several', 19],
    ])
  })

  it('does not tell again within half a minute of an alert that was taken back and handed over again', async () => {
    at.start()
    await at.crisis('session-1')
    await at.acknowledge('session-1')
    at.sent.splice(0)
    const handOver = () => at.act('session-1', 'handed_off', { to: 'backup', urgent: true })
    for (let times = 0; times < 10; times += 1) {
      await handOver()
      await at.pass(seconds(1))
      await at.act('session-1', 'hand_off_withdrawn')
      await at.pass(seconds(1))
    }
    expect(sms('backup').map(({ message }) => message.kind)).toEqual(['hand off'])
    await at.pass(minutes(1))
    await handOver()
    expect(sms('backup').map(({ message }) => message.kind)).toEqual(['hand off', 'hand off'])
    // The ladder goes on all the same.
    await at.pass(minutes(2) + seconds(1))
    expect((await at.rungs()).at(-1)?.at(-1)).toBe('hand-off not accepted')
  })

  it('lets a first crisis overtake what waits', async () => {
    at.start()
    await at.assign('high-1', 'assigned')
    await at.high('high-1')
    await at.assign('high-2', 'assigned')
    await at.high('high-2')
    expect(sms()).toHaveLength(1)
    await crises(0, 1)
    expect(sms().map(({ message }) => [message.tier, message.kind])).toEqual([
      ['high', 'alert'],
      ['crisis', 'alert'],
    ])
    await at.pass(seconds(60))
    expect(sms()).toHaveLength(3)
  })

  it('leaves out of a message what somebody holds by then', async () => {
    at.start()
    await crises(0, 3)
    await at.pass(seconds(30))
    await at.acknowledge('session-1')
    await at.pass(seconds(30))
    expect(sms().at(-1)?.message).toMatchObject({ kind: 'alert', count: 1, reply: 3 })
    await at.acknowledge('session-2')
    await crises(3, 4)
    await at.acknowledge('session-3')
    const before = sms().length
    await at.pass(seconds(60))
    expect(sms()).toHaveLength(before)
  })

  it('keeps what waits across a restart, and tells it once', async () => {
    const runner = at.start()
    await crises(0, 3)
    await at.stop(runner)
    at.forget()
    at.start()
    await at.pass(seconds(61))
    expect(sms().map(({ message }) => message.count)).toEqual([1, 2])
  })

  it('sends again under the same name what a station had in hand when it ended', async () => {
    const never = new Promise<never>(() => undefined)
    at.setOutcome(({ channel }) => (channel === 'sms' ? never : { outcome: 'delivered', reference: null }))
    at.setWays(['sms'])
    const first = at.station('station-1')
    const runner = first.start()
    await at.assign('session-0', 'assigned')
    await at.crisis('session-0')
    const waitFor = async () => {
      while (sms().length === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    runner.wake()
    await waitFor()
    // It is gone without a word: another one waits until it would have had to answer.
    void runner.stop()
    at.setOutcome(() => ({ outcome: 'delivered', reference: null }))
    at.start(at.station('station-2'))
    await at.pass(seconds(24))
    expect(sms()).toHaveLength(1)
    await at.pass(seconds(2))
    expect(sms().map(({ id }) => id)).toEqual([sms()[0]?.id, sms()[0]?.id])
    expect((await at.deliveries()).filter(({ channel }) => channel === 'sms')).toMatchObject([{ state: 'delivered' }])
  })

  it('gives each alert a number by which it can be answered', async () => {
    at.start()
    await crises(0, 2)
    expect((await at.alerts('session-0')).map(({ number }) => number)).toEqual([1])
    expect((await at.alerts('session-1')).map(({ number }) => number)).toEqual([2])
  })
})

describe('two hundred alerts in one minute', () => {
  beforeEach(async () => void (at = await ladderHouse()))

  it('are a few messages to each person, and every ladder is right', async () => {
    at.start()
    for (let number = 0; number < 200; number += 1) {
      await crises(number, number + 1)
      if (number % 10 === 9) await at.pass(seconds(3))
    }
    await at.pass(minutes(2))
    expect(sms().length).toBeLessThanOrEqual(4)
    expect(sms().reduce((sum, { message }) => sum + message.count, 0)).toBe(200)
    const rungs = (await at.ladderEvents()).filter(({ event_type }) => event_type === 'ALERT_ESCALATED')
    expect(rungs).toHaveLength(200)
    expect(rungs.every(({ late, rung }) => !late && rung === 0)).toBe(true)
  }, 30_000)
})

describe.skipIf(postgresMissing !== null)(`two stations${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  it('fire each rung once, and tell each person once', async () => {
    at = await ladderHouse('PostgreSQL')
    const second = await openStationStore(at.database)
    const other = at.station('station-2', second)
    at.start()
    at.start(other)
    for (let number = 0; number < 10; number += 1) {
      await at.assign(`session-${number}`, 'assigned')
      await at.crisis(`session-${number}`, {}, number % 2 === 0 ? at.own() : other)
    }
    await at.pass(minutes(11))
    const rungs = await at.rows(`SELECT alert_key, run, firing, rung, person, channel, count(*) AS times FROM deliveries
      GROUP BY alert_key, run, firing, rung, person, channel HAVING count(*) > 1`)
    expect(rungs).toEqual([])
    const escalated = (await at.ladderEvents()).filter(({ event_type }) => event_type === 'ALERT_ESCALATED')
    expect(escalated).toHaveLength(30)
    expect(new Set(at.sent.map(({ id }) => id)).size).toBe(at.sent.length)
    await second.close()
  })
})
