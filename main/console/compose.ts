/** The composition of the console: plain constructors in named phases, each part with what it needs. */
import { join } from 'node:path'
import { ConsoleError, plainError } from '../../shared/errors.ts'
import type { Person } from '../../shared/people.ts'
import type { QueueSettings } from '../../shared/views.ts'
import type { Configuration } from '../configuration/index.ts'
import { createPassing, startSender, toQueue } from '../outbox/index.ts'
import { evidenceKey } from '../platform/envelope.ts'
import { asPersonalError } from '../platform/personal-error.ts'
import { machineName } from '../platform/machine-name.ts'
import type { Ports } from '../platform/ports.ts'
import type { Stops } from '../platform/stops.ts'
import {
  alertKeysOf,
  cacheOutbox,
  createEventLog,
  openDatabase,
  readSetting,
  sendUnconfirmedActionsAgain,
  setting,
  storageProblem,
} from '../store/console/index.ts'
import { minutes } from '../../shared/time.ts'
import {
  createActionReporter,
  createAnnouncer,
  createDeskCalls,
  createDueWatch,
  createLifecycle,
} from './alerts/index.ts'
import { openEngine, openWhenAsked, type Assessment } from './assessment.ts'
import { createChanges } from './changes.ts'
import { testNotification } from '../../shared/notification-words.ts'
import { testConnection } from './connection-test.ts'
import { createDueReminder, createStudentRecords } from './student-records/index.ts'
import { consoleKeys, keyRing, schoolKey, startEnrolment } from './enrolment/index.ts'
import {
  claimQueue,
  createCommitter,
  startConsumer,
  watchDeadLetters,
  watchSharing,
  type Consumer,
  type DeadLetterWatch,
  type QueueClaim,
} from './event-queue/index.ts'
import {
  createAccounts,
  createPeople,
  createWindows,
  ownCrisisNumbers,
  deskPeople,
  firstPerson,
  ownSchool,
  settleAtStart,
} from './identity/index.ts'
import { createDirectory, peopleListed, stationByRest, type OwnSchool, type PolicyService } from './policy/index.ts'
import { createLateStart, type LateStart } from './late-start/index.ts'
import { openConfiguredQueues, type ConsoleQueues } from './queues.ts'
import type { Parts } from './router/index.ts'
import { runStartup, unlock, type AtTheQueue, type RunningConsole, type Unlocked } from './startup.ts'
import { watchDrills, type DrillWatch } from './drills.ts'
import { ladderNow } from './ladder-now.ts'
import { watchWaking } from './waking.ts'
import { watchProof, type Proof } from './proof.ts'
import { createViewing, type Viewing } from './viewing/index.ts'
import { createStrip, type Strip } from './strip.ts'

/** The console alone, on the queues of the environment. */
export function startConsole(configuration: Configuration, ports: Ports): RunningConsole {
  const unlocking = unlock(configuration, ports)
  return runStartup(
    { ports, unlock: unlocking, setUp: null, takesMessages: false },
    async (unlocking, stops, _, atTheQueue) => {
      const opened = await openConsole({
        configuration,
        ports,
        unlocking,
        stops,
        queues: () => Promise.resolve(openConfiguredQueues(configuration, stops)),
        invented: null,
        assesses: false,
        atTheQueue,
      })
      opened.goLive()
      return { parts: opened.parts, presentable: Promise.resolve() }
    },
  )
}

export interface ConsoleOptions {
  configuration: Configuration
  ports: Ports
  unlocking: Promise<Unlocked>
  stops: Stops
  queues(schoolId: string): Promise<ConsoleQueues>
  /** The demonstration's school and people; null = real ones. */
  invented: { school: { id: string }; people: Omit<Person, 'school_id'>[] } | null
  /** Whether messages are assessed in this process: then the engine is open before anything is shown. */
  assesses: boolean
  /** Needed where the queues are not this program's own. */
  atTheQueue?: AtTheQueue
}

export type OpenedConsole = Awaited<ReturnType<typeof openConsole>>

