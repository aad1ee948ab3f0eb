/** The composition root: builds every part of the console with plain constructors, in named phases. */
import { mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { SQSClient } from '@aws-sdk/client-sqs'
import { ConsoleError } from '../shared/errors.ts'
import type { Person } from '../shared/people.ts'
import { minutes } from '../shared/time.ts'
import type { AlertRow, GateState } from '../shared/views.ts'
import {
  createDueWatch,
  createLifecycle,
  sendAgain,
  startSender,
  startStation,
  toQueue,
  toTopic,
  type Sender,
} from './alerts/index.ts'
import { createEngine, readDetection } from './analysis/index.ts'
import type { Configuration } from './configuration.ts'
import { testConnection } from './connection-test.ts'
import { createPeople, createWindows, readSignInToken } from './identity/index.ts'
import { createCommitter, retryQuarantined, showPresence, startConsumer } from './ingest/index.ts'
import { loadSchool, startDemonstration } from './demo/index.ts'
import { sqsClient, snsClient, type AwsAccess } from './platform/aws.ts'
import { freshDemonstrationDir, lockDataDir } from './platform/data-lock.ts'
import { startDeskQueue } from './platform/desk-queue.ts'
import { projectRoot, readDetectionFiles } from './platform/detection-files.ts'
import { passphraseProvider, throwawayProvider } from './platform/key-providers.ts'
import { asPersonalError } from './platform/personal-error.ts'
import type { KeyProvider, Ports } from './platform/ports.ts'
import {
  appRouter,
  createFeed,
  firstPulse,
  stripView,
  type AppRouter,
  type Context,
  type Parts,
} from './router/index.ts'
import {
  alertCounts,
  alertRow,
  createLog,
  diskFull,
  evidenceKey,
  isDiskError,
  keystoreExists,
  openDatabase,
  openKeys,
  type Database,
  type Touched,
} from './store/index.ts'

export interface RunningConsole {
  router: AppRouter
  /** The context of one window: a browser session or an Electron window. */
  contextFor(windowId: string): Context
  /** The database is open and consuming has begun; rejects with a ConsoleError. */
  ready: Promise<void>
  stop(): Promise<void>
}

/** Something that was started, to be stopped in the reverse order. */
type Stop = () => void | Promise<void>

/** Starts the console. It answers at once; screens ask the gate how far it is. */
export function startConsole(configuration: Configuration, ports: Ports): RunningConsole {
  const gate = createGate()
  const stops: Stop[] = []
  let stopping = false

  const open = async (): Promise<void> => {
    const { dir, keys } = await unlockData(configuration, ports, gate, stops)
    const { parts, presentable } = await openParts(configuration, ports, dir, keys, stops, (told) =>
      gate.change({ phase: 'opening', told }),
    )
    void presentable.then(() => gate.open(parts))
  }
  const ready = open().catch(async (error: unknown) => {
    if (stopping) return
    await stopAll(stops)
    gate.change({ phase: 'failed', error: plain(asPersonalError(error, ports.log)) })
    throw error
  })
  // The host awaits `ready` too; a failure before that must not end the process by itself.
  ready.catch(() => undefined)

  return {
    router: appRouter,
    contextFor: (windowId) => ({ windowId, gate }),
    ready,
    async stop() {
      stopping = true
      await stopAll(stops)
    },
  }
}

// ---- The gate -------------------------------------------------------------------------------

function createGate() {
  let state: GateState = { phase: 'opening', told: null }
  let parts: Parts | null = null
  let waitingForPassphrase: ((passphrase: string) => void) | null = null
  const listeners = new Set<(state: GateState) => void>()
  const change = (next: GateState): void => {
    state = next
    listeners.forEach((listener) => listener(next))
  }
  return {
    state: () => state,
    listen(listener: (state: GateState) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    unlock(passphrase: string) {
      waitingForPassphrase?.(passphrase)
      waitingForPassphrase = null
    },
    parts: () => parts,
    change,
    open(opened: Parts) {
      parts = opened
      change({ phase: 'ready' })
    },
    /** Shows the lock and waits until somebody types a passphrase. */
    ask(locked: Extract<GateState, { phase: 'locked' }>): Promise<string> {
      return new Promise((resolve) => {
        waitingForPassphrase = resolve
        change(locked)
      })
    },
  }
}

// ---- Phase 1: data directory and keys -------------------------------------------------------

async function unlockData(
  configuration: Configuration,
  ports: Ports,
  gate: ReturnType<typeof createGate>,
  stops: Stop[],
) {
  if (configuration.demo) {
    const { dir, release } = freshDemonstrationDir(configuration.dataDir, ports.randomness.uuid())
    stops.push(release)
    return { dir, keys: await openKeys(dir, throwawayProvider(), ports.randomness) }
  }
  const dir = configuration.dataDir
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  stops.push(lockDataDir(dir))
  if (configuration.passphrase !== null) {
    return { dir, keys: await openKeys(dir, provider(configuration.passphrase, ports), ports.randomness) }
  }
  let error: ConsoleError | null = null
  for (;;) {
    const passphrase = await gate.ask({ phase: 'locked', create: !keystoreExists(dir), error: error && plain(error) })
    gate.change({ phase: 'opening', told: null })
    try {
      return { dir, keys: await openKeys(dir, provider(passphrase, ports), ports.randomness) }
    } catch (failure) {
      if (!(failure instanceof ConsoleError) || failure.code !== 'wrong_passphrase') throw failure
      error = failure
    }
  }
}

function provider(passphrase: string, { randomness }: Ports): KeyProvider {
  return passphraseProvider(passphrase, randomness)
}

// ---- Phase 2: store, queue, ingest, alerts, desk --------------------------------------------

async function openParts(
  configuration: Configuration,
  ports: Ports,
  dir: string,
  keys: { database: Buffer; evidence: Buffer },
  stops: Stop[],
  onTold: (told: number) => void,
): Promise<{ parts: Parts; presentable: Promise<void> }> {
  const { clock, randomness, log: logger } = ports
  const engine = createEngine(readDetection(readDetectionFiles()))
  const school = configuration.demo ? loadSchool(join(projectRoot(), 'resources', 'demo')) : null

  const db = openDatabase(join(dir, 'console.db'), keys.database)
  stops.push(() => void db.close())
  const log = createLog(db)
  const evidence = evidenceKey(keys.evidence)
  const consoleId = setting(db, 'console_id', () => randomness.uuid())

  const people = createPeople(db)
  const first = await firstPerson(configuration, ports, db, school && { id: school.school.id, people: school.people })
  for (const person of first.everyone) people.save(person, clock.now())
  let schoolId = first.signedIn.school_id
  /** A console that was told no school belongs to the school its queue is filtered to. */
  const adoptSchool = (id: string): void => {
    schoolId = id
    db.prepare(`UPDATE settings SET value = ? WHERE name = 'school_id' AND value = ''`).run(id)
    people.save({ ...first.signedIn, school_id: id }, clock.now())
  }

  const queue = await openQueues(configuration, ports, schoolId, stops)
  const feed = createFeed()
  const stripListeners = new Set<() => void>()
  const stripChanged = (): void => stripListeners.forEach((listener) => listener())
  const pulse = firstPulse(db)

  // The acknowledgement side stands before the first event arrives.
  const senders: Partial<Record<'acks' | 'events', Sender>> = {}
  const lifecycle = createLifecycle({
    db,
    log,
    clock,
    randomness,
    consoleId,
    hasAckQueue: queue.acksQueueUrl !== null,
    onChanged(touched) {
      feed.publish(touched)
      senders.acks?.wake()
      dueWatch.wake()
      stripChanged()
    },
  })
  const dueWatch = createDueWatch({ db, clock, lifecycle })
  stops.push(() => dueWatch.stop())

  const committer = createCommitter({
    db,
    log,
    evidenceKey: evidence,
    clock,
    schoolId: configuration.schoolId ?? (schoolId || null),
    ...(configuration.demo && { arrival: arrivalOfHistory(clock.now()) }),
    onCommitted({ readings, ...touched }) {
      for (const reading of readings) {
        if (reading.kind !== 'event') continue
        const { event } = reading
        pulse.lastEventAt = clock.now()
        if (schoolId === '' && event.school_id !== undefined) adoptSchool(event.school_id)
        if (event.event_type === 'HEARTBEAT' || event.event_type === 'DRILL') pulse.provenAt = clock.now()
        if (event.event_type === 'MESSAGE_ANALYZED' && event.role === 'student') pulse.degraded = event.degraded
      }
      feed.publish(touched)
      if (touched.alerts.length > 0) {
        announce(db, ports, schoolId, touched)
        dueWatch.wake()
      }
      stripChanged()
    },
  })
  retryQuarantined(
    { db, log, evidenceKey: evidence, schoolId, now: clock.now(), consoleId, by: { id: 'system', role: 'ADMIN' } },
    { reasons: ['unknown event type', 'newer schema version'] },
  )
  const consumer = startConsumer({
    sqs: queue.sqs,
    queueUrl: queue.eventsQueueUrl,
    committer,
    clock,
    log: logger,
    onState: stripChanged,
    onCommitError(error) {
      const personal =
        error === null ? null : isDiskError(error) ? plain(diskFull(error)) : plain(asPersonalError(error, logger))
      if (personal?.code === pulse.commitError?.code) return
      pulse.commitError = personal
      stripChanged()
    },
  })
  stops.push(() => consumer.stop())
  if (!queue.desk) {
    const presence = showPresence({ sqs: queue.sqs, queueUrl: queue.eventsQueueUrl, consoleId, clock })
    stops.push(() => presence.stop())
  }

  const keysOfSession = db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck()
  /** “Recorded” became “sent”, or did not: those who look at these alerts see it. */
  const onSent = (messages: readonly { group_id: string }[]): void => {
    const keys = new Set(messages.flatMap(({ group_id }) => keysOfSession.all(group_id) as string[]))
    feed.publish({
      alerts: [...keys].map((key) => ({ key, opened: false, reopened: false })),
      merged: [],
      sessions: [],
      students: [],
    })
    stripChanged()
  }
  if (queue.acksQueueUrl !== null) {
    senders.acks = startSender({
      db,
      target: 'acks',
      send: toQueue(queue.sqs, queue.acksQueueUrl),
      clock,
      randomness,
      log: logger,
      onSent,
    })
  }
  if (school) {
    // The desk's queue forgets when the process ends: what the log has not confirmed is sent again.
    sendAgain(db, 'events')
    senders.events = startSender({ db, target: 'events', send: queue.publish, clock, randomness, log: logger, onSent })
  }
  for (const sender of Object.values(senders)) stops.push(() => sender.stop())

  if (queue.desk && queue.acksQueueUrl !== null) {
    const station = startStation({
      db,
      sqs: queue.sqs,
      acksQueueUrl: queue.acksQueueUrl,
      schoolId,
      clock,
      randomness,
      log: logger,
      onQueued: () => senders.events?.wake(),
    })
    stops.push(() => station.stop())
  }
  let presentable = Promise.resolve()
  if (school) {
    onTold(0)
    const demonstration = await startDemonstration({
      school,
      ports,
      db,
      engine,
      evidenceKey: evidence,
      dataDir: configuration.dataDir,
      lifecycle,
      people,
      onQueued: () => senders.events?.wake(),
      onProgress: onTold,
    })
    stops.push(() => demonstration.stop())
    presentable = demonstration.live
  }
  // The plans of a demonstration's past were met or missed in the past.
  void presentable.then(() => dueWatch.start())

  const ticking = tick(ports, stripChanged)
  stops.push(ticking)
  const windows = createWindows(first.signedIn)
  const parts: Parts = {
    db,
    log,
    evidenceKey: evidence,
    clock,
    consoleId,
    configuration,
    schoolId: () => schoolId,
    lifecycle,
    people,
    windows,
    preferences: ports.preferences,
    engine,
    feed,
    connection: () => consumer.state(),
    strip: {
      now: () =>
        stripView(db, {
          school: schoolId,
          now: clock.now(),
          pulse,
          connection: consumer.state(),
          ladder: configuration.ladder,
          demo: configuration.demo,
        }),
      listen(listener) {
        stripListeners.add(listener)
        return () => stripListeners.delete(listener)
      },
    },
    queues: () => ({
      mode: queue.desk ? 'desk' : 'district',
      events_queue: queue.eventsQueueUrl,
      acks_queue: queue.acksQueueUrl,
      endpoint: queue.access.endpoint,
      region: queue.access.region,
      from_environment: configuration.fromEnvironment,
      retention_days: consumer.state().retention_days,
    }),
    testConnection: () => testConnection({ ...queue, clock, receiving: consumer.state().state === 'connected' }),
  }
  return { parts, presentable }
}

interface Queues {
  desk: boolean
  access: AwsAccess
  sqs: SQSClient
  eventsQueueUrl: string
  acksQueueUrl: string | null
  /** Where this program publishes events: its topic, or straight to the queue where it has none. */
  publish: Parameters<typeof startSender>[0]['send']
}

async function openQueues(
  { queue }: Configuration,
  { randomness }: Ports,
  schoolId: string,
  stops: Stop[],
): Promise<Queues> {
  if (queue.eventsQueueUrl === null) {
    const desk = await startDeskQueue(randomness, schoolId)
    stops.push(() => desk.stop())
    const { access, sqs, eventsQueueUrl, acksQueueUrl } = desk
    return { desk: true, access, sqs, eventsQueueUrl, acksQueueUrl, publish: toTopic(desk.sns, desk.topicArn) }
  }
  const access: AwsAccess = { region: queue.region, endpoint: queue.endpoint, credentials: null }
  const sqs = sqsClient(access)
  stops.push(() => sqs.destroy())
  return {
    desk: false,
    access,
    sqs,
    eventsQueueUrl: queue.eventsQueueUrl,
    acksQueueUrl: queue.acksQueueUrl,
    publish:
      queue.eventsTopicArn === null
        ? toQueue(sqs, queue.eventsQueueUrl)
        : toTopic(snsClient(access), queue.eventsTopicArn),
  }
}

/** Who sits here first: the token's person, a demonstration counselor, or whoever owns this account. */
async function firstPerson(
  configuration: Configuration,
  { clock }: Ports,
  db: Database,
  demo: { id: string; people: Omit<Person, 'school_id'>[] } | null,
): Promise<{ signedIn: Person; everyone: Person[] }> {
  const demoPeople = (demo?.people ?? []).map((person) => ({ ...person, school_id: demo?.id ?? '' }))
  if (configuration.signInToken !== null) {
    const person = await readSignInToken(configuration.signInToken, configuration, clock.now())
    setting(db, 'school_id', () => person.school_id)
    return {
      signedIn: demo ? { ...person, school_id: demo.id } : person,
      everyone: demo ? [...demoPeople, { ...person, school_id: demo.id }] : [person],
    }
  }
  const counselor = demoPeople.find(({ role }) => role === 'COUNSELOR')
  if (counselor) return { signedIn: counselor, everyone: demoPeople }
  const school_id = configuration.schoolId ?? setting(db, 'school_id', () => '')
  const owner: Person = { id: `local:${userInfo().username}`, name: userInfo().username, role: 'COUNSELOR', school_id }
  return { signedIn: owner, everyone: [owner] }
}

/** A notification that names nobody and quotes nothing, for alerts that are news. */
function announce(db: Database, { clock, shell }: Ports, schoolId: string, touched: Touched): void {
  const recent = (row: AlertRow) => row.state === 'open' && clock.now() - row.received_at < minutes(5)
  const news = touched.alerts
    .filter(({ opened, reopened }) => opened || reopened)
    .map(({ key }) => alertRow(db, schoolId, key))
    .filter((row) => row !== null && recent(row))
  const crisis = news.some((row) => row?.tier === 'crisis')
  if (news.length > 0)
    shell.notify({
      title: crisis ? 'Crisis alert' : 'Alert',
      body: 'A student may need help now. Open PsyFlo Console.',
      urgent: crisis,
    })
  shell.badge(alertCounts(db, schoolId, '', clock.now()).unacknowledged)
}

/** A setting of this installation, made at first use. */
function setting(db: Database, name: string, make: () => string): string {
  db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING').run(name, make())
  return db.prepare('SELECT value FROM settings WHERE name = ?').pluck().get(name) as string
}

/** The demonstration's past was received in the past: a moment after each event. */
function arrivalOfHistory(startedAt: number) {
  const onTheWay = 400
  return (at: number, now: number): number => (at < startedAt ? Math.min(now, at + onTheWay) : now)
}

/** Ages in the strip (overdue heartbeats) change without any event. */
function tick({ clock }: Ports, changed: () => void): Stop {
  let cancel = clock.after(15_000, function again() {
    changed()
    cancel = clock.after(15_000, again)
  })
  return () => cancel()
}

/** Only the sentences: an error object would bring its stack and cause along. */
function plain({ code, happened, safe, todo }: { code: string; happened: string; safe: string; todo: string }) {
  return { code, happened, safe, todo }
}

async function stopAll(stops: Stop[]): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    try {
      await stop()
    } catch {
      // What cannot be stopped any more must not keep the rest from stopping.
    }
  }
}
