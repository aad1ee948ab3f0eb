/** A console, as a process of its own, that closes in good order or is killed; and what its station makes of it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toQueue } from '../../main/outbox/index.ts'
import type { Station } from '../../main/station/index.ts'
import { minutes, seconds } from '../../shared/time.ts'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'
import { rulesOnly } from '../main/analysis/rules-only.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { callAt, stationHouse, type StationHouse } from '../support/station.ts'
import { virtualClock } from '../support/virtual-clock.ts'

let house: StationHouse
let queue: QueueServer
let console: ConsoleProcess
let station: Station
let clock: ReturnType<typeof virtualClock>
beforeEach(async () => {
  queue = await startQueueServer()
  house = await stationHouse()
  console = await startConsoleProcess({ env: { ...queue.env, ...(await signedInEnv()) } })
  clock = virtualClock(Date.now())
  station = await house.start({
    schoolId: testSchool,
    sqs: queue.sqs,
    acksQueueUrl: queue.acksQueueUrl,
    publish: toQueue(queue.sqs, queue.eventsQueueUrl),
    drills: true,
    assessment: { engine: rulesOnly(), services: null },
    ports: { ...house.ports, clock },
  })
  // The first drill, which no window draws: the console says so after a few seconds.
  clock.advance(seconds(10))
  await vi.waitFor(async () => expect(await rowsOf('drills_seen')).toBe(1), { timeout: 30_000 })
}, 60_000)
afterEach(async () => {
  await console.stop('SIGKILL')
  await house.close()
  await queue.stop()
})

const rowsOf = async (table: 'drills_seen' | 'consoles_closed') => (await house.rows(`SELECT * FROM ${table}`)).length
/** What the station says of itself once drills have not come back for longer than they may. */
const saidLater = async () => {
  clock.advance(minutes(18))
  return vi.waitFor(
    async () => {
      const { degraded = [] } = (await callAt(station, 'GET', '/ready')).body as { degraded?: string[] }
      expect(degraded).not.toEqual([])
      return degraded
    },
    { timeout: 10_000 },
  )
}

it('one that is closed says so before it ends: then nobody is there, and nothing is failing', async () => {
  expect(await console.stop()).toBe(0)
  await vi.waitFor(async () => expect(await rowsOf('consoles_closed')).toBe(1), { timeout: 10_000 })
  expect(await saidLater()).toEqual(['no console is open'])
})

it('one that is killed is missed', async () => {
  await console.stop('SIGKILL')
  expect(await saidLater()).toEqual(['not confirmed'])
})
