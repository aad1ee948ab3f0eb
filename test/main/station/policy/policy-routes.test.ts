/** The directory over real REST: who reads and changes it, how it is refused, and what the consoles hear of it. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { evidenceKey } from '../../../../main/platform/envelope.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { parseApiKeys } from '../../../../main/station/intake/index.ts'
import type { Station, StationOptions } from '../../../../main/station/index.ts'
import type { Envelope } from '../../../../shared/events.ts'
import { policyPurpose, gapsIn } from '../../../../shared/policy.ts'
import { announcingConsole } from '../../../support/announcing-console.ts'
import { otherSchool, school } from '../../../support/intake-school.ts'
import { listed, somePolicy } from '../../../support/policies.ts'
import { postgresMissing } from '../../../support/postgres.ts'
import { testSecret } from '../../../support/sign-in.ts'
import { stationHouse, type StationHouse } from '../../../support/station.ts'

const operatorToken = 'token-of-the-operator-0001'
const contentKey = systemRandomness.bytes(32)

let house: StationHouse
let station: Station
beforeEach(async () => {
  house = await stationHouse()
  station = await start()
})
afterEach(() => house.close())

const start = (changes: Partial<StationOptions> = {}) =>
  house.start({
    contentKey,
    settings: { keys: parseApiKeys(`key-of-another-school:${otherSchool}`), bufferSize: 20 },
    administration: {
      signIn: { jwtSecret: testSecret, jwksUrl: null, jwtIssuer: null, jwtAudience: null },
      operatorToken,
    },
    ...changes,
  })
const tokenOf = (role = 'ADMIN', school_id = school, sub = 'admin-1') =>
  new SignJWT({ role, school_id })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setIssuedAt(Math.floor(house.clock.now() / 1000))
    .setExpirationTime(Math.floor(house.clock.now() / 1000) + 3600)
    .sign(new TextEncoder().encode(testSecret))

interface Asked {
  token?: string | null
  body?: unknown
  headers?: Record<string, string>
  of?: Station
}
async function ask(method: string, path: string, { token, body, headers = {}, of = station }: Asked = {}) {
  const bearer = token === undefined ? await tokenOf() : token
  const response = await fetch(new URL(path, of.url), {
    method,
    headers: {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status } = response
  return { status, headers: response.headers, text, body: (text === '' ? null : JSON.parse(text)) as unknown }
}
const read = (more: Asked = {}) => ask('GET', '/policy', more)
const save = (version: number | string, body: unknown = somePolicy(), more: Asked = {}) =>
  ask('PUT', '/policy', {
    body,
    ...more,
    headers: { 'if-match': typeof version === 'number' ? `"${version}"` : version, ...more.headers },
  })
const assign = (assignments: unknown, more: Asked = {}) =>
  ask('PUT', '/assignments', { body: { assignments }, ...more })
const versions = () => house.rows('SELECT school_id, version, changed_by FROM policies ORDER BY school_id, version')
/** A busy machine takes its time. */
const patience = { timeout: 10_000, interval: 20 }
/** What was published of directories since the last look. */
const published = async () =>
  (await house.queue.take()).filter(({ event_type }) => event_type === 'POLICY_CHANGED') as Record<string, unknown>[]
const publishedSoon = (count = 1) => {
  const events: Record<string, unknown>[] = []
  return vi.waitFor(async () => {
    events.push(...(await published()))
    expect(events).toHaveLength(count)
    return events
  }, patience)
}
const student = 'ab'.repeat(32)

