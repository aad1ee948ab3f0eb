/** Every part of a station that could fail, and what is said of it before a start. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readStationConfiguration, unreadVariables } from '../../../main/configuration/index.ts'
import { checksAsTable, examineStation } from '../../../main/doctor/index.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { wrappingWith } from '../../../main/platform/envelope.ts'
import { passphraseProvider } from '../../../main/platform/key-providers.ts'
import { tagsOf } from '../../../main/platform/queue-tags.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { readIntakeSettings } from '../../../main/station/index.ts'
import { insertSecrets, lockDataDir, openKeys, openStationStore } from '../../../main/store/station/index.ts'
import { httpServer, json, type HttpServer } from '../../support/http-server.ts'
import { otherSchool, school } from '../../support/intake-school.ts'
import { openQueue, type OpenQueue } from '../../support/queue.ts'

const salt = Buffer.from('a salt of more than sixteen bytes').toString('base64')
const passphrase = 'a passphrase for tests'
const key = 'key-of-the-chat-0001'
const credentials = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }

let queue: OpenQueue
let service: HttpServer
let dataDir: string
let before: NodeJS.ProcessEnv
beforeAll(async () => {
  before = { ...process.env }
  Object.assign(process.env, credentials)
  queue = await openQueue()
  service = await httpServer(json({ error: 'MARKED' }, 401))
})
afterAll(async () => {
  await queue.stop()
  await service.stop()
  for (const name of Object.keys(credentials))
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = before[name]
})
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'station-doctor-'))))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** The checks of a station that is set up so, by name. */
async function examine(changed: Record<string, string> = {}, argv: string[] = ['--port', '0']) {
  const env = {
    PSYFLO_EVENTS_TOPIC_ARN: 'arn:aws:sns:us-east-1:000000000000:nowhere',
    PSYFLO_ACKS_QUEUE_URL: queue.url,
    AWS_ENDPOINT_URL: queue.endpoint,
    AWS_REGION: 'us-east-1',
    PSYFLO_SCHOOL_ID: school,
    PSYFLO_PASSPHRASE: passphrase,
    CONSULTX_API_KEYS: key,
    ...changed,
  }
  const configuration = readStationConfiguration(env, ['--data-dir', dataDir, ...argv])
  const settings = readIntakeSettings(env, () => '')
  const ports = { clock: systemClock, randomness: systemRandomness, progress: () => undefined }
  const report = await examineStation({ configuration, settings, unread: unreadVariables(env) }, ports)
  return { ...report, of: (name: string) => report.checks.find((each) => each.name === name) }
}
/** What a first start leaves in the data directory. */
async function startedOnce(): Promise<void> {
  const keys = await openKeys(dataDir, passphraseProvider(passphrase, systemRandomness), systemRandomness)
  const store = await openStationStore({ file: join(dataDir, 'station.db'), key: keys.stationDatabase })
  const { wrap } = wrappingWith(keys.stationSecrets)
  const secrets = { salt: await wrap(Buffer.from(salt)), content_key: await wrap(systemRandomness.bytes(32)) }
  await store.asSchool(school, (unit) => insertSecrets(unit, school, secrets))
  await store.close()
}

it('every part that would fail is named, with what to do, and no secret', async () => {
  const broken = join(dataDir, 'broken.mjs')
  writeFileSync(broken, 'export const assess = () => "MARKED"')
  const { ok, checks, of } = await examine(
    {
      PSYFLO_ACKS_QUEUE_URL: `${queue.url}-elsewhere`,
      PSYFLO_PASSPHRASE: 'MARKED',
      PSYFLO_STUDENT_SALT: salt,
      CONSULTX_API_KEYS: `${key}:${otherSchool}`,
      PSYFLO_CLINICAL_URL: service.url,
      PSYFLO_CLINICAL_MODEL: 'm',
      PSYFLO_REPLY_URL: service.url,
      PSYFLO_REPLY_MODEL: 'm',
      PSYFLO_RISK_ADAPTERS: broken,
      PSYFLO_EMBEDDER_DIR: dataDir,
      PSYFLO_TRUST_PROXIES: '10.0.0.1',
    },
    ['--port', new URL(service.url).port],
  )
  expect(ok).toBe(false)
  const parts = [
    'Variables',
    'Topic',
    'Acknowledgement queue',
    'Key store',
    'Schools and keys',
    'Clinical service',
    'Embedder',
    'Risk adapter 1',
    'Reply service',
    'Address',
  ]
  for (const name of parts)
    expect(of(name), name).toMatchObject({ status: 'failed', todo: expect.any(String) as string })
  expect(of('Variables')?.sentence).toContain('did you mean PSYFLO_TRUST_PROXY')
  expect(of('Topic')?.sentence).toBe('The topic does not exist.')
  expect(of('Clinical service')?.sentence).toContain('refused 401')
  for (const secret of ['MARKED', key, salt]) expect(JSON.stringify(checks)).not.toContain(secret)
  expect(checksAsTable(checks, 100)).toMatch(/^FAILED {3}Topic {2,}The topic does not exist\.$/m)
})

