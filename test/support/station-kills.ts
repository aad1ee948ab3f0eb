/** Kills one of two stations again and again while a chat talks to both, then reads what is left everywhere. */
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { openDatabase, openKeys, verifyAudit } from '../../main/store/console/index.ts'
import { startConsoleProcess } from './console-process.ts'
import { school } from './intake-school.ts'
import { testPostgres } from './postgres.ts'
import { startQueueServer, type QueueServer } from './queue-server.ts'
import { seeded } from './seeded.ts'
import { signedInEnv } from './sign-in.ts'
import { chatKey, startStationProcess, stationEnv, type StationProcess } from './station-process.ts'

/** Sessions that are talked in at the same time. */
const talking = 6

/** What the chat knows: every message it sent was answered in the end, for it asks again until it is. */
interface Told {
  messages: Set<string>
  crises: Set<string>
  /** Sessions that were answered; of these, those with a message that raises an alert, and those that were ended. */
  sessions: Set<string>
  raised: Set<string>
  ended: Set<string>
  /** Calls that got no answer, each of which may have been heard all the same. */
  unanswered: number
}

/**
 * Runs `rounds` of them, with moments chosen by `seed`, and expects that every message was answered once, every
 * event published, and each shown once by a console that listened all the time.
 */
export async function stationKills({ rounds, seed }: { rounds: number; seed: number }): Promise<void> {
  process.stderr.write(`Killing one of two stations ${rounds} times, seed ${seed}\n`)
  const chance = seeded(seed)
  const folder = mkdtempSync(join(tmpdir(), 'killed-stations-'))
  const queue = await startQueueServer({ visibility: 5 })
  const database = await (await testPostgres()).createDatabase('station_kills')
  const beside = new pg.Client(database.adminUrl)
  const stations = twoStations(folder, {
    ...stationEnv(queue),
    PSYFLO_DATABASE_URL: database.url,
    // A message is accepted first and decided later, as with every service: it can be killed between the two.
    PSYFLO_RISK_ADAPTERS: slowAdapter(folder),
  })
  const consoleData = join(folder, 'console')
  const consoleEnv = { ...queue.env, ...(await signedInEnv({ school_id: school })) }
  const told: Told = {
    messages: new Set(),
    crises: new Set(),
    sessions: new Set(),
    raised: new Set(),
    ended: new Set(),
    unanswered: 0,
  }
  try {
    await beside.connect()
    const published = await everythingPublished(queue)
    const listening = await startConsoleProcess({ dataDir: consoleData, env: consoleEnv, args: ['--web'] })
    await Promise.all([stations.start(0), stations.start(1)])
    const stop = new AbortController()
    const chat = Array.from({ length: talking }, (_, index) =>
      talk(stations, told, seeded(seed * 31 + index), stop.signal),
    )
    const chatting = Promise.all(chat)
    // A refusal or a wrong answer ends the test at once, not after the last round.
    const failed = chatting.then(() => undefined)
    failed.catch(() => stop.abort())
    for (let round = 0; round < rounds && !stop.signal.aborted; round++) {
      const enough = told.messages.size + 5 + Math.floor(chance() * 10)
      await vi.waitFor(() => expect(stop.signal.aborted || told.messages.size >= enough).toBe(true), {
        timeout: 60_000,
        interval: 5,
      })
      await pause(chance() * (chance() < 0.5 ? 40 : 400))
      await killOne(stations, chance)
    }
    stop.abort()
    await chatting
    await Promise.all([stations.start(0), stations.start(1)])
    await settled(stations, queue, beside)
    expect(await listening.stop()).toBe(0)
    await expectAnsweredOnce(beside, told)
    expectPublished(await published.take(), told)
    await expectShownOnce(consoleData, consoleEnv['PSYFLO_PASSPHRASE'] ?? '', told)
    const { messages, crises, sessions, unanswered } = told
    process.stderr.write(
      `${messages.size} messages (${crises.size} crises) in ${sessions.size} sessions; ${unanswered} calls lost their answer\n`,
    )
    // Else nobody was hit in the middle of anything.
    expect(unanswered).toBeGreaterThan(rounds / 2)
  } finally {
    await stations.stop()
    await beside.end()
    await queue.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Stations = ReturnType<typeof twoStations>

/** Two of them, each with a data directory of its own that outlives its processes. */
function twoStations(folder: string, env: Record<string, string>) {
  const running: [StationProcess | null, StationProcess | null] = [null, null]
  const processes = new Set<ChildProcess>()
  const spawn = (which: 0 | 1, onSpawned: (process: ChildProcess) => void) =>
    startStationProcess(env, {
      dataDir: join(folder, `station-${which}`),
      onSpawned(process) {
        processes.add(process)
        onSpawned(process)
      },
    })
  return {
    running,
    /** Starts it where it does not run. */
    async start(which: 0 | 1): Promise<void> {
      running[which] ??= await spawn(which, () => undefined)
    },
    async kill(which: 0 | 1): Promise<void> {
      const station = running[which]
      running[which] = null
      await station?.stop()
    },
    /** Starts it and kills it `after` so many milliseconds, whatever it does then. */
    async startAndKill(which: 0 | 1, after: number): Promise<void> {
      let child: ChildProcess | undefined
      const started = spawn(which, (process) => (child = process)).catch(() => null)
      await pause(after)
      child?.kill('SIGKILL')
      await started
    },
    async stop(): Promise<void> {
      for (const process of processes) {
        if (process.exitCode !== null || process.signalCode !== null) continue
        const ended = new Promise((resolve) => process.once('exit', resolve))
        process.kill('SIGKILL')
        await ended
      }
    },
  }
}

/** Either of them, in the middle of its work; now and then both, or the same once more while it starts. */
async function killOne(stations: Stations, chance: () => number): Promise<void> {
  const which = chance() < 0.5 ? 0 : 1
  const other = which === 0 ? 1 : 0
  const [both, again, after] = [chance() < 0.15, chance() < 0.2, chance() * 1500]
  await Promise.all([stations.kill(which), both && stations.kill(other)])
  if (again) await stations.startAndKill(which, after)
  await Promise.all([stations.start(which), stations.start(other)])
}

/** A detector that takes a moment and finds nothing. */
function slowAdapter(folder: string): string {
  const file = join(folder, 'slow-detector.mjs')
  writeFileSync(
    file,
    `export async function assess() {
      await new Promise((resolve) => setTimeout(resolve, 15))
      return { score: 0, categories: [] }
    }`,
  )
  return file
}

/** Says one thing after the other in one session after the other, until it is told to stop; a session is then ended. */
async function talk(stations: Stations, told: Told, chance: () => number, stop: AbortSignal): Promise<void> {
  for (let number = 0; !stop.aborted; number++) {
    const { session_id } = await answer(stations, told, chance, '/sessions', { user_id: `student-${number}` })
    const session = String(session_id)
    told.sessions.add(session)
    const length = 2 + Math.floor(chance() * 8)
    for (let sequence = 1; sequence <= length && !stop.aborted; sequence++) {
      const content = chance() < 0.2 ? 'I am going to kill myself tonight.' : 'We have maths after lunch.'
      const message = { sender: 'user', content, client_message_id: randomUUID() }
      const path = `/sessions/${session}/messages`
      const receipt = await answer(stations, told, chance, path, message)
      const id = String(receipt['message_id'])
      expect(receipt).toMatchObject({ session_id: session, sequence })
      expect(told.messages.has(id)).toBe(false)
      told.messages.add(id)
      if (receipt['level'] === 'CRISIS') told.crises.add(id)
      if (receipt['tier'] === 'crisis' || receipt['tier'] === 'high') told.raised.add(session)
      // A chat that lost the answer on its way asks once more: it is told the same.
      if (chance() < 0.15) {
        const again = await answer(stations, told, chance, path, message)
        expect(again).toMatchObject({ message_id: id, sequence, tier: receipt['tier'] })
      }
    }
    await answer(stations, told, chance, `/sessions/${session}/end`, {})
    told.ended.add(session)
  }
}

/** Calls either station, then the other, until one answers; only a station that is gone or stops is asked again. */
async function answer(
  { running }: Stations,
  told: Told,
  chance: () => number,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  for (let which = chance() < 0.5 ? 0 : 1; ; which = 1 - which) {
    const url = running[which]?.url
    if (url === undefined) {
      await pause(10)
      continue
    }
    let response: Response
    let text: string
    try {
      response = await fetch(new URL(path, url), {
        method: 'POST',
        headers: { 'x-api-key': chatKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      })
      text = await response.text()
    } catch {
      told.unanswered += 1
      await pause(10)
      continue
    }
    if (response.ok) return JSON.parse(text) as Record<string, unknown>
    if (response.status !== 429 && response.status !== 503) throw new Error(`${path}: ${response.status} ${text}`)
    await pause(50)
  }
}

/** A queue of the test's own that keeps whatever the topic is given. */
async function everythingPublished({ sqs, endpoint, topicArn }: QueueServer) {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'everything' }))
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }))
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  const sns = new SNSClient({ endpoint, region: 'us-east-1', credentials })
  await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: 'sqs', Endpoint: Attributes?.QueueArn }))
  sns.destroy()
  return {
    async take(): Promise<Record<string, unknown>[]> {
      const all: Record<string, unknown>[] = []
      for (;;) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 3600 }),
        )
        if (Messages.length === 0) return all
        for (const { Body = '{}' } of Messages)
          all.push(JSON.parse((JSON.parse(Body) as { Message: string }).Message) as Record<string, unknown>)
      }
    },
  }
}

