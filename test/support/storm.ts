/**
 * A storm: a console and a station that are killed again and again, on a line that breaks and a disk that is slow, while
 * what is on its way to the console comes twice, late, out of order and damaged. Then reads what is left everywhere.
 */
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { createEventLog, openDatabase, openKeys, verifyAudit } from '../../main/store/console/index.ts'
import { openStationFile } from '../../main/store/station/index.ts'
import { alertsOn } from './alert-row.ts'
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts'
import { legacyCrisis } from './events.ts'
import { school } from './intake-school.ts'
import { startQueueServer, type QueueServer } from './queue-server.ts'
import { openPage, type Page } from './real-console.ts'
import { dump } from './record.ts'
import { roughLine, type RoughLine } from './rough-line.ts'
import { seeded } from './seeded.ts'
import { signedInEnv } from './sign-in.ts'
import { makeSlowDisk, slowDiskMissing } from './slow-disk.ts'
import { chatKey, startStationProcess, stationEnv, type StationProcess } from './station-process.ts'
import { analyzed, ended, started } from './wire.ts'

const root = resolve(import.meta.dirname, '..', '..')

export interface StormOptions {
  /** Events in all: four fifths from other producers, the rest from the station's own chat. */
  events: number
  kills: number
  /** The same seed makes the same choices; STORM_SEED takes its place. */
  seed: number
}

type Chance = () => number

/** What the outside knows. */
interface Told {
  /** Idempotency keys of what producers sent, and of those the crises. */
  keys: Set<string>
  crises: Set<string>
  /** Sessions that must have an alert. */
  raised: Set<string>
  /** Bodies that nobody can read, each of which must be put aside. */
  damaged: Set<string>
  /** Messages that the station answered, of these the crises, and sessions. */
  messages: Set<string>
  messageCrises: Set<string>
  sessions: Set<string>
  ended: Set<string>
  /** Acknowledgements that the console said were recorded. */
  recorded: Set<string>
  /** Events that the station published, by idempotency key: what came off the topic. */
  published: Map<string, Record<string, unknown>>
  /** Calls without an answer. */
  unanswered: number
}