it('a topic and a queue that do not answer are told apart from those that are not there', async () => {
  const { of } = await examine({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' })
  expect(of('Topic')).toMatchObject({ status: 'failed', sentence: 'The topic does not answer.' })
  expect(of('Acknowledgement queue')).toMatchObject({ status: 'failed', sentence: 'The queue does not answer.' })
})

describe('data that are there already', () => {
  it('are opened with the passphrase they were made under, and no other', async () => {
    await startedOnce()
    expect((await examine()).of('Store')).toMatchObject({ status: 'ok' })
    const { of } = await examine({ PSYFLO_PASSPHRASE: 'another passphrase' })
    expect([of('Key store')?.status, of('Store')?.status]).toEqual(['failed', 'skipped'])
  })

  it('keep their salt', async () => {
    await startedOnce()
    expect((await examine({ PSYFLO_STUDENT_SALT: salt })).of('Store')?.status).toBe('ok')
    const other = Buffer.from('the salt of somebody else').toString('base64')
    expect((await examine({ PSYFLO_STUDENT_SALT: other })).of('Store')?.status).toBe('failed')
  })

  it('without a key store are not begun anew', async () => {
    writeFileSync(join(dataDir, 'station.db'), '')
    expect((await examine()).of('Key store')?.status).toBe('failed')
    expect(existsSync(join(dataDir, 'keystore.json'))).toBe(false)
  })

  it('are said to be in use while a program has them', async () => {
    mkdirSync(dataDir, { recursive: true })
    const release = lockDataDir(dataDir)
    expect((await examine()).of('Data directory')?.status).toBe('warning')
    release()
    expect((await examine()).of('Data directory')?.status).toBe('ok')
  })
})

describe('the queue by which other producers are followed', () => {
  const name = 'Queue of events'

  it('is there, and nobody else’s', async () => {
    expect((await examine()).of(name)).toMatchObject({ status: 'skipped', todo: null })
    const PSYFLO_STATION_EVENTS_QUEUE_URL = await queue.create('events-of-the-station')
    const { of } = await examine({ PSYFLO_STATION_EVENTS_QUEUE_URL })
    expect(of(name)).toMatchObject({ status: 'ok', todo: null })
    const { of: off } = await examine({ PSYFLO_STATION_EVENTS_QUEUE_URL, PSYFLO_LADDER: 'off' })
    expect(off(name)?.status).toBe('warning')
    await tagsOf(queue.sqs, PSYFLO_STATION_EVENTS_QUEUE_URL).write('console-1', {
      ...{ nonce: 'abc0', number: 1, claiming: false, computer: 'office-1' },
    })
    const { ok, of: claimed } = await examine({ PSYFLO_STATION_EVENTS_QUEUE_URL })
    expect(claimed(name)).toMatchObject({ status: 'failed', sentence: expect.stringContaining('claimed') as string })
    expect(ok).toBe(false)
  })

  it('is not that of acknowledgements, and is not missing', async () => {
    const own = await examine({ PSYFLO_STATION_EVENTS_QUEUE_URL: queue.url })
    expect(own.of(name)?.sentence).toContain('It is the acknowledgement queue')
    const missing = await examine({ PSYFLO_STATION_EVENTS_QUEUE_URL: `${queue.url}-elsewhere` })
    expect(missing.of(name)).toMatchObject({
      status: 'failed',
      todo: expect.stringContaining('PSYFLO_STATION_EVENTS_QUEUE_URL') as string,
    })
  })
})
