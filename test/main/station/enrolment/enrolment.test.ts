/** What a station makes of consoles that announce themselves: real REST, real queue, real database file. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { SignJWT } from 'jose'
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Station, StationOptions } from '../../../../main/station/index.ts'
import { createEnrolment } from '../../../../main/station/enrolment/index.ts'
import { parseApiKeys } from '../../../../main/station/intake/index.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { enrolmentStore } from '../../../../main/store/station/index.ts'
import { sealingContext } from '../../../../shared/enrolment.ts'
import { announcingConsole } from '../../../support/announcing-console.ts'
import { otherSchool, school } from '../../../support/intake-school.ts'
import { testSecret } from '../../../support/sign-in.ts'
import { stationHouse, type StationHouse } from '../../../support/station.ts'

const operatorToken = 'token-of-the-operator-0001'
const signIn = { jwtSecret: testSecret, jwksUrl: null, jwtIssuer: null, jwtAudience: null }

let house: StationHouse
let station: Station
beforeEach(async () => {
  house = await stationHouse()
  station = await start()
})
afterEach(() => house.close())

const start = (changes: Partial<StationOptions> = {}) =>
  house.start({
    settings: { keys: parseApiKeys(`key-of-another-school:${otherSchool}`), bufferSize: 20 },
    administration: { signIn, operatorToken },
    ...changes,
  })
const tokenOf = (role = 'ADMIN', school_id = school, secret = testSecret) =>
  new SignJWT({ role, school_id, name: 'A. Dean' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('admin-1')
    .setIssuedAt(Math.floor(house.clock.now() / 1000))
    .setExpirationTime(Math.floor(house.clock.now() / 1000) + 3600)
    .sign(new TextEncoder().encode(secret))

async function ask(path: string, token: string | null, body?: unknown) {
  const response = await fetch(new URL(path, station.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const decide = async (what: string, console_id: string, fingerprint: string, token?: string) =>
  ask(`/consoles/${console_id}/${what}`, token ?? (await tokenOf()), { fingerprint })
const states = () => house.rows('SELECT console_id, state FROM consoles ORDER BY announced_at, fingerprint')
const stateOf = async (fingerprint: string) =>
  (await house.rows(`SELECT state FROM consoles WHERE fingerprint = '${fingerprint}'`))[0]?.['state']
async function announce(...messages: object[]) {
  for (const message of messages) await house.queue.send(message, house.acksQueueUrl)
  await vi.waitFor(async () => expect(await house.queue.left(house.acksQueueUrl)).toBe(0), {
    timeout: 10_000,
    interval: 20,
  })
}
const sealedKeys = async () =>
  (await house.queue.take()).filter(({ event_type }) => event_type === 'SCHOOL_KEY_SEALED') as Record<string, string>[]
const published = () =>
  vi.waitFor(async () => {
    const keys = await sealedKeys()
    expect(keys).not.toEqual([])
    return keys
  })

describe('a console that announces itself', () => {
  it('waits, and is listed to an admin of its school with the fingerprint that it shows', async () => {
    const console = announcingConsole({ school_id: school })
    await announce(console.announcement())
    expect((await ask('/consoles', await tokenOf())).body).toEqual({
      consoles: [
        {
          console_id: 'console-1',
          school_id: school,
          fingerprint: console.fingerprint,
          state: 'waiting',
          announced_at: new Date(house.clock.now()).toISOString(),
          decided_at: null,
          decided_by: null,
        },
      ],
    })
    expect((await ask('/consoles', await tokenOf('ADMIN', otherSchool))).body).toEqual({ consoles: [] })
    expect(await sealedKeys()).toEqual([])
  })

  it('is believed only where its own key signed all of it, and of a school of this station', async () => {
    const console = announcingConsole({ school_id: school })
    const other = announcingConsole({ school_id: school })
    const announcement = console.announcement()
    await announce(
      { ...announcement, sealing_key: other.keys.sealing_key },
      { ...announcement, console_id: 'console-2' },
      { ...announcement, signature: other.announcement().signature },
      console.announcement({ school_id: '00000000-2222-4333-8444-555555555555' }),
      console.announcement({ signing_key: 'short' }),
      { event_type: 'CONSOLE_ANNOUNCED', ack_id: 'a' },
    )
    expect(await states()).toEqual([])
    expect(house.entries.filter(({ level }) => level === 'warn')).toHaveLength(6)
    const told = JSON.stringify(house.entries)
    for (const secret of ['console-1', announcement.signing_key, console.fingerprint])
      expect(told).not.toContain(secret)
  })
})

describe('an admin', () => {
  it('approves a fingerprint: the key that comes opens for that console alone', async () => {
    const console = announcingConsole({ school_id: school })
    await announce(console.announcement())
    expect(await decide('approve', 'console-1', console.fingerprint.toLowerCase())).toMatchObject({
      status: 200,
      body: { state: 'approved', decided_by: 'admin-1', decided_at: new Date(house.clock.now()).toISOString() },
    })
    const [sealed, ...more] = await published()
    expect(more).toEqual([])
    expect(sealed).toMatchObject({ school_id: school, console_id: 'console-1', fingerprint: console.fingerprint })
    const { school_id = '', console_id = '', key_id = '' } = sealed ?? {}
    const context = sealingContext({ school_id, console_id, key_id })
    expect(await console.sealing.open(sealed?.['sealed'] ?? '', context)).toHaveLength(32)
    await expect(
      announcingConsole({ school_id: school }).sealing.open(sealed?.['sealed'] ?? '', context),
    ).rejects.toThrow()
  })

  it('approves nothing without the fingerprint, by another one, or of nobody', async () => {
    const console = announcingConsole({ school_id: school })
    await announce(console.announcement())
    const other = announcingConsole({ school_id: school }).fingerprint
    expect((await ask('/consoles/console-1/approve', await tokenOf(), {})).status).toBe(400)
    expect((await decide('approve', 'console-1', other)).status).toBe(409)
    expect((await decide('approve', 'console-2', console.fingerprint)).status).toBe(404)
    expect((await decide('revoke', 'console-1', console.fingerprint)).status).toBe(409)
    expect(await stateOf(console.fingerprint)).toBe('waiting')
    expect(await sealedKeys()).toEqual([])
  })

  it('is known by a token of that school: nobody else decides or sees anything', async () => {
    const console = announcingConsole({ school_id: school })
    await announce(console.announcement())
    const tokens: [number, string | null][] = [
      [401, null],
      [401, 'no token'],
      [401, station.apiKey],
      [401, await tokenOf('ADMIN', school, 'another secret of at least thirty-two letters')],
      [403, await tokenOf('COUNSELOR')],
      [403, await tokenOf('CLINICIAN')],
    ]
    for (const [status, token] of tokens) {
      expect((await ask('/consoles', token)).status).toBe(status)
      for (const decision of ['approve', 'refuse', 'revoke'])
        expect((await ask(`/consoles/console-1/${decision}`, token, { fingerprint: console.fingerprint })).status).toBe(
          status,
        )
    }
    const colleague = await tokenOf('ADMIN', otherSchool)
    expect((await decide('approve', 'console-1', console.fingerprint, colleague)).status).toBe(404)
    const named = { fingerprint: console.fingerprint, school_id: school }
    expect((await ask('/consoles/console-1/approve', colleague, named)).status).toBe(403)
    expect((await ask(`/consoles?school_id=${school}`, colleague)).status).toBe(403)
    expect(await stateOf(console.fingerprint)).toBe('waiting')
  })

  it('refuses, changes their mind, and revokes for good', async () => {
    const console = announcingConsole({ school_id: school })
    await announce(console.announcement())
    expect((await decide('refuse', 'console-1', console.fingerprint)).body['state']).toBe('refused')
    await announce(console.announcement())
    expect(await stateOf(console.fingerprint)).toBe('refused')
    expect((await decide('approve', 'console-1', console.fingerprint)).body['state']).toBe('approved')
    expect((await decide('revoke', 'console-1', console.fingerprint)).body['state']).toBe('revoked')
    await announce(console.announcement())
    expect((await decide('approve', 'console-1', console.fingerprint)).status).toBe(409)
    expect(await stateOf(console.fingerprint)).toBe('revoked')
  })
})

it('the operator sees every school’s, and says of which one they decide', async () => {
  const [here, there] = [announcingConsole({ school_id: school }), announcingConsole({ school_id: otherSchool })]
  await announce(here.announcement(), there.announcement())
  const { consoles } = (await ask('/consoles', operatorToken)).body
  expect(consoles).toHaveLength(2)
  expect((await decide('approve', 'console-1', there.fingerprint, operatorToken)).status).toBe(400)
  const body = { fingerprint: there.fingerprint, school_id: otherSchool }
  expect((await ask('/consoles/console-1/approve', operatorToken, body)).body['decided_by']).toBe('operator')
  expect([await stateOf(here.fingerprint), await stateOf(there.fingerprint)]).toEqual(['waiting', 'approved'])
})

describe('the salt of a school', () => {
  it('is read by an admin of that school or by the operator, and makes the pseudonyms that the chat’s students have', async () => {
    const own = await ask('/salt', await tokenOf())
    expect(own).toEqual({ status: 200, body: { school_id: school, salt: station.salt } })
    const other = await ask('/salt', await tokenOf('ADMIN', otherSchool))
    expect(other.body['salt']).not.toBe(station.salt)
    expect(await ask(`/salt?school_id=${otherSchool}`, operatorToken)).toEqual(other)
    const { body } = await ask('/sessions', 'key-of-another-school', { user_id: 'S-1' })
    const [{ student_hash } = {}] = await house.rows(
      `SELECT student_hash FROM sessions WHERE session_id = '${String(body['session_id'])}'`,
    )
    expect(student_hash).toBe(createHmac('sha256', String(other.body['salt'])).update('S-1').digest('hex'))
    expect(JSON.stringify(house.entries)).not.toContain(station.salt)
  })

  it('is read by nobody without it being written down who read it of which school, for good', async () => {
    await ask('/salt', await tokenOf())
    await ask(`/salt?school_id=${otherSchool}`, operatorToken)
    await ask(`/salt?school_id=${school}`, await tokenOf('ADMIN', otherSchool))
    const reads = () => house.rows('SELECT school_id, read_at, read_by FROM salt_reads ORDER BY position')
    const read_at = house.clock.now()
    const written = [
      { school_id: school, read_at, read_by: expect.any(String) as string },
      { school_id: otherSchool, read_at, read_by: null },
    ]
    expect(await reads()).toEqual(written)
    for (const change of ['DELETE FROM salt_reads', 'UPDATE salt_reads SET read_at = 0'])
      await expect(house.run(change)).rejects.toThrow('stays written')
    expect(await reads()).toEqual(written)
    await house.run('ALTER TABLE salt_reads RENAME TO salt_reads_away')
    const unwritten = await ask('/salt', await tokenOf())
    expect(unwritten.status).toBe(500)
    expect(unwritten.body).not.toHaveProperty('salt')
    await house.run('ALTER TABLE salt_reads_away RENAME TO salt_reads')
  })

  it('is told to nobody else, and of no other school', async () => {
    const refused: [number, string, string | null][] = [
      [401, '/salt', null],
      [401, '/salt', station.apiKey],
      [401, '/salt', await tokenOf('ADMIN', school, 'another secret of at least thirty-two letters')],
      [403, '/salt', await tokenOf('CLINICIAN')],
      [403, `/salt?school_id=${school}`, await tokenOf('ADMIN', otherSchool)],
      [404, '/salt', await tokenOf('ADMIN', '00000000-2222-4333-8444-555555555555')],
      [400, '/salt', operatorToken],
    ]
    for (const [status, path, token] of refused) {
      const answer = await ask(path, token)
      expect(answer.status).toBe(status)
      expect(answer.body).not.toHaveProperty('salt')
    }
    expect(await house.rows(`SELECT count(*) AS schools FROM schools`)).toEqual([{ schools: 2 }])
  })
})

it('the calls stand in a valid OpenAPI description, with what they need and how they refuse', async () => {
  const { body } = await ask('/openapi.json', null)
  expect(await new Validator().validate(body)).toEqual({ valid: true })
  const paths = body['paths'] as Record<string, Record<string, { responses: object }>>
  expect(
    Object.keys(paths)
      .filter((path) => path.startsWith('/consoles'))
      .sort(),
  ).toEqual(['/consoles', '/consoles/{id}/approve', '/consoles/{id}/refuse', '/consoles/{id}/revoke'])
  const answers = Object.keys(paths['/consoles/{id}/approve']?.['post']?.responses ?? {})
  expect(answers).toEqual(['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503'])
})

describe('other keys for a console that is known', () => {
  it('wait under a fingerprint of their own; the old ones stay valid until an admin decides', async () => {
    const console = announcingConsole({ school_id: school })
    const impostor = announcingConsole({ school_id: school })
    await announce(console.announcement())
    await decide('approve', 'console-1', console.fingerprint)
    await announce(impostor.announcement())
    expect([await stateOf(console.fingerprint), await stateOf(impostor.fingerprint)]).toEqual(['approved', 'waiting'])
    expect((await decide('approve', 'console-1', impostor.fingerprint)).body['state']).toBe('approved')
    expect(await stateOf(console.fingerprint)).toBe('revoked')
  })

  it('an old announcement again changes nothing', async () => {
    const console = announcingConsole({ school_id: school })
    const announcement = console.announcement()
    await announce(announcement)
    await decide('approve', 'console-1', console.fingerprint)
    await announce(announcement, announcement)
    expect(await states()).toEqual([{ console_id: 'console-1', state: 'approved' }])
    expect(await published()).toHaveLength(1)
  })
})

describe('what a console sends about an alert', () => {
  const said = { schema_version: 1, event_type: 'ALERT_ACTION', action: 'noted', school_id: school, session_id: 's-1' }
  const relayed = async () =>
    (await house.rows(`SELECT body FROM outbox WHERE event_type = 'ALERT_ACTION' ORDER BY position`)).map(
      ({ body }) => JSON.parse(String(body)) as Record<string, unknown>,
    )

  it('is relayed for what it is while nobody has approved that console, and closes nothing', async () => {
    const console = announcingConsole({ school_id: school })
    await announce({ ...said, ack_id: 'a-1', console_id: 'console-1', covers: ['t'] })
    await announce(console.announcement())
    const message = { ...said, console_id: 'console-1', covers: ['t'], key_id: console.fingerprint }
    await announce(console.signing.sign({ ...message, ack_id: 'a-2' }))
    await announce(console.signing.sign({ ...message, ack_id: 'a-3', action: 'resolved' }))
    expect((await relayed()).map(({ action, refused, unvouched }) => [action, refused, unvouched])).toEqual([
      ['noted', undefined, 'unsigned'],
      ['noted', undefined, 'console not approved'],
      ['resolved', 'console not approved', undefined],
    ])
  })

  it('is refused from then on unless that console has signed it, all of it; and twice is once', async () => {
    const [console, impostor] = [announcingConsole({ school_id: school }), announcingConsole({ school_id: school })]
    await announce(console.announcement(), impostor.announcement())
    await decide('approve', 'console-1', console.fingerprint)
    const message = { ...said, console_id: 'console-1', covers: ['t'], key_id: console.fingerprint }
    const signed = console.signing.sign({ ...message, ack_id: 'a-1' })
    const forged = [
      { ...message, ack_id: 'a-2' },
      { ...signed, covers: ['t', 'u'] },
      { ...signed, by: 'somebody' },
      { ...signed, school_id: school.toUpperCase(), signature: '' },
      { ...signed, school_id: '' },
      { ...signed, school_id: 5 },
      impostor.signing.sign({ ...message, ack_id: 'a-1' }),
      impostor.signing.sign({ ...message, ack_id: 'a-1', key_id: impostor.fingerprint }),
      console.signing.sign({ ...message, ack_id: 'a-1', key_id: impostor.fingerprint }),
    ]
    await announce(...forged, ...forged, signed, { ...signed, refused: undefined }, signed)
    const standing = (await relayed()).filter(({ refused }) => refused === undefined)
    expect(standing).toEqual([{ ...signed, position: expect.any(Number) as number }])
    const refused = (await relayed()).filter((event) => event['refused'] === 'signature')
    expect(refused).toHaveLength(forged.length)
    // It has a place in the order like all else, without a gap.
    const ofSchool = (await relayed()).filter((event) => String(event['school_id']).toLowerCase() === school)
    const places = ofSchool.map(({ position }) => Number(position))
    expect(places.sort((a, b) => a - b)).toEqual(ofSchool.map((_, index) => index + 1))
    for (const { ack_id, idempotency_key } of refused) {
      expect(String(ack_id)).toMatch(/^refused:[0-9a-f]{64}$/)
      expect(idempotency_key).toBe(ack_id)
    }
  })

  it('is refused once its keys were revoked, and the word of another school’s admin changes nothing', async () => {
    const console = announcingConsole({ school_id: school })
    await announce(console.announcement())
    await decide('approve', 'console-1', console.fingerprint)
    const sign = (ack_id: string) =>
      console.signing.sign({ ...said, console_id: 'console-1', covers: ['t'], key_id: console.fingerprint, ack_id })
    const colleague = await tokenOf('ADMIN', otherSchool)
    expect((await decide('revoke', 'console-1', console.fingerprint, colleague)).status).toBe(404)
    await announce(sign('a-1'))
    await decide('revoke', 'console-1', console.fingerprint)
    await announce(sign('a-2'))
    expect((await relayed()).map(({ refused }) => refused)).toEqual([undefined, 'signature'])
  })
})

it('nothing is sealed to a key whose secret everybody knows', async () => {
  const console = announcingConsole({ school_id: school })
  const sealing_key = Buffer.alloc(32).toString('base64')
  await announce(console.announcement({ sealing_key }))
  const [{ fingerprint = '' } = {}] = (await house.rows('SELECT fingerprint FROM consoles')) as {
    fingerprint: string
  }[]
  expect((await decide('approve', 'console-1', fingerprint)).status).toBe(409)
  expect(await stateOf(fingerprint)).toBe('waiting')
})

it('the console beside the station needs nobody; another of its name does', async () => {
  await station.stop()
  const own = announcingConsole({ school_id: school })
  const { console_id, fingerprint } = own
  station = await start({ ownConsoles: [{ console_id, fingerprint }] })
  await announce(announcingConsole({ school_id: school }).announcement(), own.announcement())
  expect((await states()).map(({ state }) => state).sort()).toEqual(['approved', 'waiting'])
  expect(await stateOf(fingerprint)).toBe('approved')
  expect(await published()).toHaveLength(1)
})

it('a name that no database takes is no console’s, to whoever asks', async () => {
  const nul = announcingConsole({ console_id: 'console\u0000', school_id: school })
  await announce(nul.announcement(), { event_type: 'ALERT_ACTION', ack_id: 'a', console_id: 'console\u0000' })
  expect(await states()).toEqual([])
  expect((await decide('approve', 'console%00', nul.fingerprint)).status).toBe(400)
  expect((await ask('/consoles?school_id=%00', operatorToken)).status).toBe(400)
})

it('where a salt is given from outside, a console of any other school is none of this station’s', async () => {
  await station.stop()
  const salt = systemRandomness.bytes(32).toString('base64')
  await house.run(`DELETE FROM schools`)
  await house.run(`INSERT INTO schools VALUES ('${otherSchool}', 'salt', 'key')`)
  station = await start({ salt, settings: { keys: [], bufferSize: 20 } })
  const [here, there] = [announcingConsole({ school_id: school }), announcingConsole({ school_id: otherSchool })]
  await announce(there.announcement(), here.announcement())
  expect([await stateOf(here.fingerprint), await stateOf(there.fingerprint)]).toEqual(['waiting', undefined])
})

it('where the school’s key is another one, every approved console gets it, once', async () => {
  const [one, two, three] = ['1', '2', '3'].map((id) => announcingConsole({ console_id: id, school_id: school }))
  if (!one || !two || !three) throw new Error('three consoles')
  await announce(one.announcement(), two.announcement(), three.announcement())
  for (const { console_id, fingerprint } of [one, two]) await decide('approve', console_id, fingerprint)
  await station.stop()
  const database = await house.openStore()
  const contentKey = systemRandomness.bytes(32)
  const enrolment = createEnrolment({
    ...house.ports,
    store: enrolmentStore(database),
    contentKeyOf: async () => contentKey,
    newestPolicy: async () => null,
    ownConsoles: [],
    onQueued: () => undefined,
  })
  await enrolment.sealAgain()
  await enrolment.sealAgain()
  await database.close()
  const bodies = await house.rows(`SELECT body FROM outbox WHERE event_type = 'SCHOOL_KEY_SEALED' ORDER BY position`)
  expect(bodies).toHaveLength(4)
  const anew = bodies.slice(2).map(({ body }) => JSON.parse(String(body)) as Record<string, string>)
  expect(anew.map(({ console_id }) => console_id).sort()).toEqual(['1', '2'])
  for (const { console_id = '', key_id = '', sealed = '' } of anew) {
    const { sealing } = console_id === '1' ? one : two
    expect(await sealing.open(sealed, sealingContext({ school_id: school, console_id, key_id }))).toEqual(contentKey)
  }
})
