import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Station } from '../../../main/station/index.ts'
import { stationHouse, type StationHouse } from '../../support/station.ts'

let house: StationHouse
let station: Station
beforeAll(async () => {
  house = await stationHouse()
  station = await house.start()
})
afterAll(() => house.close())

const open = (key: string) =>
  fetch(new URL('/sessions', station.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'S-1' }),
  }).then(({ status }) => status)
const list = (key: string) =>
  fetch(new URL('/sessions', station.url), { headers: { 'x-api-key': key } }).then(({ status }) => status)

it('a key that was given out opens what its scopes say, until it is revoked while in use', async () => {
  const { id, key } = await station.keys.issue({ label: 'School chat', scopes: ['write'] })
  expect([await open(key), await list(key)]).toEqual([201, 403])
  expect(await station.keys.revoke(id)).toBe(true)
  expect(await open(key)).toBe(401)
  expect([await station.keys.revoke(id), await station.keys.revoke('no such key')]).toEqual([false, false])
})

it('lists labels, scopes and times, and keeps nothing that opens', async () => {
  const { id, key } = await station.keys.issue({ label: 'Second chat', scopes: ['read', 'write'] })
  const listed = await station.keys.list()
  expect(listed.find((each) => each.id === id)).toEqual({
    id,
    label: 'Second chat',
    scopes: ['read', 'write'],
    created_at: house.clock.now(),
    revoked_at: null,
  })
  expect(JSON.stringify(listed)).not.toContain(key)
  expect(JSON.stringify(house.rows('SELECT * FROM api_keys'))).not.toContain(key.slice(7))
  expect(await open(`${key}x`)).toBe(401)
})