describe('the directory', () => {
  it('is read by everybody of the school, with its version', async () => {
    for (const role of ['COUNSELOR', 'CLINICIAN', 'ADMIN']) {
      const { status, headers, body } = await read({ token: await tokenOf(role, school, 'person-7') })
      expect([status, headers.get('etag')]).toEqual([200, '"0"'])
      expect(body).toMatchObject({ version: 0, policy: { people: [] }, changed_at: null, changed_by: null })
    }
    expect((await save(0)).status).toBe(200)
    const { headers, body } = await read({ token: await tokenOf('COUNSELOR') })
    expect(headers.get('etag')).toBe('"1"')
    expect(body).toEqual({
      version: 1,
      policy: somePolicy(),
      changed_at: new Date(house.clock.now()).toISOString(),
      changed_by: 'admin-1',
    })
  })

  it('is not sent again to whoever has it', async () => {
    await save(0)
    for (const tags of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const answer = await read({ headers: { 'if-none-match': tags } })
      expect([answer.status, answer.headers.get('etag'), answer.text]).toEqual([304, '"1"', ''])
    }
    for (const tags of ['"0"', '1', '"11"', ''])
      expect((await read({ headers: { 'if-none-match': tags } })).status).toBe(200)
  })

  it('is saved by an admin who says which version they edited, and answered as it is kept', async () => {
    const trimmed = somePolicy({ crisis_numbers: [{ name: ' Office ', contact: '555-0142' }] })
    const { status, headers, body } = await save(0, { ...trimmed, more: 'dropped' })
    expect([status, headers.get('etag')]).toEqual([200, '"1"'])
    const kept = somePolicy({ crisis_numbers: [{ name: 'Office', contact: '555-0142' }] })
    expect(body).toMatchObject({ version: 1, policy: kept })
    expect(body).not.toHaveProperty('policy.more')
    expect((await save(1, somePolicy(), { token: await tokenOf('ADMIN', school, 'admin-2') })).status).toBe(200)
    expect(await versions()).toEqual([
      { school_id: school, version: 1, changed_by: 'admin-1' },
      { school_id: school, version: 2, changed_by: 'admin-2' },
    ])
  })

  it('is refused to whoever says no version, and answered as it stands to whoever is late', async () => {
    const nothing = await ask('PUT', '/policy', { body: somePolicy() })
    expect(nothing.status).toBe(428)
    for (const tag of ['*', '1', 'W/"0"', '"0", "1"', '"x"']) expect((await save(tag)).status).toBe(428)
    await save(0)
    const late = await save(0, somePolicy({ crisis_numbers: [] }))
    expect([late.status, late.headers.get('etag')]).toEqual([412, '"1"'])
    expect(late.body).toEqual({ error: expect.any(String) as string, details: { current: (await read()).body } })
    expect(await versions()).toHaveLength(1)
  })

  it('is refused with every gap, and where it is, whether of form or of sense', async () => {
    const people = [listed('a'), listed('a', { school_ids: [otherSchool] })]
    const senseless = await save(0, somePolicy({ people }))
    expect(senseless.status).toBe(422)
    expect(senseless.body).toMatchObject({ details: { gaps: gapsIn(somePolicy({ people }), school) } })
    const admin = listed('admin-1', { role: 'ADMIN', channels: { sms: '555-0142', voice: null, email: 'nobody' } })
    const misshapen = await save(0, somePolicy({ people: [admin] }))
    expect(misshapen.status).toBe(422)
    expect(misshapen.body).toMatchObject({
      details: {
        gaps: [
          {
            path: ['people', 0, 'channels', 'sms'],
            gap: 'is not a phone number with its country, such as +15550142',
          },
          { path: ['people', 0, 'channels', 'email'] },
        ],
      },
    })
    for (const body of [[], 'null', {}, 5, '"text"']) expect((await save(0, body)).status).toBe(422)
    expect((await ask('PUT', '/policy', { headers: { 'if-match': '"0"' } })).status).toBe(422)
    expect((await save(0, '{"people": [')).status).toBe(400)
    expect((await save(0, somePolicy(), { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await save(0, { people: 'x'.repeat(1_100_000) })).status).toBe(413)
    expect(await versions()).toEqual([])
  })

  it('is its school’s own: another school’s admin reads and changes their own alone', async () => {
    await save(0)
    const token = await tokenOf('ADMIN', otherSchool)
    expect((await read({ token })).body).toMatchObject({ version: 0, policy: { people: [] } })
    expect((await save(1, somePolicy(), { token })).status).toBe(412)
    expect((await save(0, somePolicy(), { token })).status).toBe(422)
    const people = [listed('admin-9', { role: 'ADMIN', school_ids: [otherSchool] })]
    expect((await save(0, somePolicy({ people }), { token })).body).toMatchObject({ version: 1 })
    expect((await read()).body).toMatchObject({ version: 1, policy: somePolicy() })
  })

  it('of a school that this station does not serve is nowhere, and none is begun', async () => {
    const token = await tokenOf('ADMIN', '00000000-2222-4333-8444-555555555555')
    expect((await read({ token })).status).toBe(404)
    expect((await save(0, somePolicy(), { token })).status).toBe(404)
    expect((await assign([], { token })).status).toBe(404)
    expect(await house.rows('SELECT school_id FROM schools')).toHaveLength(2)
  })
})

describe('who may', () => {
  const calls = async (token: string | null) => [
    (await read({ token })).status,
    (await save(0, somePolicy(), { token })).status,
    (await assign([], { token })).status,
  ]

  it('is said by a person’s token: never by the operator’s, a chat’s key, or nothing', async () => {
    expect(await calls(operatorToken)).toEqual([403, 403, 403])
    for (const token of [null, 'no token', station.apiKey]) expect(await calls(token)).toEqual([401, 401, 401])
    for (const role of ['COUNSELOR', 'CLINICIAN']) expect(await calls(await tokenOf(role))).toEqual([200, 403, 403])
    expect(await versions()).toEqual([])
  })

  it('cannot be found out at full speed, at /policy, /assignments and /consoles together', async () => {
    const statuses = new Set<number>()
    for (let times = 0; times < 21; times++) {
      statuses.add((await ask('GET', '/consoles', { token: 'guessed' })).status)
      for (const status of await calls(`guessed-${times}`)) statuses.add(status)
    }
    expect([...statuses]).toEqual([401, 429])
    const slowed = await read({ token: 'guessed' })
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await read()).status).toBe(200)
  })
})