/** Everything is decided, published, and taken in by the console. */
async function settled({ running }: Stations, queue: QueueServer, beside: pg.Client): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await beside.query(
        `SELECT (SELECT count(*) FROM messages WHERE state = 'accepted') + (SELECT count(*) FROM outbox) AS left`,
      )
      expect(rows).toEqual([{ left: '0' }])
      expect(await queue.waiting()).toBe(0)
    },
    // What a killed station had in hand is its own for a minute where it does not come back.
    { timeout: 120_000, interval: 250 },
  )
  for (const station of running) {
    const metrics = await (await station!.call('GET', '/metrics')).text()
    expect(metrics).toMatch(/^psyflo_outbox_waiting 0$/m)
  }
}

async function expectAnsweredOnce(beside: pg.Client, told: Told): Promise<void> {
  const kept = async (sql: string) => (await beside.query<{ id: string }>(sql)).rows.map(({ id }) => id)
  expect(await kept('SELECT message_id AS id FROM messages ORDER BY 1')).toEqual([...told.messages].sort())
  // A session whose answer was lost was opened for nobody.
  const sessions = await kept('SELECT session_id AS id FROM sessions')
  expect(sessions).toEqual(expect.arrayContaining([...told.sessions]))
  expect(sessions.length - told.sessions.size).toBeLessThanOrEqual(told.unanswered)
}

