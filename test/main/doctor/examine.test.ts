import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SendMessageCommand } from '@aws-sdk/client-sqs'
import { startFauxqs, type FauxqsServer } from 'fauxqs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { writeWindowFile } from '../../../main/platform/window-file.ts'
import { appendAudit, enqueue, keepSchool } from '../../../main/store/console/index.ts'
import { readConfiguration } from '../../../main/configuration/index.ts'
import { asTable, examine, type Report } from '../../../main/doctor/index.ts'
import { createChanges } from '../../../main/console/changes.ts'
import { claimQueue, createCommitter } from '../../../main/console/event-queue/index.ts'
import { tagsOf } from '../../../main/platform/queue-tags.ts'
import { sqsClient } from '../../../main/platform/aws.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { freshDemonstrationDir, lockDataDir } from '../../../main/store/index.ts'
import { passphraseProvider } from '../../../main/platform/key-providers.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { createEventLog, openDatabase, openKeys, type Database } from '../../../main/store/console/index.ts'
import { evidenceKey } from '../../../main/platform/envelope.ts'
import { silentLogger } from '../../support/logger.ts'

const passphrase = 'kept in a drawer'
const credentials = { accessKeyId: 'doctor', secretAccessKey: 'doctor' }
const quick = { N: 1024, r: 8, p: 1 }
let server: FauxqsServer
let dir: string
let env: Record<string, string>
let queue = 0

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey
  server = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
})
afterAll(() => server.stop())
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'psyflo-doctor-'))
  queue += 1
  env = {
    PSYFLO_EVENTS_QUEUE_URL: makeQueue(`events-${queue}`, { MessageRetentionPeriod: '1209600' }),
    AWS_ENDPOINT_URL_SQS: server.address,
    AWS_REGION: 'us-east-1',
    PSYFLO_PASSPHRASE: passphrase,
    PSYFLO_DATA_DIR: dir,
  }
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const look = (changed: Record<string, string> = {}): Promise<Report> =>
  examine(readConfiguration({ ...env, ...changed }, []), {
    clock: systemClock,
    randomness: systemRandomness,
    progress: () => undefined,
  })
const statusOf = (report: Report, name: string) => report.checks.find((check) => check.name === name)?.status
const makeQueue = (name: string, attributes: Record<string, string> = {}) => {
  server.createQueue(name, { attributes })
  return `${server.address}/000000000000/${name}`
}
const queueClient = () => sqsClient({ region: 'us-east-1', endpoint: server.address, credentials })

async function makeData(fill: (db: Database, commit: (bodies: unknown[]) => Promise<void>) => Promise<void> | void) {
  const keys = await openKeys(dir, passphraseProvider(passphrase, systemRandomness, quick), systemRandomness)
  const db = openDatabase(join(dir, 'console.db'), keys.database)
  db.prepare('INSERT INTO settings VALUES (?, ?)').run('console_id', 'this-console')
  db.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?)').run('a', 'A. Rivera', 'COUNSELOR', 'school', 0)
  const committer = createCommitter({
    db,
    changes: createChanges(db, silentLogger),
    eventLog: createEventLog(db),
    evidenceKey: evidenceKey(keys.evidence),
    clock: systemClock,
    schoolId: () => 'school',
  })
  const commit = (bodies: unknown[]) =>
    committer.commit(
      bodies.map((body) => ({ body: typeof body === 'string' ? body : JSON.stringify(body), receiveCount: 1 })),
    )
  await fill(db, commit)
  return db
}

const crisis = (session: string, extra: object = {}) => ({
  event_type: 'CRISIS_DETECTED',
  session_id: session,
  student_hash: 'a'.repeat(64),
  consensus_score: 0.93,
  risk_level: 'CRISIS',
  matched_patterns: ['suicidal_intent'],
  reasoning: '',
  timestamp: '2026-01-20T10:15:00.123456',
  idempotency_key: `${session}-1768904100`,
  ...extra,
})

const action = (console_id: string, id: string) => ({
  event_type: 'ALERT_ACTION',
  action: 'noted',
  ack_id: id,
  idempotency_key: id,
  session_id: 'one',
  student_hash: 'a'.repeat(64),
  timestamp: '2026-01-20T10:16:00Z',
  at: '2026-01-20T10:16:00Z',
  alert_key: 'key',
  covers: ['one-1768904100'],
  console_id,
  by: 'b',
})

test('a sound installation has no failed check and true figures, while its console has it open', async () => {
  const db = await makeData(async (_db, commit) => {
    await commit([crisis('one'), crisis('two'), 'not JSON', action('this-console', 'x'), action('elsewhere', 'y')])
    await commit([crisis('one'), { event_type: 'HEARTBEAT', timestamp: '2026-01-20T10:16:00Z' }])
  })
  const release = lockDataDir(dir)
  const report = await look()
  release()
  db.close()
  expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([])
  expect(report).toMatchObject({
    ok: true,
    audit_ok: true,
    counts: { events: 3, alerts: 2, open: 2, quarantined: 1, outbox_pending: 0 },
  })
  expect(statusOf(report, 'Database')).toBe('ok')
  expect(statusOf(report, 'Quarantine')).toBe('warning')
  expect(report.checks.find(({ name }) => name === 'Data directory')?.sentence).toContain('is running')
})

