/** The station as a program of its own, on a real topic and queue. */
import { readdirSync, readFileSync, statSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { httpServer, json, silence, type HttpServer } from '../../support/http-server.ts'
import { school } from '../../support/intake-school.ts'
import { startQueueServer, type QueueServer } from '../../support/queue-server.ts'
import {
  chatKey,
  runStation,
  startStationProcess,
  stationEnv,
  type StationProcess,
} from '../../support/station-process.ts'

const words = 'I want to end my life tonight'
const student = 'xx-marked-student'

let queue: QueueServer
let env: Record<string, string>
beforeAll(async () => {
  queue = await startQueueServer()
  env = stationEnv(queue)
})
afterAll(() => queue.stop())

/** Every event on the subscribed queue, as far as it has come. */
const received: Record<string, unknown>[] = []
async function receive(): Promise<Record<string, unknown>[]> {
  const { Messages = [] } = await queue.sqs.send(
    new ReceiveMessageCommand({ QueueUrl: queue.eventsQueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 }),
  )
  for (const { Body = '{}' } of Messages) {
    const { Message } = JSON.parse(Body) as { Message: string }
    received.push(JSON.parse(Message) as Record<string, unknown>)
  }
  return received
}
const event = (wanted: Record<string, unknown>) =>
  vi.waitFor(async () => expect(await receive()).toContainEqual(expect.objectContaining(wanted)), { timeout: 10_000 })

const startSession = async (station: StationProcess): Promise<string> =>
  String(
    ((await (await station.call('POST', '/sessions', { user_id: student })).json()) as { session_id: string })
      .session_id,
  )

describe('a station that runs', () => {
  let station: StationProcess
  beforeAll(async () => void (station = await startStationProcess(env)))
  afterAll(() => station.stop())

  it('prints its address and nothing else', () => {
    expect(station.written.stdout).toMatch(/^Station: http:\/\/127\.0\.0\.1:\d+\/\n$/)
    expect(station.written.stderr).toBe('')
  })

  it('brings a message to every console that is subscribed, and an action back to them', async () => {
    const session_id = await startSession(station)
    const answer = await station.call('POST', `/sessions/${session_id}/messages`, { sender: 'user', content: words })
    expect(await answer.json()).toMatchObject({ tier: 'crisis', assistant: null })
    await event({ event_type: 'CRISIS_DETECTED', session_id, school_id: school })
    await event({ event_type: 'HEARTBEAT', school_id: school })
    const action = { ack_id: 'a-1', event_type: 'ALERT_ACKNOWLEDGED', session_id, acknowledged_by: 'marlow' }
    await queue.sqs.send(new SendMessageCommand({ QueueUrl: queue.acksQueueUrl, MessageBody: JSON.stringify(action) }))
    await event({ event_type: 'ALERT_ACTION', ack_id: 'a-1', by: 'marlow' })
  })

  it.each([
    ['is too long', 413, { content: `${words} ${'a'.repeat(20_000)}` }],
    ['bears an id that is taken', 409, { content: words, client_message_id: 'taken' }],
  ])('assesses what it refuses: a message that %s', async (_, status, message) => {
    const session_id = await startSession(station)
    const say = (body: object) => station.call('POST', `/sessions/${session_id}/messages`, { sender: 'user', ...body })
    await say({ content: 'hello', client_message_id: 'taken' })
    const refused = await say(message)
    expect(refused.status).toBe(status)
    expect(await refused.json()).toMatchObject({ details: { tier: 'crisis' } })
    await event({ event_type: 'CRISIS_DETECTED', session_id })
  })

  it('assesses what comes too fast', async () => {
    const session_id = await startSession(station)
    await vi.waitFor(
      async () => {
        const flood = Array.from({ length: 600 }, () => station.call('GET', '/sessions?limit=1'))
        const refused = await station.call('POST', `/sessions/${session_id}/messages`, {
          sender: 'user',
          content: words,
        })
        await Promise.all(flood.map(async (answer) => (await answer).arrayBuffer()))
        expect(refused.status).toBe(429)
        expect(await refused.json()).toMatchObject({ details: { tier: 'crisis' } })
      },
      { timeout: 10_000 },
    )
    await event({ event_type: 'CRISIS_DETECTED', session_id })
  })

  it('tells its figures in Prometheus text, with nobody in them', async () => {
    const session = received.find(({ event_type }) => event_type === 'CRISIS_DETECTED')
    const response = await fetch(new URL('/metrics', station.url))
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    for (const line of text.split('\n').filter((each) => each !== ''))
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z0-9_]+ .+|[a-zA-Z_:][a-zA-Z0-9_:]*(\{([a-z_]+="[^"]*",?)*\})? (-?[\d.e+-]+|NaN|[+-]Inf))$/,
      )
    expect(text).toContain('psyflo_messages_total{role="student",tier="crisis"}')
    expect(text).toMatch(/^psyflo_heartbeats_total [1-9]/m)
    expect(text).toMatch(/^psyflo_events_published_total\{event_type="CRISIS_DETECTED"\} [1-9]/m)
    expect(text).toContain('route="/sessions/:id/messages",status="413"')
    expect(text).toMatch(/^psyflo_records_relayed_total 1$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
    const { session_id, student_hash } = session as Record<string, string>
    for (const secret of [session_id!, student_hash!, school, student, chatKey]) expect(text).not.toContain(secret)
  })

  it('leaves no word, id or key in a log, and nothing readable in its data', () => {
    const { session_id, student_hash } = received.find(({ event_type }) => event_type === 'CRISIS_DETECTED') as Record<string, string> // prettier-ignore
    const secrets = [words, student, session_id!, student_hash!, chatKey, env['PSYFLO_PASSPHRASE']!]
    const files = readdirSync(station.dataDir, { recursive: true, encoding: 'utf8' })
    expect(files).toContain(join('logs', 'station.log'))
    for (const name of files.map((file) => join(station.dataDir, file)).filter((file) => statSync(file).isFile())) {
      const file = readFileSync(name)
      for (const secret of secrets) expect(file.includes(secret), name).toBe(false)
    }
    expect(readFileSync(join(station.dataDir, 'logs', 'station.log'), 'utf8')).toContain('/sessions/:id/messages')
  })

  it('refuses a second one on its data', async () => {
    const { code, stderr, stdout } = await runStation(['--port', '0', '--data-dir', station.dataDir], env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('is using this data directory')
  })
})

describe('a station that is asked to stop', () => {
  let clinical: HttpServer
  let dataDir: string
  beforeAll(async () => {
    clinical = await httpServer(silence)
    dataDir = mkdtempSync(join(tmpdir(), 'station-stop-'))
  })
  afterAll(async () => {
    await clinical.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  it('finishes the message in hand, refuses what comes after it, and publishes at the next start what it could not', async () => {
    const deaf = { PSYFLO_CLINICAL_URL: clinical.url, PSYFLO_CLINICAL_MODEL: 'slow', AWS_ENDPOINT_URL_SNS: 'http://127.0.0.1:9' } // prettier-ignore
    const station = await startStationProcess({ ...env, ...deaf }, { dataDir })
    const session_id = await startSession(station)
    let answer: () => void = () => undefined
    clinical.answers((...asked) => (answer = () => json({}, 503)(...asked)))
    const inHand = station.call('POST', `/sessions/${session_id}/messages`, { sender: 'user', content: words })
    await vi.waitFor(() => expect(clinical.asked).toHaveLength(1))
    station.process.kill('SIGTERM')
    await vi.waitFor(async () => expect((await station.call('GET', '/health')).status).toBe(503))
    const late = await station.call('POST', '/sessions', { user_id: student })
    expect([late.status, late.headers.get('connection'), late.headers.get('retry-after')]).toEqual([503, 'close', '5'])
    answer()
    expect(await (await inHand).json()).toMatchObject({ tier: 'crisis' })
    expect(await station.ended).toBe(0)

    const again = await startStationProcess(env, { dataDir })
    const session = (await (await again.call('GET', `/sessions/${session_id}`)).json()) as { buffer: unknown[] }
    expect(session.buffer).toHaveLength(1)
    await event({ event_type: 'CRISIS_DETECTED', session_id })
    await event({ event_type: 'MESSAGE_ANALYZED', session_id })
    again.process.kill('SIGINT')
    expect(await again.ended).toBe(0)
  })

  it('publishes nothing a second time at the next start', async () => {
    const again = await startStationProcess(env, { dataDir })
    const heartbeats = () => received.filter(({ event_type }) => event_type === 'HEARTBEAT').length
    const before = heartbeats()
    await vi.waitFor(async () => expect((await receive(), heartbeats())).toBeGreaterThan(before), { timeout: 10_000 })
    await again.stop()
    const keys = received.map(({ idempotency_key }) => idempotency_key).filter((key) => key !== undefined)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
