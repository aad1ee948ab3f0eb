/** What a start of the station would do, said and tried beforehand; and where it does not start at all. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { completion, httpServer, type HttpServer } from '../support/http-server.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { runStation, startStationProcess, stationEnv } from '../support/station-process.ts'

interface Report {
  ok: boolean
  checks: { name: string; status: string; sentence: string }[]
}

const clinicalAnswer = { score: 0, detected: false, marker: null, reasoning: '', patterns: [] }
let queue: QueueServer
let service: HttpServer
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  queue = await startQueueServer()
  service = await httpServer(completion(JSON.stringify(clinicalAnswer)))
  folder = mkdtempSync(join(tmpdir(), 'station-check-'))
  const adapter = join(folder, 'detector.mjs')
  writeFileSync(adapter, 'export const assess = () => ({ score: 0, categories: [] })')
  env = {
    ...stationEnv(queue),
    PSYFLO_CLINICAL_URL: service.url,
    PSYFLO_CLINICAL_MODEL: 'm',
    PSYFLO_REPLY_URL: service.url,
    PSYFLO_REPLY_MODEL: 'm',
    PSYFLO_RISK_ADAPTERS: adapter,
  }
})
afterAll(async () => {
  await queue.stop()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function check(dataDir: string, port = '0') {
  const ran = await runStation(['--check', '--json', '--port', port, '--data-dir', dataDir], env)
  const report = JSON.parse(ran.stdout) as Report
  return { ...ran, report, status: Object.fromEntries(report.checks.map(({ name, status }) => [name, status])) }
}

it('--check says what a start would do, tries each part, and leaves everything as it was', async () => {
  const dataDir = join(folder, 'never')
  const { code, report, stderr } = await check(dataDir)
  const notConfigured = ['Texts', 'Calls', 'Mails', 'Queue of events']
  const notOk = report.checks.filter(({ status }) => status !== 'ok')
  expect(notOk.map(({ name, status }) => [name, status]).sort()).toEqual(
    notConfigured.map((name) => [name, 'skipped']).sort(),
  )
  expect([code, report.ok, stderr]).toEqual([0, true, ''])
  for (const name of [
    'Store',
    'Key store',
    'Topic',
    'Acknowledgement queue',
    'Schools and keys',
    'Risk engine',
    'Clinical service',
    'Reply service',
    'Risk adapter 1',
    'Address',
  ])
    // prettier-ignore
    expect(report.checks.map((each) => each.name)).toContain(name)
  expect(existsSync(dataDir)).toBe(false)
  expect(await queue.waiting()).toBe(0)
})

it('--check finds what a station has made, while it runs and afterwards', async () => {
  const dataDir = join(folder, 'made')
  const station = await startStationProcess(env, { dataDir })
  const { port } = new URL(station.url)
  const running = await check(dataDir, port)
  expect(running.status).toMatchObject({ 'Data directory': 'warning', 'Key store': 'ok', Store: 'ok', Address: 'warning' }) // prettier-ignore
  station.process.kill('SIGTERM')
  expect(await station.ended).toBe(0)
  // What SQLite lays beside a file that is read is of no account.
  const files = () => readdirSync(dataDir).filter((name) => !/-(shm|wal)$/.test(name))
  const before = files()
  expect((await check(dataDir, port)).status).toMatchObject({ 'Data directory': 'ok', Store: 'ok', Address: 'ok' })
  expect(files()).toEqual(before)
})

it('half a configuration is refused in words, and nothing is made', async () => {
  const dataDir = join(folder, 'half')
  const { code, stdout, stderr } = await runStation(['--data-dir', dataDir], { ...env, PSYFLO_EVENTS_TOPIC_ARN: '' })
  expect([code, stdout, existsSync(dataDir)]).toEqual([1, '', false])
  expect(stderr).toMatch(/^A station needs PSYFLO_EVENTS_TOPIC_ARN.*\n.*\n.*\n$/)
})

it('a port that is taken is refused in words', async () => {
  const { port } = new URL(service.url)
  const { code, stdout, stderr } = await runStation(['--port', port, '--data-dir', join(folder, 'taken')], env)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`Another program is listening on port ${port}`)
})

it('serves the chat page where that is asked for, and says where', async () => {
  const station = await startStationProcess(env, { args: ['--chat-page'] })
  const { url, dataDir, written } = station
  expect(written.stderr).toBe(`Chat page: ${url}chat (API key: ${join(dataDir, 'intake.key')})\n`)
  const page = await fetch(new URL('/chat', url))
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  await station.stop()
})

it('behind a proxy it answers what came over TLS, and nothing else', async () => {
  const token = 'token-of-the-operator'
  const changed = { ...env, PSYFLO_TRUST_PROXY: '127.0.0.1', PSYFLO_STATION_TOKEN: token, PSYFLO_TRUST_PROXI: '::1' }
  const station = await startStationProcess(changed, { args: ['--host', '0.0.0.0'] })
  const ask = async (path: string, headers: Record<string, string>) =>
    (await fetch(new URL(path, station.url), { headers })).status
  const https = { 'x-forwarded-proto': 'https' }
  expect(await ask('/health', {})).toBe(403)
  expect(await ask('/health', https)).toBe(200)
  expect(await ask('/metrics', https)).toBe(401)
  expect(await ask('/metrics', { ...https, authorization: `Bearer ${token}` })).toBe(200)
  expect(station.written.stderr).toBe('PSYFLO_TRUST_PROXI is not known; did you mean PSYFLO_TRUST_PROXY?\n')
  await station.stop()
})