test('data of an older version are looked at as far as they can be', async () => {
  const db = await makeData((_db, commit) => commit([crisis('one')]))
  db.exec(`DROP TABLE messages; CREATE TABLE messages (message_id TEXT, session_id TEXT, sequence INTEGER, event_seq INTEGER);
    PRAGMA user_version = 3`)
  db.close()
  const report = await look()
  expect(report.checks.find(({ name }) => name === 'Database')?.sentence).toContain('from data version 3')
  expect(statusOf(report, 'One console on the queue')).toBe('ok')
})

test('a look changes neither the database nor the queue', async () => {
  const db = await makeData((_db, commit) => commit([crisis('one')]))
  db.close()
  const sqs = queueClient()
  await sqs.send(new SendMessageCommand({ QueueUrl: env.PSYFLO_EVENTS_QUEUE_URL, MessageBody: 'waiting' }))
  const digest = () =>
    createHash('sha256')
      .update(readFileSync(join(dir, 'console.db')))
      .digest('hex')
  const before = digest()
  await look()
  expect(digest()).toBe(before)
  const held = server.inspectQueue(`events-${queue}`)?.messages
  expect([held?.ready.length, held?.inflight.length]).toEqual([1, 0])
  sqs.destroy()
})

test('a variable nobody knows fails; one of a later version is a warning', async () => {
  const named = async (name: string) => {
    const report = await look({ [name]: 'x' })
    return [report.ok, statusOf(report, 'Variables')]
  }
  expect(await named('PSYFLO_SCHOOL')).toEqual([false, 'failed'])
  expect(await named('PSYFLO_KMS_KEY_ID')).toEqual([true, 'warning'])
  expect(statusOf(await look(), 'Variables')).toBe('ok')
})

test('the school is that of the data, or it fails', async () => {
  const school = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'
  expect(statusOf(await look(), 'School')).toBe('skipped')
  ;(await makeData((db) => keepSchool(db, school))).close()
  expect(statusOf(await look({ PSYFLO_SCHOOL_ID: school.toUpperCase() }), 'School')).toBe('ok')
  const other = await look({ PSYFLO_SCHOOL_ID: '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90' })
  expect([other.ok, statusOf(other, 'School')]).toEqual([false, 'failed'])
})

test('an empty directory is no failure, stays empty, and counts nothing', async () => {
  const report = await look()
  expect(report).toMatchObject({ ok: true, audit_ok: true, counts: { events: 0, alerts: 0 } })
  expect(existsSync(join(dir, 'keystore.json'))).toBe(false)
  expect(existsSync(join(dir, 'console.db'))).toBe(false)
})

test('a short passphrase is a warning while there is time to choose another', async () => {
  expect(statusOf(await look({ PSYFLO_PASSPHRASE: 'short' }), 'Key store')).toBe('warning')
})

test('a wrong passphrase fails and the figures are unknown', async () => {
  ;(await makeData(() => undefined)).close()
  const report = await look({ PSYFLO_PASSPHRASE: 'something else' })
  expect(report).toMatchObject({ ok: false, audit_ok: null, counts: { events: null } })
  expect(statusOf(report, 'Key store')).toBe('failed')
  expect(statusOf(report, 'Database')).toBe('skipped')
})

test('without a passphrase it says so and fails nothing', async () => {
  ;(await makeData(() => undefined)).close()
  const report = await look({ PSYFLO_PASSPHRASE: '' })
  expect(report).toMatchObject({ ok: true, counts: { events: null } })
  expect(statusOf(report, 'Key store')).toBe('warning')
})

test('a damaged database fails', async () => {
  ;(await makeData((_db, commit) => commit([crisis('one')]))).close()
  const file = join(dir, 'console.db')
  const bytes = readFileSync(file)
  bytes.fill(7, bytes.length >> 1, (bytes.length >> 1) + 4096)
  writeFileSync(file, bytes)
  const report = await look()
  expect(report.ok).toBe(false)
  expect(statusOf(report, 'Database')).toBe('failed')
})

test('a changed audit entry fails by its number', async () => {
  const entry = { at: 1, who: 'a', role: 'COUNSELOR', subject: 'alert', why: '', console_id: 'c' }
  const db = await makeData((filled) => {
    appendAudit(filled, { ...entry, what: 'alert.acknowledged' })
    appendAudit(filled, { ...entry, what: 'alert.resolved' })
    filled.exec(`DROP TRIGGER audit_no_update; UPDATE audit SET who = 'b' WHERE seq = 2`)
  })
  db.close()
  const report = await look()
  expect(report).toMatchObject({ ok: false, audit_ok: false })
  expect(report.checks.find(({ name }) => name === 'Audit')?.sentence).toContain('Entry 2')
})

