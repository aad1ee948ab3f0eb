/** When it is said that events do not get through: after a minute of it while the station runs, whatever its clock does. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchPublishing, type Publishing } from '../../../main/station/publishing.ts'
import { enqueue, stationOutbox } from '../../../main/store/station/index.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { otherSchool, recordingLogger, school } from '../../support/intake-school.ts'
import { onEachStore, openTestStore, type TestStore } from '../../support/test-stores.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

let at: TestStore
let time: ReturnType<typeof virtualClock>
/** By how much the clock on the wall was set. */
let set: number
let nothingSince: number | null
let told: (number | null)[]
let log: ReturnType<typeof recordingLogger>
let publishing: Publishing
/** Resolves once the look of this moment is over. */
let looked: () => Promise<unknown>

const wall = { now: () => time.now() + set, after: (delay: number, work: () => void) => time.after(delay, work) }

async function watch(): Promise<void> {
  let looks: Promise<unknown> = Promise.resolve()
  looked = () => looks
  publishing = await watchPublishing({
    store: {
      ...at.store,
      asStation: (work, options) => {
        const answer = at.store.asStation(work, options)
        looks = answer.catch(() => undefined).then(() => new Promise((resolve) => setImmediate(resolve)))
        return answer
      },
    },
    sender: () => ({ failingSince: () => nothingSince }),
    clock: wall,
    logger: log.logger,
    onChange: (since) => void told.push(since),
  })
}
const outbox = () => stationOutbox({ store: at.store, stationId: 'station-1', awaitsConfirmation: false })
const put = (id: string, event_type = 'CRISIS_DETECTED', school_id = school) =>
  at.store.asSchool(school_id, (unit) =>
    enqueue(unit, [{ id, school_id, group: id, event_type, body: '{"words":"WORDS"}', at: wall.now() }]),
  )
/** The topic refuses everything that waits. */
async function refuse(code = 'InternalError'): Promise<void> {
  for (const { position } of await outbox().next(wall.now() + minutes(1), 1000, false))
    await outbox().markFailed(position, wall.now(), code)
}
async function pass(length: number): Promise<void> {
  for (let gone = 0; gone < length; gone += seconds(5)) {
    time.advance(seconds(5))
    await looked()
  }
}

beforeEach(() => {
  time = virtualClock()
  set = 0
  nothingSince = null
  told = []
  log = recordingLogger()
})
afterEach(async () => {
  await publishing.stop()
  await at.close()
})

onEachStore((kind) => {
  beforeEach(async () => void (at = await openTestStore(kind)))

  it('what the topic refuses for a minute is told once and named in the log, without a word of it', async () => {
    await watch()
    const began = time.now()
    for (const id of ['a', 'b']) await put(id)
    await put('c', 'MESSAGE_ANALYZED', otherSchool)
    await refuse()
    await pass(seconds(55))
    expect([told, publishing.failingSince()]).toEqual([[], null])
    await pass(minutes(2))
    expect(told).toEqual([began])
    expect([school, otherSchool, 'none'].map(publishing.failingSinceOf)).toEqual([began, began, null])
    const errors = log.entries.filter(({ level }) => level === 'error')
    expect(errors.map(({ fields }) => fields)).toEqual([
      {
        since: new Date(began).toISOString(),
        oldest: new Date(began).toISOString(),
        refused: [
          { event_type: 'CRISIS_DETECTED', code: 'InternalError', events: 2 },
          { event_type: 'MESSAGE_ANALYZED', code: 'InternalError', events: 1 },
        ],
      },
    ])
    expect(JSON.stringify(log.entries)).not.toMatch(new RegExp(`WORDS|${school}|${otherSchool}`))
    await at.run('DELETE FROM outbox')
    await pass(seconds(10))
    expect(told).toEqual([began, null])
    expect(publishing.failingSinceOf(school)).toBeNull()
  })

  it('what failed before this start is a failure of this start only once it is tried, and then after a minute', async () => {
    await put('old')
    await refuse()
    time.advance(hours(5))
    await watch()
    // A long line stands before it.
    await pass(minutes(2))
    expect(told).toEqual([])
    const tried = time.now()
    await refuse()
    await pass(minutes(1))
    expect(told).toEqual([])
    await pass(seconds(10))
    expect(told).toHaveLength(1)
    expect(told[0]).toBeGreaterThanOrEqual(tried)
  })
})

describe('a clock that is set', () => {
  beforeEach(async () => void (at = await openTestStore()))

  const nothingGetsThrough = (): Promise<void> => Promise.resolve(void (nothingSince = wall.now()))
  it.each([
    ['forward', hours(1), 'one event', () => refuse()],
    ['back', -hours(1), 'one event', () => refuse()],
    ['forward', hours(1), 'everything', nothingGetsThrough],
    ['back', -hours(1), 'everything', nothingGetsThrough],
  ] as const)('%s by %i ms neither alarms nor silences where %s is refused', async (_way, by, _what, fail) => {
    await watch()
    await put('a')
    await fail()
    await pass(seconds(20))
    set = by
    await pass(seconds(30))
    expect([told, publishing.failingSince()]).toEqual([[], null])
    await pass(seconds(20))
    expect(told).toHaveLength(1)
    // By the clock as it is now, and within a look of when it began.
    expect(Math.abs((told[0] ?? 0) - (wall.now() - seconds(70)))).toBeLessThanOrEqual(seconds(10))
  })

  it('before the failure is no part of it', async () => {
    await watch()
    await pass(minutes(1))
    set = -hours(1)
    await put('a')
    await refuse()
    await pass(seconds(5))
    set = hours(3)
    await pass(seconds(45))
    expect(told).toEqual([])
    await pass(seconds(20))
    expect(told).toHaveLength(1)
  })
})

it('while the database is away what was known stands', async () => {
  at = await openTestStore()
  await watch()
  await put('a')
  await refuse()
  await pass(seconds(10))
  await at.store.close()
  await pass(minutes(1))
  expect(told).toHaveLength(1)
})

it('everything that gets through again is told, and logged', async () => {
  at = await openTestStore()
  await watch()
  nothingSince = time.now()
  await pass(minutes(1))
  expect(told).toEqual([nothingSince])
  nothingSince = null
  await pass(seconds(5))
  expect(told).toHaveLength(2)
  expect(log.entries.map(({ level }) => level)).toEqual(['error', 'info'])
})