describe('who looks after a student', () => {
  it('is kept for people of the directory, and withdrawn', async () => {
    await save(0)
    expect((await assign([{ student_hash: student, person_id: 'counselor-1' }])).status).toBe(204)
    const kept = () => house.rows('SELECT school_id, student_hash, person_id, assigned_by FROM assignments')
    const row = { school_id: school, student_hash: student, assigned_by: 'admin-1' }
    expect(await kept()).toEqual([{ ...row, person_id: 'counselor-1' }])
    const other = await tokenOf('ADMIN', otherSchool)
    expect((await assign([{ student_hash: student, person_id: null }], { token: other })).status).toBe(204)
    expect(await kept()).toContainEqual({ ...row, person_id: 'counselor-1' })
    expect((await assign([{ student_hash: student, person_id: null }])).text).toBe('')
    expect(await kept()).toContainEqual({ ...row, person_id: null })
  })

  it('is refused whole where somebody is not in the directory, who is named', async () => {
    await save(0)
    const refused = await assign([
      { student_hash: student, person_id: 'counselor-1' },
      { student_hash: 'cd'.repeat(32), person_id: 'counselor-2' },
    ])
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ details: { people: ['counselor-2'] } })
    expect(await house.rows('SELECT * FROM assignments')).toEqual([])
  })

  it('is taken for a whole school at once, and refused in another form, or for more', async () => {
    await save(0)
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        student_hash: index.toString(16).padStart(64, '0'),
        person_id: 'counselor-1',
      }))
    expect((await assign(many(5000))).status).toBe(204)
    expect(await house.rows('SELECT count(*) AS count FROM assignments')).toEqual([{ count: 5000 }])
    const wrong = [many(5001), 'all', [{ student_hash: 'short', person_id: null }], [{ student_hash: student }]]
    for (const assignments of wrong) expect((await assign(assignments)).status).toBe(400)
  })
})

