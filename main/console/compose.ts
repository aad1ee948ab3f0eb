/** The composition root: builds every part of the console with plain constructors, in named phases. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAnnouncer, createDueWatch, createLifecycle } from './alerts/index.ts'
import { startSender, toQueue, type Sender } from '../outbox/index.ts'
import { readIntakeSettings, startStation, type Station } from '../station/index.ts'
import { createNearness } from '../analysis/index.ts'
import type { Configuration } from '../configuration/index.ts'
import { testConnection } from './connection-test.ts'
import { loadSchool, startDemonstration } from '../demo/index.ts'
import { buildEngine, keepDetection } from '../detection.ts'
import { createGate, plain, unlockData, type Stop } from './startup.ts'
import { createPeople, createWindows, firstPerson } from './identity/index.ts'
import { createCommitter, retryQuarantined, showPresence, startConsumer } from './event-queue/index.ts'
import { openClinical } from '../platform/clinical/index.ts'
import { projectRoot, readDetectionFiles } from '../platform/detection-files.ts'
import { openEmbedder } from '../platform/embedder/index.ts'
import { asPersonalError } from '../platform/personal-error.ts'
import type { Ports } from '../platform/ports.ts'
import { openQueues } from './queues.ts'
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
  createEventLog,
  diskFull,
  isDiskError,
  openDatabase,
  setting,
  type Keys,
  type Touched,
} from '../store/console/index.ts'
import { evidenceKey } from '../platform/envelope.ts'

export interface RunningConsole {
  router: AppRouter
  /** The context of one window: a browser session or an Electron window. */
  contextFor(windowId: string): Context
  /** The database is open and consuming has begun; rejects with a ConsoleError. */
  ready: Promise<void>
  stop(): Promise<void>
}