/** Opens the console's half and begins to consume. Nobody is notified before `goLive`. */
export async function openConsole(options: ConsoleOptions) {
  const { configuration, ports, stops } = options
  const { clock, logger } = ports
  const assessment = openWhenAsked(() =>
    openEngine({ configuration, ports, stops, dataDir: options.unlocking.then(({ dir: unlocked }) => unlocked) }),
  )
  // The key is derived in a thread of its own, or somebody is typing: time enough for the engine.
  if (options.assesses) assessment().catch(() => undefined)
  const { dir, keys } = await options.unlocking
  const record = openRecord(dir, keys, ports, stops)
  if (options.assesses) await assessment()
  const people = await openPeople(options, record, stops)
  const queues = await options.queues(people.schoolId())
  const claim = await claimOf(options, record, queues)
  const enrolled = enrol(options, record, keys, people, queues)
  const late = openLateStart(ports, record, people, () => reception.consumer.state(), stops)
  const station = hearStation(configuration, ports, record, stops)
  const alerts = openAlerts(station, ports, record, enrolled, people, queues, late, stops)
  const viewing = openViewing(ports, record, enrolled, people, queues, alerts, stops)
  const reception = receiveEvents(configuration, ports, record, enrolled, people, queues, claim, station, stops)
  const stopping = new AbortController()
  stops.push(() => stopping.abort())
  const directory = openDirectory(options, record, enrolled, people)
  const opened = { record, enrolled, assessment, people, queues, late, alerts, viewing, reception, directory }
  const parts = gatherParts(configuration, ports, opened)
  return {
    parts,
    dir,
    keys,
    ...record,
    ...enrolled,
    assessment,
    ...people,
    directory,
    /** From now on what comes is news, and plans are watched. */
    goLive() {
      alerts.announcer.start()
      alerts.deskCalls.start()
      late.start()
      reception.proof.start()
      stops.push(watchWaking({ ...record, ...ports }))
      const settling = { ...record, ...enrolled, schoolId: people.schoolId(), now: clock.now(), clock }
      settleAtStart(settling, stopping.signal).catch((error: unknown) => {
        logger.error({ error }, 'schools were not settled to the end; the next start goes on')
      })
      alerts.dueWatch.start()
      alerts.dueReminder.start()
    },
  }
}

type Opened<Phase extends (...options: never[]) => unknown> = Awaited<ReturnType<Phase>>

/** The encrypted cache with its event log, and the one stream of what is committed to it. */
function openRecord(dir: string, keys: Unlocked['keys'], { logger, randomness }: Ports, stops: Stops) {
  const db = openDatabase(join(dir, 'console.db'), keys.database)
  stops.push(() => void db.close())
  return {
    db,
    eventLog: createEventLog(db),
    changes: createChanges(db, logger),
    consoleId: setting(db, 'console_id', () => randomness.uuid()),
    linkKey: setting(db, 'link_key', () => randomness.bytes(32).toString('hex')),
  }
}

/** Who uses this console, and which school it serves. */
async function openPeople(
  { configuration, ports, invented }: ConsoleOptions,
  { db, changes, consoleId }: Opened<typeof openRecord>,
  stops: Stops,
) {
  const { clock, randomness } = ports
  const people = createPeople(db)
  const demo = invented && { id: invented.school.id, people: invented.people }
  const byAccount = configuration.mode === 'desk'
  const first = await firstPerson(configuration, ports, db, demo, byAccount)
  for (const person of first.everyone) people.save(person, clock.now())
  const windows = createWindows(first.signedIn?.id ?? null, clock, byAccount ? 'first' : 'every')
  stops.push(() => windows.stop())
  const accounts = byAccount ? createAccounts({ db, changes, people, windows, clock, randomness, consoleId }) : null
  /** Whose token the console was started with: it lets this person ask the school's station, and nobody else. */
  const speaker = configuration.signInToken === null ? null : first.signedIn
  return { people, windows, accounts, speaker, schoolId: ownSchool(db, first.school_id) }
}

/** The queue is this console's alone before it receives; null = it is this program's own. Waits where it is not. */
async function claimOf(
  { ports, stops, atTheQueue }: ConsoleOptions,
  { consoleId, changes }: Opened<typeof openRecord>,
  { desk, sqs, eventsQueueUrl: queueUrl }: ConsoleQueues,
): Promise<QueueClaim | null> {
  if (desk || !atTheQueue) return null
  const stopping = new AbortController()
  stops.push(() => stopping.abort())
  for (;;) {
    try {
      const claim = await claimQueue({
        ...{ sqs, queueUrl, consoleId, computer: machineName(), ...ports, signal: stopping.signal },
        // The strip looks at everything anew whenever something is told.
        onState: () => changes.tell({}),
        onWaiting: () => atTheQueue.watching(),
      })
      stops.push(() => claim.stop())
      return claim
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error
      await atTheQueue.refused(error)
    }
  }
}

