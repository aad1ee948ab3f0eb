import { afterEach, describe, expect, it } from 'vitest'
import { openStationStore } from '../../../../main/store/station/index.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { ladderHouse, type LadderHouse } from '../../../support/ladder.ts'
import { postgresMissing } from '../../../support/postgres.ts'

/** Two stations on one database, whose machines’ clocks are off by so much. */
async function twoStations(one: () => number, other: () => number) {
  const at = await ladderHouse('PostgreSQL')
  const second = await openStationStore(at.database)
  const stations = [at.station('station-1', at.store, true, one), at.station('station-2', second, true, other)] as const
  for (const { clock } of stations) await clock.compare()
  await at.assign('session-1', 'assigned')
  for (const station of stations) at.start(station)
  return { at, stations, close: async () => (await at.close(), second.close()) }
}

const ladder = [
  [0, 0],
  [300, 1],
  [600, 2],
  [900, 2],
  [1200, 2],
  [1500, 2],
  [1800, 2],
]
const rungsOf = async (at: LadderHouse) => (await at.rungs()).map(([second, rung]) => [second, rung])
let close: () => Promise<unknown> = () => Promise.resolve()
afterEach(() => close())

describe.skipIf(postgresMissing !== null)(`two stations${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  it.each([0, 1])('ten minutes apart tell nobody more, and nobody later, than one (heard by %d)', async (heardBy) => {
    const two = await twoStations(
      () => minutes(5),
      () => -minutes(5),
    )
    close = two.close
    const { at, stations } = two
    await at.crisis('session-1', {}, stations[heardBy])
    await at.answerDesktops()
    await at.pass(minutes(31))
    expect(await rungsOf(at)).toEqual(ladder)
    // What one station sends: a text, a call, and the last rung five times.
    expect(at.sent).toHaveLength(1 + 1 + 5 * 6)
    expect(at.sent.every(({ message }) => message.late_ms === 0)).toBe(true)
  })

  it('of which one has its clock set while an alert is open go on as if nothing was', async () => {
    let ahead = 0
    const two = await twoStations(
      () => ahead,
      () => 0,
    )
    close = two.close
    const { at, stations } = two
    await at.crisis('session-1', {}, stations[0])
    await at.answerDesktops()
    for (const wrong of [hours(2), -hours(2), minutes(5), -minutes(1), 0]) {
      ahead = wrong
      await at.pass(minutes(4))
    }
    await at.pass(minutes(11))
    expect(await rungsOf(at)).toEqual(ladder)
  })

  it('both notice that the database’s clock is set back, and set the timers back once', async () => {
    const two = await twoStations(
      () => 0,
      () => 0,
    )
    close = two.close
    const { at, stations } = two
    await at.crisis('session-1', {}, stations[0])
    await at.answerDesktops()
    await at.pass(minutes(1))
    at.clock.set(at.clock.now() - hours(2))
    await at.pass(seconds(1))
    await at.pass(minutes(3) + seconds(57))
    expect(await at.rungs()).toHaveLength(1)
    await at.pass(seconds(3))
    expect((await at.rungs()).slice(1).map(([, rung]) => rung)).toEqual([1])
    await at.pass(minutes(4))
    expect(await at.rungs()).toHaveLength(2)
  })
})

describe('a crisis that comes the moment after the clock was set back', () => {
  it('begins at the first rung, and no rung of it is late', async () => {
    const at = await ladderHouse()
    close = at.close
    await at.assign('session-1', 'assigned')
    await at.assign('session-2', 'assigned')
    at.start()
    await at.crisis()
    await at.answerDesktops()
    await at.acknowledge('session-1')
    await at.pass(minutes(1))
    const before = { rungs: (await at.rungs()).length, sent: at.sent.length }
    at.clock.set(at.clock.now() - hours(1))
    await at.crisis('session-2')
    await at.pass(seconds(2))
    const fresh = (await at.rungs()).slice(before.rungs)
    expect(fresh.map(([, rung]) => rung)).toEqual([0])
    expect(at.sent.slice(before.sent).every(({ message }) => message.late_ms === 0)).toBe(true)
  })
})

describe('a rung that has just fired', () => {
  it('does not come again within half a minute, whoever finds it due', async () => {
    const at = await ladderHouse()
    close = at.close
    await at.assign('session-1', 'assigned')
    at.start()
    await at.crisis()
    await at.answerDesktops()
    await at.pass(minutes(10) + seconds(1))
    const before = (await at.rungs()).length
    for (const due of [at.clock.now() - 1, at.clock.now() - minutes(10)]) {
      await at.run(`UPDATE timers SET due_at = ${due} WHERE kind = 'rung'`)
      await at.pass(seconds(5))
    }
    expect(await at.rungs()).toHaveLength(before)
    await at.pass(seconds(25))
    expect(await at.rungs()).toHaveLength(before + 1)
  })
})