function expectPublished(published: Record<string, unknown>[], told: Told): void {
  const keys = new Set(published.map(({ idempotency_key }) => String(idempotency_key)))
  const expected = [
    ...[...told.messages].map((id) => `${id}:MESSAGE_ANALYZED`),
    ...[...told.crises].map((id) => `${id}:CRISIS_DETECTED`),
    ...[...told.sessions].map((id) => `${id}:SESSION_STARTED`),
    ...[...told.ended].map((id) => `${id}:SESSION_ENDED`),
  ]
  expect(expected.filter((key) => !keys.has(key))).toEqual([])
  const beats = new Map(
    published
      .filter(({ event_type }) => event_type === 'HEARTBEAT')
      .map(({ idempotency_key, number }) => [String(idempotency_key), Number(number)]),
  )
  // Numbered from 1 without a gap and without a twin, whichever station beat.
  const numbers = [...beats.values()].sort((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
}

async function expectShownOnce(dataDir: string, passphrase: string, told: Told): Promise<void> {
  const { database } = await openKeys(dataDir, passphraseProvider(passphrase, systemRandomness), systemRandomness)
  const db = openDatabase(join(dataDir, 'console.db'), database, { readonly: true })
  try {
    const list = (sql: string) => (db.prepare(sql).pluck().all() as string[]).sort()
    const taken = (type: string, field: string) =>
      list(`SELECT json_extract(body, '$.${field}') FROM events WHERE origin = 'queue' AND event_type = '${type}'`)
    expect(taken('MESSAGE_ANALYZED', 'message_id')).toEqual([...told.messages].sort())
    expect(taken('CRISIS_DETECTED', 'message_id')).toEqual([...told.crises].sort())
    expect(taken('SESSION_ENDED', 'session_id')).toEqual([...told.ended].sort())
    const started = taken('SESSION_STARTED', 'session_id')
    expect(started).toEqual(expect.arrayContaining([...told.sessions]))
    expect(new Set(started).size).toBe(started.length)
    expect(list('SELECT message_id FROM messages')).toEqual([...told.messages].sort())
    expect(list('SELECT session_id FROM alerts')).toEqual([...told.raised].sort())
    expect(list('SELECT id FROM quarantine')).toEqual([])
    expect(verifyAudit(db)).toMatchObject({ ok: true, broken_at: null })
  } finally {
    db.close()
  }
}