/** Starts the console. It answers at once; screens ask the gate how far it is. */
export function startConsole(configuration: Configuration, ports: Ports): RunningConsole {
  const gate = createGate()
  const stops: Stop[] = []
  let stopping = false

  const open = async (): Promise<void> => {
    const unlocking = unlockData(configuration, ports, gate, stops)
    unlocking.catch(() => undefined)
    // The key is derived in a thread of its own, or somebody is typing: time enough for the engine.
    const built = buildEngine(readDetectionFiles)
    const { dir, keys } = await unlocking
    const { parts, presentable } = await openParts(configuration, ports, built, dir, keys, stops, (told) =>
      gate.change({ phase: 'opening', told }),
    )
    void presentable.then(() => gate.open(parts))
  }
  const ready = open().catch(async (error: unknown) => {
    if (stopping) return
    await stopAll(stops)
    gate.change({ phase: 'failed', error: plain(asPersonalError(error, ports.logger)) })
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

/** Store, queues, alerts, ingest, and the desk: each part with what it needs, in the order they need each other. */
async function openParts(
  configuration: Configuration,
  ports: Ports,
  built: ReturnType<typeof buildEngine>,
  dir: string,
  keys: Keys,
  stops: Stop[],
  onTold: (told: number) => void,
): Promise<{ parts: Parts; presentable: Promise<void> }> {
  const { clock, randomness, logger } = ports
  const school = configuration.demo ? loadSchool(join(projectRoot(), 'resources', 'demo')) : null

  const db = openDatabase(join(dir, 'console.db'), keys.database)
  stops.push(() => void db.close())
  const eventLog = createEventLog(db)
  const evidence = evidenceKey(keys.evidence)
  const detection = keepDetection(db, built, readDetectionFiles)
  const clinical = await openClinical(configuration.clinical, {
    prompt: () => detection.engine.clinicalPrompt,
    clock,
    logger,
  })
  stops.push(() => clinical.stop())
  const embedder =
    configuration.embedderDir === null ? null : openEmbedder(configuration.embedderDir, { clock, logger })
  stops.push(() => embedder?.stop())
  const nearness = embedder && createNearness(embedder.embedder, () => detection.engine.phrases)
  const services =
    clinical.service || nearness
      ? { timer: clock, clinical: clinical.service ?? undefined, nearness: nearness ?? undefined }
      : null
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
  const announcer = createAnnouncer(db, ports, () => schoolId)
  /** The demonstration's past is no news. */
  let told = school === null
  const tellDesktop = (touched: Touched): void => {
    if (told) announcer.tell(touched)
  }

  // The acknowledgement side stands before the first event arrives.
  let acknowledgements: Sender | null = null
  let station: Station | null = null
  const lifecycle = createLifecycle({
    db,
    eventLog,
    clock,
    randomness,
    consoleId,
    hasAckQueue: queue.acksQueueUrl !== null,
    onChanged(touched) {
      feed.publish(touched)
      tellDesktop(touched)
      acknowledgements?.wake()
      dueWatch.wake()
      stripChanged()
    },
  })
  const dueWatch = createDueWatch({ db, clock, lifecycle })
  stops.push(() => dueWatch.stop())

  /** School of events that name none. */
  const ownSchool = configuration.schoolId ?? (schoolId || null)
  const committer = createCommitter({
    db,
    eventLog,
    evidenceKey: evidence,
    clock,
    schoolId: ownSchool,
    ...(configuration.demo && { arrival: arrivalOfHistory(clock.now()) }),
    onCommitted({ readings, crisesQuarantined, ...touched }) {
      station?.confirm(readings.flatMap((reading) => (reading.kind === 'event' ? reading.event.idempotency_key : [])))
      for (const reading of readings) {
        if (reading.kind !== 'event') continue
        const { event } = reading
        pulse.lastEventAt = clock.now()
        if (schoolId === '' && event.school_id !== undefined) adoptSchool(event.school_id)
        // A proof is as old as it is, however late it came.
        if (event.event_type === 'HEARTBEAT' || event.event_type === 'DRILL')
          pulse.provenAt = Math.max(pulse.provenAt ?? 0, Math.min(event.timestamp, clock.now()))
        if (event.event_type === 'MESSAGE_ANALYZED' && event.role === 'student') pulse.degraded = event.degraded
      }
      if (crisesQuarantined > 0) announcer.unreadableCrisis()
      feed.publish(touched)
      if (touched.alerts.length > 0) {
        tellDesktop(touched)
        dueWatch.wake()
      }
      stripChanged()
    },
  })
  retryQuarantined(
    {
      db,
      eventLog,
      evidenceKey: evidence,
      schoolId: ownSchool,
      now: clock.now(),
      consoleId,
      by: { id: 'system', role: 'ADMIN' },
    },
    { reasons: ['unknown event type', 'newer schema version'] },
  )
  const consumer = startConsumer({
    sqs: queue.sqs,
    queueUrl: queue.eventsQueueUrl,
    committer,
    clock,
    logger,
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
      alerts: [...keys].map((key) => ({ key, opened: false, reopened: false, worse: false })),
      merged: [],
      sessions: [],
      students: [],
    })
    stripChanged()
  }
  if (queue.acksQueueUrl !== null) {
    acknowledgements = startSender({
      db,
      what: 'acknowledgements',
      inOrder: true,
      send: toQueue(queue.sqs, queue.acksQueueUrl),
      clock,
      randomness,
      logger,
      onSent,
    })
  }
  if (acknowledgements) stops.push(() => acknowledgements?.stop())

  let presentable = Promise.resolve()
  if (school && queue.acksQueueUrl !== null) {
    const running = await startStation({
      databaseFile: join(dir, 'station.db'),
      databaseKey: keys.stationDatabase,
      dataDir: configuration.dataDir,
      evidenceKey: evidence,
      schoolId: school.school.id,
      salt: null,
      storeContent: true,
      assessment: { engine: detection.engine, services },
      settings: readIntakeSettings(process.env, (file) => readFileSync(file, 'utf8')),
      address: { host: '127.0.0.1', port: 0 },
      sqs: queue.sqs,
      acksQueueUrl: queue.acksQueueUrl,
      publish: queue.publish,
      ports,
    })
    station = running
    stops.push(() => running.stop())
    onTold(0)
    const demonstration = startDemonstration({
      school,
      ports,
      db,
      station: running,
      lifecycle,
      people,
      onProgress: onTold,
    })
    stops.push(() => demonstration.stop())
    presentable = demonstration.live
  }
  // The plans of a demonstration's past were met or missed in the past.
  void presentable.then(() => {
    told = true
    dueWatch.start()
  })

  const ticking = tick(ports, stripChanged)
  stops.push(ticking)
  const windows = createWindows(first.signedIn)
  const parts: Parts = {
    db,
    eventLog,
    evidenceKey: evidence,
    clock,
    consoleId,
    configuration,
    schoolId: () => schoolId,
    lifecycle,
    people,
    windows,
    preferences: ports.preferences,
    detection,
    services,
    clinical: () => clinical.state(),
    embedder: () => embedder && nearness && { ...embedder.state(), ready: nearness.ready() },
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

async function stopAll(stops: Stop[]): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    try {
      await stop()
    } catch {
      // What cannot be stopped any more must not keep the rest from stopping.
    }
  }
}
