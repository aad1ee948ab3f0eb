/** Clocks that are wrong by hours, of the station or of the console: nothing is lost or late, and nothing looks proven that is not. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toQueue } from '../../main/outbox/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import type { Clock } from '../../main/platform/ports.ts'
import { hours, minutes, seconds } from '../../shared/time.ts'
import type { StripView } from '../../shared/views.ts'
import { crisisWords } from '../support/intake-school.ts'
import { openConsole, type OpenConsole } from '../support/open-console.ts'
import { testSchool } from '../support/sign-in.ts'
import { chatAt, stationHouse, type StationHouse } from '../support/station.ts'

let house: StationHouse
let console: OpenConsole
beforeEach(async () => {
  house = await stationHouse()
  console = await openConsole()
})
afterEach(async () => {
  await house.close()
  await console.stop()
})

/** A clock that is wrong by so much, until it is set. */
function wrongBy(offset: number): Clock & { set(right: number): void } {
  let wrong = offset
  return {
    now: () => systemClock.now() + wrong,
    after: (delay, work) => systemClock.after(delay, work),
    set: (right) => void (wrong = right),
  }
}

/** A station beside that console whose clock is this one. */
const stationWith = (clock: Clock) =>
  house.start({
    schoolId: testSchool,
    sqs: console.queue.sqs,
    acksQueueUrl: console.acksQueueUrl,
    publish: toQueue(console.queue.sqs, console.queue.url),
    confirmations: null,
    ports: { ...house.ports, clock },
  })
const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })
const alerts = async () => (await console.as('CLINICIAN').alerts.page({ filter: 'all', offset: 0, limit: 50 })).rows
const strip = async (): Promise<StripView> => {
  for await (const view of await console.as('CLINICIAN').strip.watch()) return view
  throw new Error('nothing was told')
}

it.each([
  ['ahead', hours(5)],
  ['behind', -hours(5)],
])('a station’s clock hours %s: its crisis is there at once, and is acknowledged in its order', async (_, offset) => {
  const station = await stationWith(wrongBy(offset))
  const { session_id } = await chatAt(station).startSession({ user_id: 'student-1' })
  await chatAt(station).send(session_id, { sender: 'user', content: crisisWords, client_message_id: randomUUID() })
  const row = await until(async () => {
    const [found] = await alerts()
    if (found?.kind !== 'alert') throw new Error('no alert yet')
    return found
  })
  expect(row).toMatchObject({ session_id, state: 'open' })
  const calls = console.as('CLINICIAN')
  const first = await calls.alerts.acknowledge({ key: row.key })
  const second = await calls.alerts.note({ key: row.key, note: 'Called home.' })
  await until(async () => {
    const { state, actions } = await calls.alerts.detail({ key: row.key })
    expect(state).toBe('acknowledged')
    const sent = actions.filter(({ id }) => id === first.ack_id || id === second.ack_id)
    expect(sent.map(({ id, delivery }) => [id, delivery])).toEqual([
      [first.ack_id, 'confirmed'],
      [second.ack_id, 'confirmed'],
    ])
  })
  const { proven_at, heartbeat_overdue } = await strip()
  expect(heartbeat_overdue).toBe(offset < 0)
  // What is proven is never later than now.
  expect(proven_at).toBeLessThanOrEqual(systemClock.now())
})

it('a station’s clock more than a day ahead: its crisis is set aside in sight, and nothing is proven by it', async () => {
  const station = await stationWith(wrongBy(hours(30)))
  const { session_id } = await chatAt(station).startSession({ user_id: 'student-1' })
  await chatAt(station).send(session_id, { sender: 'user', content: crisisWords, client_message_id: randomUUID() })
  await until(async () => expect((await strip()).quarantined_crises).toBeGreaterThan(0))
  expect((await strip()).proven_at).toBeNull()
  expect(JSON.stringify(await console.as('COUNSELOR').quarantine.list())).toMatch(/24 hours/)
})

it('a station’s clock that is set right while it runs: what comes then comes at once, and heartbeats go on', async () => {
  const clock = wrongBy(hours(5))
  const station = await stationWith(clock)
  const { session_id } = await chatAt(station).startSession({ user_id: 'student-1' })
  await chatAt(station).send(session_id, { sender: 'user', content: 'hello', client_message_id: randomUUID() })
  clock.set(0)
  const after = systemClock.now()
  await chatAt(station).send(session_id, { sender: 'user', content: crisisWords, client_message_id: randomUUID() })
  await until(async () => expect(await alerts()).toHaveLength(1))
  expect(systemClock.now() - after).toBeLessThan(seconds(10))
  await until(async () => expect(await house.rows('SELECT id FROM outbox')).toEqual([]))
  // The next one is not held back for the hours that the last one was ahead.
  await station.stop()
  await stationWith(wrongBy(0))
  const beats = () =>
    console.parts.db
      .prepare(`SELECT json_extract(body, '$.number') FROM events WHERE event_type = 'HEARTBEAT' ORDER BY seq`)
      .pluck()
      .all()
  await until(() => expect(beats()).toEqual([1, 2]))
  expect((await strip()).heartbeat_overdue).toBe(false)
  expect((await strip()).proven_at).toBeGreaterThan(after - minutes(1))
})