/** This console's own keys, made known to its school, and the school's, with which evidence opens. */
function enrol(
  { ports, stops }: ConsoleOptions,
  { db, changes, consoleId }: Opened<typeof openRecord>,
  keys: Unlocked['keys'],
  { schoolId }: Opened<typeof openPeople>,
  { acksQueueUrl, desk }: ConsoleQueues,
) {
  const own = consoleKeys(db, ports.randomness)
  const hasAckQueue = acksQueueUrl !== null
  const enrolment = startEnrolment({ ...ports, db, changes, consoleId, keys: own, schoolId, hasAckQueue })
  stops.push(() => enrolment.stop())
  const evidence = evidenceKey(keys.evidence)
  return {
    consoleKeys: own,
    enrolment,
    evidenceKey: keyRing({ db, own: evidence, schoolId }),
    // A desk is its school's only console, and its station has the same key.
    wordsKey: () => (desk ? evidence : schoolKey(db, schoolId())),
  }
}

/** What was not done in time is for the station that escalates to open again; a minute later it is this console's. */
const stationReopensWithin = minutes(1)
/** What came while nobody was awake here; before anything is received, so that it knows what is late. */
function openLateStart(
  { clock, logger, shell }: Ports,
  { db, changes }: Opened<typeof openRecord>,
  { schoolId }: Opened<typeof openPeople>,
  connection: () => ReturnType<Consumer['state']>,
  stops: Stops,
): LateStart {
  const late = createLateStart({ db, changes, clock, logger, shell, schoolId, connection })
  stops.push(() => late.stop())
  return late
}

/** What the station says of itself and of the alarm. It hears a change before all who ask it. */
function hearStation(
  { ladder }: Configuration,
  { clock }: Ports,
  { db, changes }: Opened<typeof openRecord>,
  stops: Stops,
) {
  const proof = watchProof({ db, changes, clock })
  stops.push(() => proof.stop())
  return { proof, ladder: () => ladderNow(proof, ladder) }
}

/** What is done about alerts: recorded, sent, announced, and opened again when a plan was not met. */
function openAlerts(
  { ladder }: Opened<typeof hearStation>,
  { clock, randomness, logger, shell }: Ports,
  { db, eventLog, changes, consoleId }: Opened<typeof openRecord>,
  { consoleKeys: keys, wordsKey }: Opened<typeof enrol>,
  { schoolId, windows }: Opened<typeof openPeople>,
  { sqs, acksQueueUrl, desk }: ConsoleQueues,
  late: LateStart,
  stops: Stops,
) {
  const hasAckQueue = acksQueueUrl !== null
  const recording = { db, eventLog, changes, clock, randomness, consoleId, keys, wordsKey, hasAckQueue }
  const lifecycle = createLifecycle(recording)
  const studentRecords = createStudentRecords(recording)
  const patience = () => (ladder() === 'station' ? stationReopensWithin : 0)
  const dueWatch = createDueWatch({ db, changes, clock, lifecycle, schoolId, patience })
  const dueReminder = createDueReminder({ db, changes, clock, shell, schoolId, windows })
  const announcer = createAnnouncer({
    ...{ db, changes, clock, shell, schoolId },
    isHere: (id) => windows.isHere(id),
    speaksForLate: (alert) => late.speaksFor(alert),
  })
  const reporter = createActionReporter({ db, changes, eventLog, clock })
  // From the first commit on: what came back while the console opened is told as well.
  reporter.start()
  const deskCalls = createDeskCalls({ ...recording, shell, announcer, windows, schoolId })
  stops.push(
    () => dueWatch.stop(),
    () => dueReminder.stop(),
    () => deskCalls.stop(),
    () => reporter.stop(),
    () => announcer.stop(),
  )
  if (acksQueueUrl !== null) {
    if (desk) sendUnconfirmedActionsAgain(db)
    const sender = startSender({
      outbox: cacheOutbox(db),
      what: 'acknowledgements',
      inOrder: true,
      send: toQueue(sqs, acksQueueUrl),
      clock,
      randomness,
      logger,
      // “Recorded” became “sent”, or did not: those who look at these alerts see it.
      onSent: (messages) => changes.tell({ sent: messages.flatMap(({ id }) => alertKeysOf(db, id)) }),
    })
    const unlisten = changes.listen(({ queued, woke }) => (queued || woke) && sender.wake())
    stops.push(() => sender.stop(), unlisten)
  }
  return { lifecycle, studentRecords, dueWatch, dueReminder, announcer, deskCalls }
}