test('an old acknowledgement in the outbox is said', async () => {
  const db = await makeData((filled) =>
    enqueue(filled, {
      id: 'ack',
      group: 'one',
      event_type: 'ALERT_ACKNOWLEDGED',
      body: '{}',
      at: systemClock.now() - 20 * 60_000,
    }),
  )
  db.close()
  const report = await look()
  expect(statusOf(report, 'Outbox')).toBe('warning')
  expect(report.counts.outbox_pending).toBe(1)
})

test('a queue that does not exist fails, and so does one nobody answers for', async () => {
  const missing = await look({ PSYFLO_EVENTS_QUEUE_URL: `${env.PSYFLO_EVENTS_QUEUE_URL}-elsewhere` })
  expect(missing.checks.find(({ name }) => name === 'Events queue')).toMatchObject({ status: 'failed' })
  const gone = await look({ AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9' })
  expect(gone.ok).toBe(false)
  expect(statusOf(gone, 'One console on the queue')).toBe('skipped')
})

test('SQS’s default retention is a warning that says what it costs', async () => {
  const report = await look({ PSYFLO_EVENTS_QUEUE_URL: makeQueue(`short-${queue}`) })
  expect(report.ok).toBe(true)
  expect(report.checks.find(({ name }) => name === 'Retention')).toMatchObject({
    status: 'warning',
    sentence: expect.stringContaining('4 days') as string,
  })
})

test('another console whose tag goes on changing is proof; one that a killed console left is none', async () => {
  ;(await makeData(() => undefined)).close()
  const sqs = queueClient()
  const queueUrl = env.PSYFLO_EVENTS_QUEUE_URL as string
  const tags = tagsOf(sqs, queueUrl)
  // Consoles and doctor hurry here, so that the test need not wait for them.
  const hurried = { now: () => systemClock.now() * 50, after: (delay: number, work: () => void) => systemClock.after(delay / 50, work) } // prettier-ignore
  const base = { sqs, queueUrl, clock: hurried, randomness: systemRandomness, logger: silentLogger, onState: () => undefined, signal: new AbortController().signal } // prettier-ignore
  const examined = async () => {
    const ports = { clock: hurried, randomness: systemRandomness, progress: () => undefined }
    const { checks } = await examine(readConfiguration(env, []), ports)
    return checks.find(({ name }) => name === 'One console on the queue')
  }
  await tags.write('this-console', { nonce: '0a', number: 1, claiming: false, computer: 'here' })
  expect(await examined()).toMatchObject({ status: 'ok', sentence: 'No other console receives from this queue.' })
  await tags.write('killed-console', { nonce: '0b', number: 1, claiming: false, computer: 'gone' })
  expect(await examined()).toMatchObject({ status: 'ok', sentence: expect.stringContaining('is gone') as string })

  const other = await claimQueue({ ...base, consoleId: 'another-console', computer: 'front-office' })
  expect(await examined()).toMatchObject({
    status: 'failed',
    sentence: expect.stringContaining('Another console (front-office) is receiving') as string,
  })
  await other.stop()
  sqs.destroy()
})

test('tells a demonstration school that runs from one that is over', async () => {
  const { release } = freshDemonstrationDir(dir, 'a-run')
  const sentenceOf = (report: Report, name: string) => report.checks.find((check) => check.name === name)?.sentence
  const during = await look()
  expect(sentenceOf(during, 'Data directory')).toBe('A demonstration school is running on it.')
  expect(sentenceOf(during, 'Key store')).toContain('A demonstration is running here')
  release()
  mkdirSync(join(dir, 'demo', 'left-by-force'))
  const after = await look()
  expect(sentenceOf(after, 'Data directory')).toBe('No console is running on it.')
  expect(sentenceOf(after, 'Key store')).toContain('a demonstration that has ended')
})

test('calls alerts that nobody holds what the screen calls them', () => {
  const counts = { events: 9, alerts: 7, open: 3, quarantined: 0, outbox_pending: 0 }
  const checks = [{ name: 'Audit', status: 'ok', sentence: 'Unbroken.', todo: null } as const]
  expect(asTable({ ok: true, checks: [...checks], counts, audit_ok: true }, 100)).toContain(
    'alerts 7, unacknowledged 3',
  )
})

test('a console in the browser that runs and does not answer its windows is a failed check', async () => {
  let status = 204
  const page = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((listening) => page.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`
  expect(statusOf(await look(), 'Page')).toBe('skipped')
  const word = { url, pid: process.pid, secret: 'x'.repeat(43), demo: false }
  const takeAway = writeWindowFile(dir, word)
  expect((await look()).checks.find(({ name }) => name === 'Page')).toMatchObject({
    status: 'ok',
    sentence: `The console answers at ${url}.`,
  })
  status = 500
  expect(statusOf(await look(), 'Page')).toBe('failed')
  takeAway()
  page.close()
})