/** Runs it, and expects that nothing is lost, nothing doubled and every crisis visible. */
export async function storm({ events, kills, seed: usual }: StormOptions): Promise<void> {
  const seed = Number(process.env['STORM_SEED'] ?? usual)
  say(`${events} events, ${kills} kills, seed ${seed} (STORM_SEED=${seed} makes the same choices)`)
  if (slowDiskMissing !== null) say(`The disk is as fast as it is: ${slowDiskMissing}`)
  const chance = seeded(seed)
  const folder = mkdtempSync(join(tmpdir(), 'storm-'))
  const queue = await startQueueServer({ visibility: 5 })
  const slow = slowDiskMissing === null ? makeSlowDisk() : null
  const lines = { console: await roughLine(queue.endpoint), station: await roughLine(queue.endpoint) }
  const told: Told = {
    keys: new Set(), crises: new Set(), raised: new Set(), damaged: new Set(), messages: new Set(), messageCrises: new Set(),
    sessions: new Set(), ended: new Set(), recorded: new Set(), published: new Map(), unanswered: 0,
  } // prettier-ignore
  const carrier = await startCarrier(queue, told, seeded(seed * 7 + 1))
  const slowly = (): Record<string, string> => (slow && chance() < 0.4 ? slow.env(Math.floor(chance() * 25)) : {})
  const at = houses(folder, queue, lines, carrier.queueUrl, await signedInEnv({ school_id: school }), told)
  const stop = new AbortController()
  try {
    await Promise.all([at.startConsole({}), at.startStation({})])
    const perRound = Math.ceil((events * 0.8) / kills)
    const ofChat = Math.ceil((events * 0.2) / kills)
    let allowed = 0
    const chatting = Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        talk(
          at,
          told,
          seeded(seed * 31 + index),
          stop.signal,
          () => told.published.size + told.messages.size < allowed,
        ),
      ),
    )
    const failed = chatting.then(() => undefined)
    failed.catch(() => stop.abort())
    const producing = seeded(seed * 13 + 5)
    for (let round = 0; round < kills && !stop.signal.aborted; round++) {
      allowed = told.published.size + told.messages.size + ofChat * 2
      carrier.carry(...produce(perRound, told, producing))
      const weather = chance()
      const line = chance() < 0.5 ? lines.console : lines.station
      if (weather < 0.3) line.become(weather < 0.15 ? 'cut' : 'silent')
      await pause(20 + chance() * (chance() < 0.5 ? 150 : 900))
      if (chance() < 0.7) line.become('open')
      const both = chance() < 0.1
      const first = chance() < 0.6 ? 'console' : 'station'
      await Promise.all([
        (both || first === 'console') && at.killConsole(),
        (both || first === 'station') && at.killStation(),
      ])
      // Half of what is out still is when the killed one comes back.
      if (chance() < 0.5) line.become('open')
      await Promise.all([at.startConsole(slowly()), at.startStation(slowly())])
      line.become('open')
      if (round % 20 === 19) say(`${round + 1} of ${kills} kills; ${told.keys.size + told.published.size} events sent`)
    }
    stop.abort()
    await chatting
    carrier.carry(...produce(Math.max(0, events - told.keys.size - told.published.size) * 1.1, told, producing))
    await Promise.all([at.startConsole({}), at.startStation({})])
    await settled(at, queue, carrier)
    say(
      `${told.keys.size} events of producers, ${told.published.size} of the station, ${carrier.doubles()} doubles, ` +
        `${told.damaged.size} damaged; ${told.recorded.size} acknowledgements, ${told.unanswered} calls without an answer`,
    )
    expect(told.keys.size + told.published.size).toBeGreaterThanOrEqual(events)
    expect(await at.stopConsole()).toBe(0)
    await at.killStation()
    await expectStationKept(at, told)
    await expectConsoleKept(at, told)
  } finally {
    stop.abort()
    await at.end()
    await carrier.stop()
    await Promise.all([lines.console.close(), lines.station.close()])
    await queue.stop()
    slow?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const say = (what: string) => process.stderr.write(`Storm: ${what}\n`)

type Houses = ReturnType<typeof houses>

/** The console and the station, each with a data directory that outlives its processes. */
function houses(
  folder: string,
  queue: QueueServer,
  lines: Record<'console' | 'station', RoughLine>,
  eventsQueueUrl: string,
  person: Record<string, string>,
  told: Told,
) {
  const consoleData = join(folder, 'console')
  const stationData = join(folder, 'station')
  const consoleEnv: Record<string, string> = {
    ...queue.env,
    ...person,
    PSYFLO_EVENTS_QUEUE_URL: eventsQueueUrl,
    AWS_ENDPOINT_URL_SQS: lines.console.endpoint,
  }
  const ofStation: Record<string, string> = {
    ...stationEnv(queue),
    AWS_ENDPOINT_URL_SNS: lines.station.endpoint,
    AWS_ENDPOINT_URL_SQS: lines.station.endpoint,
    // As many as its sessions ask for at once.
    CONSULTX_API_KEYS: Array.from({ length: 8 }, (_, index) => `${chatKey}-${index}::read+write`)
      .concat(`${chatKey}::read+write`)
      .join(','),
  }
  let console: ConsoleProcess | null = null
  let page: Page | null = null
  let station: StationProcess | null = null
  let working: Promise<void> = Promise.resolve()
  const dismiss = () => {
    void page?.close()
    page = null
  }
  return {
    consoleData,
    stationData,
    consoleEnv,
    stationPassphrase: ofStation['PSYFLO_PASSPHRASE'] ?? '',
    page: () => page,
    station: () => station,
    async startConsole(env: Record<string, string>): Promise<void> {
      if (console !== null) return
      const running = await startConsoleProcess({ dataDir: consoleData, env: { ...consoleEnv, ...env } })
      console = running
      page = await openPage(running.address).catch(() => null)
      const open = page
      if (open) working = acknowledgeAll(open, told, () => running.process.signalCode !== null || page !== open)
    },
    async killConsole(): Promise<void> {
      const running = console
      console = null
      await running?.stop('SIGKILL')
      dismiss()
      await working
    },
    async stopConsole(): Promise<number | null> {
      const running = console
      console = null
      dismiss()
      await working
      return running?.stop() ?? null
    },
    async startStation(env: Record<string, string>): Promise<void> {
      station ??= await startStationProcess({ ...ofStation, ...env }, { dataDir: stationData })
    },
    async killStation(): Promise<void> {
      const running = station
      station = null
      await running?.stop()
    },
    async end(): Promise<void> {
      await console?.stop('SIGKILL')
      dismiss()
      await station?.stop()
    },
  }
}

/** Acknowledges some of what is open, one after the other, until the console is gone. */
async function acknowledgeAll(page: Page, told: Told, gone: () => boolean): Promise<void> {
  const one = async () => {
    const rows = alertsOn(await page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 5 }))
    for (const { key } of rows.filter(({ state }) => state === 'open').slice(0, 2)) {
      const { ack_id } = await page.calls.alerts.acknowledge.mutate({ key })
      told.recorded.add(ack_id)
    }
    await pause(50)
    return true
  }
  while (!gone()) {
    const done = await Promise.race([one().catch(() => false), pause(1000).then(() => !gone())])
    if (!done) await pause(20)
  }
}