interface Reception {
  consumer: Consumer
  strip: Strip
  proof: Proof
  /** Null where the queue is this program's own; so is the next. */
  claim: QueueClaim | null
  deadLetters: DeadLetterWatch | null
  drills: DrillWatch
}

/** Who looks at which alert; other consoles hear of it where a station relays what this one signs. */
function openViewing(
  { clock, randomness, logger }: Ports,
  { changes, consoleId }: Opened<typeof openRecord>,
  { consoleKeys: keys, enrolment }: Opened<typeof enrol>,
  { schoolId }: Opened<typeof openPeople>,
  { sqs, acksQueueUrl, desk }: ConsoleQueues,
  { lifecycle }: Opened<typeof openAlerts>,
  stops: Stops,
): Viewing {
  // A desk is its school's only console.
  const send = acksQueueUrl === null || desk ? null : toQueue(sqs, acksQueueUrl)
  const passing = send && createPassing({ send, clock, logger, isHeldUp: () => false })
  const viewing = createViewing({
    ...{ changes, clock, randomness, consoleId, schoolId },
    find: (key) => lifecycle.find(key),
    say(subject, event) {
      if (passing === null || enrolment.view().state !== 'approved') return
      const signed = keys.signing.sign({ ...event, key_id: keys.fingerprint })
      passing.say(subject, { event_type: event.event_type, body: JSON.stringify(signed) })
    },
  })
  stops.push(
    () => viewing.stop(),
    () => passing?.stop(),
  )
  return viewing
}

/** Events in: receive, commit, delete; and the strip, which says how that goes. */
function receiveEvents(
  configuration: Configuration,
  { clock, randomness, logger }: Ports,
  { db, eventLog, changes, consoleId }: Opened<typeof openRecord>,
  { evidenceKey, consoleKeys: keys, enrolment }: Opened<typeof enrol>,
  { schoolId, people: known }: Opened<typeof openPeople>,
  queues: ConsoleQueues,
  claim: QueueClaim | null,
  { proof, ladder }: Opened<typeof hearStation>,
  stops: Stops,
): Reception {
  const { sqs, eventsQueueUrl } = queues
  const committer = createCommitter({ db, eventLog, changes, evidenceKey, clock, schoolId })
  const { demo } = configuration
  const connection = () => consumer.state()
  const heldElsewhere = () => consumer.heldElsewhere()
  const sharing =
    claim && watchSharing({ scattered: proof.scattered, changes, clock, claim: () => claim.state(), heldElsewhere })
  const drills = watchDrills({
    ...{ db, changes, clock, randomness, logger, consoleId, keys, schoolId },
    hasAckQueue: queues.acksQueueUrl !== null,
    onPainted: () => strip.connectionChanged(),
  })
  const people = peopleListed({ db, changes, evidenceKey, schoolId, known })
  const strip = createStrip({
    ...{ db, changes, clock, schoolId, connection, proof, drills, people, ladder, demo },
    sharing: () => sharing?.now() ?? null,
    deadLetters: () => deadLetters?.now() ?? null,
    // A desk approves its own console.
    enrolment: () => (queues.desk ? { state: 'approved', since: null } : enrolment.view()),
  })
  const consumer = startConsumer({
    ...{ sqs, queueUrl: eventsQueueUrl, committer, clock, logger },
    onState: () => strip.connectionChanged(),
    onCommitError: (error) =>
      strip.commitFailed(error === null ? null : plainError(storageProblem(error) ?? asPersonalError(error, logger))),
  })
  const unlisten = changes.listen(({ woke }) => woke && consumer.lookNow())
  const deadLetters: DeadLetterWatch | null = queues.desk
    ? null
    : watchDeadLetters({
        ...{ sqs, queueUrl: eventsQueueUrl, committer, db, changes, clock, logger, consoleId },
        onChange: () => strip.connectionChanged(),
      })
  stops.push(
    () => sharing?.stop(),
    () => drills.stop(),
    () => strip.stop(),
    () => deadLetters?.stop(),
    () => consumer.stop(),
    unlisten,
  )
  return { consumer, strip, proof, claim, deadLetters, drills }
}

