/** A station whose file another program holds: nobody is told that something was kept which was not, and it goes on by itself. */
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { Station } from '../../main/station/index.ts'
import { openStationStore } from '../../main/store/station/index.ts'
import { crisisWords, protocolReply } from '../support/intake-school.ts'
import { callAt, stationHouse, type StationHouse } from '../support/station.ts'

let folder: string
let house: StationHouse
let station: Station
let other: Database.Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'locked-station-'))
  const database = { file: join(folder, 'station.db'), key: systemRandomness.bytes(32) }
  house = await stationHouse()
  station = await house.start({
    store: await openStationStore(database),
    stationId: 'station-1',
    confirmations: null,
    publish: async () => new Map(),
  })
  other = new Database(database.file)
  other.pragma(`cipher = 'aegis'`)
  other.pragma(`key = "x'${database.key.toString('hex')}'"`)
})
afterEach(async () => {
  other.close()
  await house.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = (method: 'GET' | 'POST', path: string, body?: unknown) => callAt(station, method, path, body)

it('answers 503 with the reply of a crisis while it is held, and keeps the message once when it is sent again', async () => {
  const { body } = await call('POST', '/sessions', { user_id: 'student-1' })
  const messages = `/sessions/${String(body['session_id'])}/messages`
  const crisis = { sender: 'user', content: crisisWords, client_message_id: 'crisis' }
  other.exec('BEGIN IMMEDIATE')
  expect(await call('POST', messages, crisis)).toMatchObject({
    status: 503,
    body: { details: { tier: 'crisis', reply: protocolReply } },
  })
  other.exec('ROLLBACK')
  expect(await call('POST', messages, crisis)).toMatchObject({ status: 200, body: { tier: 'crisis' } })
  expect((await call('GET', '/ready')).status).toBe(200)
  expect((await call('GET', `/sessions/${String(body['session_id'])}`)).body).toMatchObject({ message_count: 1 })
})