/** Sessions of other producers: crises as old back ends send them, analyzed messages, begin and end; some unreadable. */
function produce(count: number, told: Told, chance: Chance): string[] {
  const bodies: string[] = []
  const send = (event: Record<string, unknown>) => {
    told.keys.add(String(event['idempotency_key']))
    bodies.push(JSON.stringify(event))
  }
  while (bodies.length < count) {
    const session_id = randomUUID()
    const of = { session_id, school_id: school, at: Date.now() }
    const name = (what: string) => ({ idempotency_key: `${session_id}-${what}` })
    send({ ...started({ ...of, ...name('start') }), metadata: {} })
    const length = 2 + Math.floor(chance() * 8)
    for (let sequence = 1; sequence <= length; sequence++) {
      const high = chance() < 0.05
      if (high) told.raised.add(session_id)
      const found = high
        ? { tier: 'high', level: 'CAUTION', score: 0.7, matched_patterns: ['hopelessness'] }
        : { tier: 'ok' }
      send({
        ...analyzed({ ...of, ...name(`${sequence}`), message_id: `${session_id}:${sequence}`, sequence, ...found }),
      })
      if (chance() > 0.08) continue
      const { idempotency_key } = name(`crisis-${sequence}`)
      told.crises.add(idempotency_key)
      told.raised.add(session_id)
      send(legacyCrisis({ session_id, idempotency_key }))
    }
    if (chance() < 0.7) send({ ...ended({ ...of, ...name('end') }) })
    if (chance() < 0.15) bodies.push(damaged(JSON.stringify(legacyCrisis({})), told, chance))
  }
  return bodies
}

/** The body cut short or with one bit turned, such that no JSON is left of it. */
function damaged(body: string, told: Told, chance: Chance): string {
  for (;;) {
    const bytes = Buffer.from(body)
    const place = 1 + Math.floor(chance() * (bytes.length - 1))
    const cut = chance() < 0.5
    // Of the lowest seven bits: the queue takes no body that is not text.
    if (!cut) bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(chance() * 7))
    const text = (cut ? bytes.subarray(0, place) : bytes).toString()
    // What SQS carries: neither an empty body nor control characters.
    if (isJson(text) || /[^\x20-\x7e]/.test(text)) continue
    told.damaged.add(text)
    return text
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Carried {
  body: string
  due: number
}

/**
 * Carries what the topic publishes and what producers send to the console's queue, as badly as a network may: some of
 * it twice, a tenth seconds late, all in another order, and of some a damaged copy besides.
 */
async function startCarrier({ sqs, eventsQueueUrl }: QueueServer, told: Told, chance: Chance) {
  const { QueueUrl: queueUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: 'psyflo-events-storm', Attributes: { VisibilityTimeout: '5' } }),
  )
  let onTheWay: Carried[] = []
  let doubles = 0
  let stopped = false
  const late = () => Date.now() + (chance() < 0.1 ? chance() * 4_000 : chance() * 100)
  const carry = (...bodies: string[]) => {
    for (const body of bodies) {
      onTheWay.push({ body, due: late() })
      if (chance() < 0.12) {
        doubles += 1
        onTheWay.push({ body, due: late() })
      }
      if (chance() < 0.01) onTheWay.push({ body: damaged(body, told, chance), due: late() })
    }
  }
  const fromTopic = async () => {
    while (!stopped) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: eventsQueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
      )
      if (Messages.length === 0) continue
      for (const { Body = '{}' } of Messages) {
        const event = JSON.parse((JSON.parse(Body) as { Message: string }).Message) as Record<string, unknown>
        told.published.set(String(event['idempotency_key']), event)
        carry(Body)
      }
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: eventsQueueUrl, Entries }))
    }
  }
  const toConsole = async () => {
    while (!stopped) {
      const now = Date.now()
      const due = onTheWay.filter((each) => each.due <= now).sort(() => chance() - 0.5)
      onTheWay = onTheWay.filter((each) => each.due > now)
      for (let from = 0; from < due.length; from += 10) {
        const Entries = due.slice(from, from + 10).map(({ body }, index) => ({ Id: String(index), MessageBody: body }))
        const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
        if (Failed.length > 0) throw new Error(`the queue took no body: ${Failed[0]?.Message}`)
      }
      await pause(10)
    }
  }
  const running = Promise.all([fromTopic(), toConsole()])
  // A failure is heard where it is stopped.
  running.catch(() => undefined)
  return {
    queueUrl,
    carry,
    doubles: () => doubles,
    waiting: () => onTheWay.length,
    async stop() {
      stopped = true
      await running
    },
  }
}