/** The school's directory: what is heard of it, and the station that keeps it. */
function openDirectory(
  { configuration, ports, stops, invented }: ConsoleOptions,
  record: Opened<typeof openRecord>,
  { evidenceKey }: Opened<typeof enrol>,
  { people, accounts, speaker, schoolId }: Opened<typeof openPeople>,
) {
  const { clock, logger } = ports
  const stopping = new AbortController()
  const { db } = record
  const ofDesk = (): Omit<OwnSchool, 'school_id'> => ({
    ...deskPeople(db, schoolId()),
    crisis_numbers: ownCrisisNumbers(db),
    time_zone: readSetting(db, 'school_time_zone') ?? null,
  })
  const ofDemonstration = (): Omit<OwnSchool, 'school_id'> => ({
    people: people.ofSchool(schoolId()),
    former: [],
    crisis_numbers: null,
    time_zone: null,
  })
  const directory = createDirectory({
    ...record,
    evidenceKey,
    clock,
    logger,
    schoolId,
    station: stationElsewhere(configuration, speaker, clock, stopping.signal),
    speaker: () => (speaker?.role === 'ADMIN' ? speaker : null),
    own: invented ? ofDemonstration : accounts ? ofDesk : null,
    find: (id) => people.find(id),
  })
  stops.push(() => {
    stopping.abort()
    return directory.stop()
  })
  return directory
}

/** The district's station, as whoever signed in with a token may ask it; null where none is named. */
function stationElsewhere(
  { stationUrl, demo, mode, signInToken }: Configuration,
  speaker: Person | null,
  clock: Ports['clock'],
  stopping: AbortSignal,
): PolicyService | null {
  if (stationUrl === null || demo || mode !== 'district') return null
  const tokenOf = ({ id }: Pick<Person, 'id'>) => (id === speaker?.id ? signInToken : null)
  return stationByRest({ url: stationUrl, tokenOf, clock, stopping })
}

/** What the calls of the screens are made of. */
function gatherParts(
  configuration: Configuration,
  { clock, preferences, shell }: Ports,
  opened: {
    record: Opened<typeof openRecord>
    enrolled: Opened<typeof enrol>
    assessment: Assessment
    people: Opened<typeof openPeople>
    queues: ConsoleQueues
    late: LateStart
    alerts: Opened<typeof openAlerts>
    viewing: Viewing
    reception: Opened<typeof receiveEvents>
    directory: Opened<typeof openDirectory>
  },
): Parts {
  const { queues, reception } = opened
  const { consumer, strip, proof, claim, deadLetters, drills } = reception
  return {
    ...opened.record,
    enrolment: opened.enrolled.enrolment,
    evidenceKey: opened.enrolled.evidenceKey,
    assessment: opened.assessment,
    ...opened.people,
    lifecycle: opened.alerts.lifecycle,
    studentRecords: opened.alerts.studentRecords,
    deskCalls: opened.alerts.deskCalls,
    directory: opened.directory,
    lateStart: opened.late,
    viewing: opened.viewing,
    configuration,
    clock,
    preferences,
    waysOfStation: () => proof.channels(),
    strip,
    drills,
    station: null,
    connection: () => consumer.state(),
    queues: (): QueueSettings => ({
      mode: queues.desk ? 'desk' : 'district',
      events_queue: queues.eventsQueueUrl,
      acks_queue: queues.acksQueueUrl,
      endpoint: queues.access.endpoint,
      region: queues.access.region,
      from_environment: configuration.fromEnvironment,
      retention_days: consumer.state().retention_days,
    }),
    deadLetters,
    testConnection: async () =>
      testConnection({
        ...{ ...queues, clock, receiving: consumer.state().state === 'connected' },
        claim: (await claim?.look()) ?? null,
        sharing: strip.now().sharing,
        deadLetters: deadLetters?.now() ?? null,
      }),
    testNotification() {
      if (!shell.notifies?.()) return false
      shell.notify(testNotification)
      return true
    },
  }
}
