/** What `npm run station -- keys` does beside stations that run, whatever database they share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { stationKeys } from '../../main/station-keys.ts'
import { otherSchool, school } from './intake-school.ts'
import { startQueueServer, type QueueServer } from './queue-server.ts'
import { startStationProcess, stationEnv, type StationProcess } from './station-process.ts'

const ports = { clock: systemClock, randomness: systemRandomness }
/** How soon stations that run know what another program did (milliseconds), with time for a slow machine. */
const soon = { timeout: 8000, interval: 100 }

interface Key {
  id: string
  key: string
  new_school: boolean
}

export interface KeysHouse {
  queue: QueueServer
  env: Record<string, string>
  /** Of the first station. */
  dataDir: string
}

/** Defines the tests. `database`: what the environment says of it; `count`: stations that run on it. */
export function keysBesideStations(count: number, database: () => Promise<Record<string, string>>): KeysHouse {
  const house = {} as KeysHouse
  let folder: string
  let stations: StationProcess[]
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'station-keys-'))
    house.queue = await startQueueServer()
    house.env = { ...stationEnv(house.queue), ...(await database()) }
    house.dataDir = join(folder, '0')
    stations = []
    for (let index = 0; index < count; index++)
      stations.push(await startStationProcess(house.env, { dataDir: join(folder, String(index)) }))
  }, 60_000)
  afterAll(async () => {
    for (const station of stations) await station.stop()
    await house.queue.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const keys = async (...argv: string[]) =>
    JSON.parse((await stationKeys([...argv, '--json', '--data-dir', house.dataDir], house.env, ports)).out) as Record<
      string,
      unknown
    >
  const statuses = (key: string) =>
    Promise.all(
      stations.map(
        async ({ url }) => (await fetch(new URL('/sessions?limit=1', url), { headers: { 'x-api-key': key } })).status,
      ),
    )

  it('a key that is issued opens every one of them, and none once it is revoked', async () => {
    const issued = (await keys('issue', '--label', 'the chat')) as unknown as Key
    expect(issued).toMatchObject({ school_id: school, scopes: ['read', 'write'], new_school: false })
    await vi.waitFor(async () => expect(await statuses(issued.key)).toEqual(stations.map(() => 200)), soon)
    expect(await keys('revoke', issued.id)).toEqual({ id: issued.id, revoked: true, was_revoked: false })
    await vi.waitFor(async () => expect(await statuses(issued.key)).toEqual(stations.map(() => 401)), soon)
    expect(await keys('revoke', issued.id)).toMatchObject({ revoked: false, was_revoked: true })
    const { keys: listed } = (await keys('list', '--school', school)) as { keys: { revoked_at: string | null }[] }
    expect(listed).toMatchObject([{ id: issued.id, revoked_at: expect.any(String) as string }])
    expect(JSON.stringify(listed)).not.toContain(issued.key)
  })

  it('a school that is new gets secrets of its own with its first key, and its chat is taken in', async () => {
    const { key, new_school } = (await keys('issue', '--label', 'theirs', '--school', otherSchool)) as unknown as Key
    expect(new_school).toBe(true)
    await vi.waitFor(async () => {
      const answers = await Promise.all(
        stations.map(({ url }) =>
          fetch(new URL('/sessions', url), {
            method: 'POST',
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
            body: JSON.stringify({ user_id: 'student-1' }),
          }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(stations.map(() => 201))
    }, soon)
    expect(await keys('list', '--school', otherSchool)).toMatchObject({ keys: [{ label: 'theirs' }] })
  })

  it('an id of nobody is said', async () => {
    await expect(keys('revoke', 'nobody')).rejects.toMatchObject({ code: 'unknown_key' })
  })
  return house
}
