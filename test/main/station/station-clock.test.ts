import { expect, it } from 'vitest'
import { createStationClock } from '../../../main/station/station-clock.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { recordingLogger } from '../../support/intake-school.ts'
import { postgresMissing } from '../../support/postgres.ts'
import { openTestStore } from '../../support/test-stores.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

/** A database whose clock is right beside a machine whose clock is not. */
function setting(wrongBy: number) {
  const right = virtualClock()
  const wrong = { by: wrongBy }
  const machine = { now: () => right.now() + wrong.by, after: right.after }
  const asked = { times: 0, slow: 0, away: false }
  const now = async (): Promise<number> => {
    asked.times += 1
    if (asked.away) throw new Error('away')
    right.advance(asked.slow)
    const answer = right.now()
    right.advance(asked.slow)
    return answer
  }
  const { logger, entries } = recordingLogger()
  return { right, wrong, asked, entries, clock: createStationClock({ store: { now }, clock: machine, logger }) }
}

it.each([minutes(5), -minutes(5), hours(20)])(
  'shows what the database’s clock shows, however wrong the machine’s is (%d)',
  async (by) => {
    const { right, clock, entries } = setting(by)
    await clock.compare()
    expect(clock.now()).toBe(right.now())
    expect(entries).toHaveLength(1)
  },
)

it('follows the database’s clock when the machine’s is set', async () => {
  const { right, wrong, clock } = setting(0)
  await clock.compare()
  for (const by of [hours(2), -hours(3)]) {
    wrong.by = by
    right.advance(1)
    await clock.compare()
    expect(Math.abs(clock.now() - right.now())).toBeLessThanOrEqual(1)
  }
})

it('leaves a clock alone that is right but for a moment, or for as much as a slow answer leaves open', async () => {
  const { right, clock, asked, entries } = setting(400)
  await clock.compare()
  asked.slow = seconds(4)
  right.advance(seconds(2))
  await clock.compare()
  expect(clock.now()).toBe(right.now() + 400)
  expect(entries).toEqual([])
})

it('asks no more than once a second, keeps what it knows while nobody answers, and goes on by itself', async () => {
  const { right, clock, asked } = setting(minutes(5))
  const stop = clock.keepComparing()
  await clock.compare()
  await clock.compare()
  expect(asked.times).toBe(1)
  asked.away = true
  right.advance(seconds(10))
  await clock.compare()
  expect([asked.times, clock.now()]).toEqual([2, right.now()])
  stop()
  right.advance(minutes(1))
  expect(asked.times).toBe(2)
})

it('is the machine’s own where the database is this station’s alone', async () => {
  const { store, close } = await openTestStore('file')
  expect(await store.now()).toBeNull()
  await close()
})

it.skipIf(postgresMissing !== null)('is read from a real PostgreSQL in milliseconds', async () => {
  const { store, close } = await openTestStore('PostgreSQL')
  const before = Date.now()
  const now = await store.now()
  expect(now).toBeGreaterThanOrEqual(before - 5)
  expect(now).toBeLessThanOrEqual(Date.now() + 5)
  await close()
})