/** Says one thing after the other while it may, in one session after the other; a session is then ended. */
async function talk(at: Houses, told: Told, chance: Chance, stop: AbortSignal, may: () => boolean): Promise<void> {
  for (let number = 0; !stop.aborted; number++) {
    const opened = await answer(at, told, chance, stop, '/sessions', { user_id: `student-${number}` })
    if (opened === null) return
    const session = String(opened['session_id'])
    told.sessions.add(session)
    const length = 2 + Math.floor(chance() * 6)
    for (let turn = 0; turn < length; turn++) {
      while (!may() && !stop.aborted) await pause(10)
      const content = chance() < 0.15 ? 'I am going to kill myself tonight.' : 'We have maths after lunch.'
      const message = { sender: 'user', content, client_message_id: randomUUID() }
      const receipt = await answer(at, told, chance, stop, `/sessions/${session}/messages`, message)
      if (receipt === null) return
      const id = String(receipt['message_id'])
      told.messages.add(id)
      if (receipt['level'] === 'CRISIS') told.messageCrises.add(id)
      if (receipt['tier'] === 'crisis' || receipt['tier'] === 'high') told.raised.add(session)
    }
    if ((await answer(at, told, chance, stop, `/sessions/${session}/end`, {})) !== null) told.ended.add(session)
  }
}