describe('the consoles', () => {
  it('hear of every version, which opens with the school’s key', async () => {
    await save(0)
    await save(1, somePolicy({ crisis_numbers: [] }))
    const events = await publishedSoon(2)
    expect(events.map(({ version, changed_by }) => [version, changed_by])).toEqual([
      [1, 'admin-1'],
      [2, 'admin-1'],
    ])
    const [first] = events
    expect(first).toMatchObject({ schema_version: 2, school_id: school, idempotency_key: `policy-${school}-1` })
    const changed_at = Date.parse(String(first?.['timestamp']))
    const purpose = policyPurpose({ school_id: school, version: 1, changed_at, changed_by: 'admin-1' })
    expect(JSON.parse(evidenceKey(contentKey).open(first?.['sealed'] as Envelope, purpose))).toEqual(somePolicy())
  })

  it('that come later hear of it when they are approved, after the key that opens it', async () => {
    await save(0)
    const [told] = await publishedSoon()
    house.confirm(`policy-${school}-1`)
    await vi.waitFor(
      async () => expect(await house.rows(`SELECT id FROM outbox WHERE id LIKE 'policy%'`)).toEqual([]),
      patience,
    )
    const console = announcingConsole({ school_id: school })
    await house.queue.send(console.announcement(), house.acksQueueUrl)
    await vi.waitFor(
      async () => expect(await house.rows('SELECT state FROM consoles')).toEqual([{ state: 'waiting' }]),
      patience,
    )
    const { fingerprint } = console
    expect((await ask('POST', '/consoles/console-1/approve', { body: { fingerprint } })).status).toBe(200)
    const types = await house.rows('SELECT event_type FROM outbox ORDER BY position')
    expect(types.map(({ event_type }) => event_type).filter((type) => type !== 'HEARTBEAT')).toEqual([
      'SCHOOL_KEY_SEALED',
      'POLICY_CHANGED',
    ])
    expect(await publishedSoon()).toEqual([told])
  })

  it('hear of it once more whenever the station starts', async () => {
    await save(0)
    const [told] = await publishedSoon()
    house.confirm(`policy-${school}-1`)
    await station.stop()
    house.clock.advance(60_000)
    station = await start()
    expect(await publishedSoon()).toEqual([told])
    expect((await read()).body).toMatchObject({ version: 1, policy: somePolicy() })
  })
})

it('in process it is the same directory', async () => {
  const saved = await station.policy.save({ school_id: school, by: 'admin-1', version: 0, policy: somePolicy() })
  expect(saved).toMatchObject({ changed: { version: 1 } })
  expect(await station.policy.read(school)).toMatchObject({ version: 1, changed_at: house.clock.now() })
  await station.policy.assign({
    school_id: school,
    by: 'admin-1',
    assignments: [{ student_hash: student, person_id: 'counselor-1' }],
  })
  expect((await read()).body).toMatchObject({ version: 1, policy: somePolicy() })
})

it('the calls stand in a valid OpenAPI description, with what they need and how they refuse', async () => {
  const { body } = await ask('GET', '/openapi.json')
  expect(await new Validator().validate(body as Record<string, unknown>)).toEqual({ valid: true })
  const { paths } = body as { paths: Record<string, Record<string, { responses: object; parameters?: object }>> }
  const answers = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {})
  expect(answers('/policy', 'get')).toEqual(['200', '304', '401', '403', '404', '429', '500', '503'])
  expect(answers('/policy', 'put')).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '412',
    '413',
    '415',
    '422',
    '428',
    '429',
    '500',
    '503',
  ])
  expect(answers('/assignments', 'put')).toEqual([
    '204',
    '400',
    '401',
    '403',
    '404',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ])
  expect(paths['/policy']?.['put']?.parameters).toMatchObject([{ in: 'header', name: 'if-match', required: true }])
  expect(JSON.stringify(paths['/policy']?.['put'])).toContain('crisis_numbers')
})

it('nothing of it stands in the log: no name, number, person or student', async () => {
  await save(0)
  await assign([{ student_hash: student, person_id: 'counselor-1' }])
  await assign([{ student_hash: student, person_id: 'counselor-2' }])
  await save(1, { people: [{ name: 'Name of nobody' }] })
  const told = JSON.stringify(house.entries)
  for (const personal of ['Name of', '+1555', 'counselor', 'admin-1', student]) expect(told).not.toContain(personal)
})

describe.skipIf(postgresMissing !== null)(`two stations${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  beforeEach(async () => {
    await house.close()
    house = await stationHouse('PostgreSQL')
    station = await start({ stationId: 'station-1' })
  })

  it('keep one of what two admins save at once; the other is told what stands, on either of them', async () => {
    const other = await start({ stationId: 'station-2' })
    for (let version = 0; version < 2; version++) {
      const answers = await Promise.all(
        [station, other, station, other].map((of, index) =>
          save(version, somePolicy({ crisis_numbers: [{ name: `Edit ${index}`, contact: '555-0142' }] }), { of }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
      const kept = answers.find(({ status }) => status === 200)?.body
      for (const { status, body } of answers)
        if (status === 412) expect(body).toMatchObject({ details: { current: kept } })
      for (const of of [station, other]) expect((await read({ of })).body).toEqual(kept)
    }
    expect((await publishedSoon(2)).map(({ version }) => version).sort()).toEqual([1, 2])
  })
})
