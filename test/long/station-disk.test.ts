/** A station whose disk is full for a while: nobody is told that something was kept which was not, and it goes on by itself. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { Station } from '../../main/station/index.ts'
import { openStationStore, type StationDatabase } from '../../main/store/station/index.ts'
import { seconds } from '../../shared/time.ts'
import { crisisWords, protocolReply } from '../support/intake-school.ts'
import { postgresMissing, postgresUser, startPostgres } from '../support/postgres.ts'
import { makeSmallDisk, smallDiskMissing, type SmallDisk } from '../support/small-disk.ts'
import { callAt, stationHouse, type StationHouse } from '../support/station.ts'

interface OnDisk {
  disk: SmallDisk
  database: StationDatabase
  close(): Promise<void>
}

async function fileOnDisk(): Promise<OnDisk> {
  const disk = makeSmallDisk(4)
  const database = { file: join(disk.folder, 'station.db'), key: systemRandomness.bytes(32) }
  return { disk, database, close: async () => disk.remove() }
}

async function postgresOnDisk(): Promise<OnDisk> {
  const { uid = 0, gid = 0 } = postgresUser()
  const disk = makeSmallDisk(120, { uid, gid })
  const server = await startPostgres({ durable: true, within: disk.folder })
  const { url } = await server.createDatabase('station')
  const close = async () => {
    await server.remove()
    disk.remove()
  }
  return { disk, database: { url }, close }
}

const stores = [
  ['the encrypted file', smallDiskMissing, fileOnDisk],
  ['PostgreSQL', postgresMissing ?? smallDiskMissing, postgresOnDisk],
] as const

describe.each(stores)('the full disk of %s', (_, missing, prepare) => {
  let at: OnDisk
  let house: StationHouse
  let station: Station
  let published: string[]
  beforeEach(async () => {
    if (missing !== null) return
    at = await prepare()
    house = await stationHouse()
    published = []
    station = await house.start({
      store: await openStationStore(at.database),
      stationId: 'station-1',
      confirmations: null,
      publish: async (messages) => {
        published.push(...messages.map(({ id }) => id))
        return new Map()
      },
    })
  }, 60_000)
  afterEach(async () => {
    if (missing !== null) return
    await house.close()
    await at.close()
  })

  const call = (method: 'GET' | 'POST', path: string, body?: unknown) => callAt(station, method, path, body)

  it(`is a 503 to the sender, with the reply of a crisis; what is sent again is there once${missing ? ` (${missing})` : ''}`, async ({
    skip,
  }) => {
    if (missing !== null) return skip(missing)
    const { body } = await call('POST', '/sessions', { user_id: 'student-1' })
    const messages = `/sessions/${String(body['session_id'])}/messages`
    const say = (number: number) =>
      call('POST', messages, {
        sender: 'user',
        content: `number ${number} ${'and so on '.repeat(300)}`,
        client_message_id: `m-${number}`,
      })
    expect((await say(0)).status).toBe(200)
    expect((await call('GET', '/ready')).status).toBe(200)

    at.disk.fill()
    const statuses = [200]
    // A database keeps some room of its own, and takes messages until that is used up.
    while (statuses.length < 400 && statuses.filter((status) => status !== 200).length < 5)
      statuses.push((await say(statuses.length)).status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    const crisis = { sender: 'user', content: crisisWords, client_message_id: 'crisis' }
    expect(await call('POST', messages, crisis)).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { details: { tier: 'crisis', reply: protocolReply } },
    })
    expect(await call('GET', '/ready')).toMatchObject({ status: 503 })
    expect((await call('GET', '/health')).status).toBe(200)
    expect(house.entries.filter(({ message }) => message === 'not stored')).not.toEqual([])

    at.disk.free()
    expect((await call('GET', '/ready')).status).toBe(200)
    for (const [number, status] of statuses.entries()) if (status !== 200) expect((await say(number)).status).toBe(200)
    expect(await call('POST', messages, crisis)).toMatchObject({ status: 200, body: { tier: 'crisis' } })
    expect((await call('GET', `/sessions/${String(body['session_id'])}`)).body).toMatchObject({
      message_count: statuses.length + 1,
    })
    await vi.waitFor(
      () => {
        house.clock.advance(seconds(30))
        const own = new Set(published.filter((id) => !id.startsWith('heartbeat')))
        expect([...own].filter((id) => id.endsWith(':MESSAGE_ANALYZED'))).toHaveLength(statuses.length + 1)
        expect([...own].filter((id) => id.includes('CRISIS_DETECTED'))).toHaveLength(1)
      },
      { timeout: 10_000 },
    )
  })
})