/** Asks again until the station answers; null where the storm is over before. */
async function answer(
  at: Houses,
  told: Told,
  chance: Chance,
  stop: AbortSignal,
  path: string,
  body: object,
): Promise<Record<string, unknown> | null> {
  for (;;) {
    const url = at.station()?.url
    let response: Response
    try {
      if (url === undefined) throw new Error('it is down')
      response = await fetch(new URL(path, url), {
        method: 'POST',
        headers: { 'x-api-key': `${chatKey}-${Math.floor(chance() * 8)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      if (response.ok) return JSON.parse(text) as Record<string, unknown>
      if (response.status !== 429 && response.status !== 503) throw new Refused(`${path}: ${response.status} ${text}`)
    } catch (error) {
      if (error instanceof Refused) throw error
      if (url !== undefined) told.unanswered += 1
      if (stop.aborted) return null
    }
    await pause(20)
  }
}

class Refused extends Error {}

/** Everything is published, carried, and taken in; everything recorded is sent. */
async function settled(at: Houses, queue: QueueServer, carrier: Awaited<ReturnType<typeof startCarrier>>) {
  let pending = Number.POSITIVE_INFINITY
  const page = at.page()
  if (page === null) throw new Error('the console answers nothing')
  const watching = page.calls.strip.watch.subscribe(undefined, { onData: (strip) => (pending = strip.outbox_pending) })
  await vi.waitFor(
    async () => {
      const metrics = await (await at.station()!.call('GET', '/metrics')).text()
      expect(metrics).toMatch(/^psyflo_outbox_waiting 0$/m)
      expect(await queue.waiting()).toBe(0)
      expect(carrier.waiting()).toBe(0)
      expect(await waitingIn(queue, carrier.queueUrl)).toBe(0)
      expect(pending).toBe(0)
    },
    { timeout: 120_000, interval: 250 },
  )
  watching.unsubscribe()
}

async function waitingIn({ sqs }: QueueServer, QueueUrl: string): Promise<number> {
  const { Attributes: found = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  )
  return Number(found['ApproximateNumberOfMessages']) + Number(found['ApproximateNumberOfMessagesNotVisible'])
}

const sorted = (values: Iterable<string>): string[] => [...values].sort()

/** What the station answered is kept once, and what it kept was published. */
async function expectStationKept(at: Houses, told: Told): Promise<void> {
  const provider = passphraseProvider(at.stationPassphrase, systemRandomness)
  const { stationDatabase } = await openKeys(at.stationData, provider, systemRandomness)
  const db = openStationFile(join(at.stationData, 'station.db'), stationDatabase)
  try {
    const list = (sql: string) => db.prepare(sql).pluck().all() as string[]
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const kept = list('SELECT message_id FROM messages ORDER BY 1')
    expect(kept).toEqual(expect.arrayContaining([...told.messages]))
    // What was sent when the storm ended may have been kept without an answer: one in each of four conversations.
    expect(kept.length - told.messages.size).toBeLessThanOrEqual(4)
    expect(list(`SELECT message_id FROM messages WHERE state <> 'analyzed'`)).toEqual([])
    const published = [...told.published.values()]
    const ids = (type: string, field: string) =>
      published.filter(({ event_type }) => event_type === type).map((event) => String(event[field]))
    expect(sorted(ids('MESSAGE_ANALYZED', 'message_id'))).toEqual(kept)
    expect(ids('CRISIS_DETECTED', 'message_id')).toEqual(expect.arrayContaining([...told.messageCrises]))
    expect(ids('SESSION_STARTED', 'session_id')).toEqual(expect.arrayContaining([...told.sessions]))
    expect(ids('SESSION_ENDED', 'session_id')).toEqual(expect.arrayContaining([...told.ended]))
    // Every acknowledgement came to the station, and went on to everybody.
    expect(ids('ALERT_ACTION', 'ack_id')).toEqual(expect.arrayContaining([...told.recorded]))
  } finally {
    db.close()
  }
}

/** Everything that was sent is in the console's record once, every crisis stands in its inbox, and nothing else does. */
async function expectConsoleKept(at: Houses, told: Told): Promise<void> {
  const report = doctorOf(at)
  expect(report.audit_ok).toBe(true)
  const passphrase = at.consoleEnv['PSYFLO_PASSPHRASE'] ?? ''
  const provider = passphraseProvider(passphrase, systemRandomness)
  const { database } = await openKeys(at.consoleData, provider, systemRandomness)
  const db = openDatabase(join(at.consoleData, 'console.db'), database)
  try {
    const list = (sql: string) => db.prepare(sql).pluck().all() as string[]
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const published = [...told.published.values()]
    const sent = [
      ...told.keys,
      ...published.filter(({ event_type }) => event_type !== 'ALERT_ACTION').map((event) => String(event['idempotency_key'])),
    ] // prettier-ignore
    expect(
      list(`SELECT idempotency_key FROM events WHERE origin = 'queue' AND event_type <> 'ALERT_ACTION' ORDER BY 1`),
    ).toEqual(sorted(sent))
    const crises = published
      .filter(({ event_type }) => event_type === 'CRISIS_DETECTED')
      .map((event) => String(event['idempotency_key']))
    const triggers = list(
      `SELECT triggers.idempotency_key FROM triggers JOIN events ON events.seq = triggers.event_seq
       WHERE events.event_type = 'CRISIS_DETECTED' ORDER BY 1`,
    )
    expect(triggers).toEqual(sorted([...told.crises, ...crises]))
    const raisedElsewhere = published
      .filter(({ tier, event_type }) => event_type === 'CRISIS_DETECTED' || tier === 'crisis' || tier === 'high')
      .map(({ session_id }) => String(session_id))
    const raised = sorted(new Set([...told.raised, ...raisedElsewhere]))
    expect(list('SELECT DISTINCT session_id FROM alerts ORDER BY 1')).toEqual(raised)
    expect(list(`SELECT key FROM alerts WHERE state = 'resolved'`)).toEqual([])
    expect(list('SELECT raw FROM quarantine')).toHaveLength(told.damaged.size)
    expect(list(`SELECT DISTINCT reason FROM quarantine`)).toEqual(['not JSON'])
    expect(report.counts).toMatchObject({
      alerts: list('SELECT key FROM alerts').length,
      quarantined: told.damaged.size,
      outbox_pending: 0,
    })
    const recorded = list(`SELECT id FROM actions WHERE json_extract(action, '$.action') = 'acknowledged' ORDER BY 1`)
    expect(told.recorded.size).toBeGreaterThan(0)
    expect(recorded).toEqual(expect.arrayContaining([...told.recorded]))
    expect(verifyAudit(db)).toMatchObject({ ok: true, broken_at: null })
    const before = dump(db)
    createEventLog(db).rebuild()
    expect(dump(db)).toEqual(before)
  } finally {
    db.close()
  }
}

interface Report {
  audit_ok: boolean
  counts: { events: number; alerts: number; open: number; quarantined: number; outbox_pending: number }
}

function doctorOf({ consoleData, consoleEnv }: Houses): Report {
  const args = [join(root, 'main', 'commands', 'launch.mjs'), 'doctor', '--json', '--data-dir', consoleData]
  const { PSYFLO_PASSPHRASE = '' } = consoleEnv
  const plain = Object.entries(process.env).filter(([name]) => !/^(PSYFLO|AWS|CONSULTX)_/.test(name))
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...Object.fromEntries(plain), PSYFLO_PASSPHRASE },
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Report
}
