/** Builds the station from its parts, in the order in which they need each other. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { Ways } from '../../shared/escalation/index.ts'
import type { CoverageNow } from '../../shared/events.ts'
import { normalSchoolId } from '../../shared/school.ts'
import { seconds } from '../../shared/time.ts'
import type { AssessmentPorts, Engine } from '../analysis/index.ts'
import { createPassing, startSender, type Sender, type Sending } from '../outbox/index.ts'
import { noChannels, type ChannelAccess } from '../platform/channel-access.ts'
import { announceIntake, deskKey } from '../platform/intake-address.ts'
import type { Ports } from '../platform/ports.ts'
import { publicTexts } from '../platform/public-text.ts'
import type { AskReply } from '../platform/reply/index.ts'
import { atMost, stopAll, type Stops } from '../platform/stops.ts'
import {
  deleteConfirmed,
  drillsFailingSince,
  enrolmentStore,
  insertSaltRead,
  sendUnconfirmedAgain,
  stationOutbox,
  waitingEvents,
  type StationStore,
  type Unit,
} from '../store/station/index.ts'
import { admitting, type Administration, type SignedIn } from './administration/index.ts'
import { openChannels, type Channels, type OpenedChannels } from './channels/index.ts'
import { consoleRoutes, createEnrolment, type Enrolment } from './enrolment/index.ts'
import { coverageOf } from './coverage.ts'
import { giveUpDrills, startDrills, type Drills } from './drill.ts'
import {
  createAlertBook,
  followOtherProducers,
  refuseQueueOfOthers,
  setDrillTimer,
  startRunner,
  takeAnswer,
  watchOwnQueue,
  type AlertBook,
  type Runner,
} from './escalation/index.ts'
import { startHeartbeat } from './heartbeat.ts'
import {
  createAnswers,
  inboundRoutes,
  openSigning,
  type AnswersOptions,
  type InboundRoutesOptions,
} from './inbound/index.ts'
import {
  callersOf,
  callerWith,
  issuedKeys,
  roleOf,
  schoolIntake,
  serveIntake,
  type IntakeSettings,
  type IssuedKeys,
  type MessageSender,
  type Reach,
  type SchoolIntake,
  type ZodApp,
} from './intake/index.ts'
import { createMetrics, type StationMetrics } from './metrics.ts'
import {
  createDetectionChoices,
  createPolicies,
  policyRoutes,
  type DetectionChoices,
  type Policies,
  type PoliciesOptions,
} from './policy/index.ts'
import { watchPublishing, type Publishing } from './publishing.ts'
import { keepAndQueueOne, recordRoutes, relayAction, relayViewed, startRelay } from './relay/index.ts'
import { createReplies, type Replies } from './replies/index.ts'
import { giveUpClaims, startResuming } from './resume.ts'
import { openSecrets, type AllSecrets, type SchoolSecrets, type Wrapping } from './school-secrets.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from './sessions/index.ts'
import { createStationClock, type StationClock } from './station-clock.ts'
import { openStationId } from './station-id.ts'
import { createTestAlerts, testAlertRoutes, type TestAlerts } from './test-alerts/index.ts'

/** How long a stop waits for what is being published (milliseconds). */
const longestSend = seconds(2)

export interface StationOptions {
  /** Opened for this station, which closes it when it stops or cannot start. */
  store: StationStore
  /** The name under which this station takes things in hand; null = made at first start, and kept. */
  stationId: string | null
  /** Wraps what each school's pseudonyms and envelopes are made with. */
  wrapping: Wrapping
  /** The content key with which a desk's own console reads; null = every school has one of its own, made here. */
  contentKey: Buffer | null
  /** Folder of this installation, where commands of this machine find its API key and address. */
  dataDir: string
  /** The consoles that were set up together with this station: they need nobody's approval. */
  ownConsoles: readonly { console_id: string; fingerprint: string }[]
  administration: Administration
  /** School of this station: of API keys that name none, and of its own key. */
  schoolId: string
  /** A salt that is given from outside; null = kept, or made at first start. */
  salt: string | null
  /** Whether words are kept beyond the rolling buffer and travel with the events. */
  storeContent: boolean
  assessment: { engine: Engine; services: AssessmentPorts | null }
  settings: IntakeSettings
  /** Where the intake listens; port 0 = any free one. */
  address: { host: string; port: number }
  /** Whether the intake serves the chat page. */
  chatPage?: boolean
  /** From where it can be reached; absent = from this machine alone. */
  reach?: Reach
  /** What /metrics tells; absent = the figures of this station, without those of its process. */
  metrics?: StationMetrics
  /** What does not work as it should beside publishing and replies, for /ready. */
  degraded?: () => string[]
  /** Who answers students, and the sentence where no answer comes in time; null or absent = nobody. */
  replies?: { ask: AskReply; late: string } | null
  /** By what people are reached away from their console; absent = by nothing. */
  channels?: ChannelAccess
  sqs: SQSClient
  acksQueueUrl: string
  /** A queue of the topic for this station alone, by which the crises of other producers come; absent = there are none. */
  eventsQueueUrl?: string | null
  /** Publishes events to whoever subscribes. */
  publish: Sending
  /**
   * Calls back with the idempotency keys of events that the console has committed: they are not sent again.
   * Asked before anything is published; the answer ends it. Null where the topic keeps what it takes: then
   * what it has taken has arrived.
   */
  confirmations: ((confirm: (publishedIds: readonly string[]) => void) => () => void) | null
  /** Tells people of alerts, by other ways than `channels` where it names some; null or absent = no ladder is run. */
  ladder?: { channels?: Channels; link?: string | null } | null
  /** What of a directory is written elsewhere and cannot be saved here otherwise; absent = nothing is. */
  contradictions?: PoliciesOptions['contradictions']
  /** Told when events have not got through for a minute (since when, UTC milliseconds), and, with null, when they do again. */
  onPublishing?: (failingSince: number | null) => void
  /** Whether each school's alarm is tried every few minutes the whole way. */
  drills: boolean
  ports: Pick<Ports, 'clock' | 'randomness' | 'logger'>
}

export interface Station {
  /** Address of the intake. */
  url: string
  /** The station's own API key, which may read and write for its school. */
  apiKey: string
  /** The API keys that it gives out. */
  keys: Omit<IssuedKeys, 'find'>
  /** Salt of the station's school, for the import of its roster. */
  salt: string
  /** Directories and calendars of its schools, and who looks after whom. */
  policy: Pick<Policies, 'read' | 'save' | 'assign'>
  /** Test alerts that its people send themselves. */
  testAlerts: TestAlerts
  /** Whether the service that answers students is left alone for a while; false where there is none. */
  repliesRest(): boolean
  /** Whether a commit waits for the disk; only data that can be made anew may do without. */
  waitForDisk(wait: boolean): void
  /** Looks into the outbox now. */
  wake(): void
  stop(): Promise<void>
}

/** Starts the station; the address answers when it resolves. What had begun is stopped again where it rejects. */
export async function startStation(asked: StationOptions): Promise<Station> {
  const { store } = asked
  const { logger } = asked.ports
  const clock = createStationClock({ store, ...asked.ports })
  const given = { ...asked, ports: { ...asked.ports, clock } }
  const metrics = given.metrics ?? createMetrics(clock, { ofProcess: false })
  const engine = metrics.timeAssessments(given.assessment.engine)
  const publish = metrics.countPublished(given.publish)
  const options = { ...given, publish, assessment: { ...given.assessment, engine } }
  const stops: Stops = [() => store.close()]
  try {
    await clock.compare()
    stops.push(clock.keepComparing())
    await refuseForeignQueue(options)
    const own = await openOwn(options)
    if (options.confirmations) stops.push(confirmed(options, options.confirmations))
    // First what failed before: that is not yet a failure of this station.
    let started: Sender | null = null
    const onChange = given.onPublishing ?? (() => undefined)
    const publishing = await watchPublishing({ store, sender: () => started, clock, logger, onChange })
    stops.push(() => publishing.stop())
    const sender = (started = await startPublishing(options, own, stops))
    const publishFailing = (): boolean => publishing.failingSince() !== null
    metrics.watch({ waiting: () => store.asStation(waitingEvents), publishFailing })
    const ladder = openLadder(options, own, metrics)
    const choices = createDetectionChoices({ ...given.ports, read: (schoolId) => policies.read(schoolId) })
    const { pipeline, intakeOf: uncounted } = openIntake(options, own, sender, ladder, choices)
    stops.push(() => pipeline.stop())
    const intakeOf = (school: string) => metrics.countMessages(uncounted(school))
    let drills: Drills | null = null
    /** Null = it may not be looked at. */
    let putAside: number | null = 0
    const replies = given.replies
      ? createReplies({ ...given.replies, answerLanguage: (text) => engine.answerLanguage(text), clock, logger })
      : null
    stops.push(() => replies?.stop())
    const untold = new Set<string>()
    const degraded = () => [
      ...(publishFailing() ? ['publishing'] : []),
      ...(replies?.resting() ? ['reply service'] : []),
      ...(putAside === null ? ['records put aside: unknown'] : putAside > 0 ? ['records put aside'] : []),
      ...(drills ? [...drills.failing(), ...drills.unconfirmed()] : []),
      ...(untold.size > 0 ? ['nobody can be told of a crisis'] : []),
      ...(ladder.queueTaken ? ['queue of events'] : []),
      ...(given.degraded?.() ?? []),
    ]
    const channels = openWays(options, metrics, stops)
    const ways = waysOf(options, channels)
    let beat: (schoolId: string) => void = () => undefined
    const policies = keepPolicies(options, own, sender, ways, (schoolId) => {
      choices.changed(schoolId)
      beat(schoolId)
    })
    const enrolment = enrol(options, own, sender, policies)
    await enrolment.sealAgain()
    await policies.publishAgain()
    await giveUpClaims({ store, stationId: own.id, logger })
    await giveUpDrills({ store, stationId: own.id, logger })
    const testAlerts = keepTestAlerts(options, channels, policies)
    const answering = await openAnswers(options, own, { sender, ladder, channels, policies, metrics })
    const parts = {
      answering,
      testAlerts,
      sender,
      ladder,
      intakeOf,
      pipeline,
      metrics,
      degraded,
      replies,
      enrolment,
      policies,
    }
    const served = await serve(options, own, parts, stops)
    runLadder(options, own, { sender, ladder, channels, policies, metrics, clock }, stops)
    const coverage = given.ladder ? noting(untold, coverageOf({ store, policies, clock, ways })) : async () => null
    if (options.drills) drills = drillAll(given, own, { sender, ladder, metrics, enrolment, choices }, stops)
    const heard = { sender, ladder, publishing, pipeline, metrics, enrolment, policies, drills, coverage, ways }
    const onPolicy = (listener: typeof beat): void => void (beat = listener)
    listen(options, own, { ...heard, onPolicy, onPutAside: (waiting) => void (putAside = waiting) }, stops)
    return {
      ...served,
      salt: (await own.secrets.of(own.school)).salt,
      policy: policies,
      testAlerts,
      repliesRest: () => replies?.resting() ?? false,
      waitForDisk: (wait) => store.waitForDisk(wait),
      wake: () => sender.wake(),
      stop: () => stopAll(stops),
    }
  } catch (error) {
    await stopAll(stops)
    throw error
  }
}

/** What a station is: its name, its school, and the secrets of all schools. */
interface Own {
  id: string
  school: string
  secrets: AllSecrets
}

async function openOwn(options: StationOptions): Promise<Own> {
  const { store, wrapping, salt, contentKey, settings, ports } = options
  const { randomness } = ports
  const school = normalSchoolId(options.schoolId)
  const schools = [...new Set([school, ...callersOf(settings.keys, school).map(({ school_id }) => school_id)])]
  const secrets = await openSecrets({ store, wrapping, randomness, given: { salt, contentKey } }, schools)
  const id = options.stationId ?? (await openStationId(store, options.dataDir, randomness))
  return { id, school, secrets }
}

/** What the console commits once this has ended is sent again at the next start, and changes nothing there. */
function confirmed(
  { store, ports }: StationOptions,
  confirmations: NonNullable<StationOptions['confirmations']>,
): () => Promise<void> {
  const underWay = new Set<Promise<void>>()
  const unlisten = confirmations((publishedIds) => {
    const deleting = store
      .asStation((unit) => deleteConfirmed(unit, publishedIds), { mayBeDoneAgain: true })
      .catch((error: unknown) =>
        ports.logger.warn({ error }, 'what has arrived stays in the outbox, and is sent again'),
      )
      .finally(() => underWay.delete(deleting))
    underWay.add(deleting)
  })
  return async () => {
    unlisten()
    await Promise.all(underWay)
  }
}

/** Sends events from the outbox, first of all those that were never confirmed. */
async function startPublishing(
  { store, publish, confirmations, ports }: StationOptions,
  own: Own,
  stops: Stops,
): Promise<Sender> {
  const awaitsConfirmation = confirmations !== null
  if (awaitsConfirmation) await store.asStation(sendUnconfirmedAgain)
  const outbox = stationOutbox({ store, stationId: own.id, awaitsConfirmation })
  const sender = startSender({ ...ports, outbox, what: 'events', inOrder: false, send: publish })
  // What is on its way to a topic that does not answer stays in the outbox.
  stops.push(atMost(ports.clock, longestSend, () => sender.stop()))
  return sender
}

/** The pipeline from a message to its events, and its calls for each school. */
function openIntake(
  { assessment, store, settings: { bufferSize }, storeContent, ports }: StationOptions,
  own: Own,
  sender: Sender,
  ladder: Ladder,
  choices: DetectionChoices,
  { onDrill }: Pick<PipelineOptions, 'onDrill'> = {},
): { pipeline: Pipeline; intakeOf: (schoolId: string) => SchoolIntake } {
  const onQueued = onQueuedOf(sender, ladder)
  const secretsOf = async (schoolId: string) => {
    // What people did stands sealed in the database: it is opened before a unit of work in which it is read.
    const secrets = await own.secrets.of(schoolId)
    await Promise.all([ladder.book.openFor([schoolId]), choices.know(schoolId)])
    return secrets
  }
  const onEvents = ladder.book.said
  const common = { ...ports, store, bufferSize, secretsOf }
  const detectionOf = choices.of
  const pipeline = createPipeline({
    ...common,
    ...assessment,
    stationId: own.id,
    storeContent,
    detectionOf,
    onQueued,
    onEvents,
    onDrill,
  })
  return { pipeline, intakeOf: (schoolId) => schoolIntake({ ...common, pipeline }, schoolId) }
}

/** The alerts of the schools, and, once it runs, what works their timers. */
interface Ladder {
  book: AlertBook
  /** Null = not yet, or never. */
  runner: Runner | null
  /** Somebody else receives from the queue by which the crises of other producers come. */
  queueTaken: boolean
}

function openLadder(options: StationOptions, own: Own, metrics: StationMetrics): Ladder {
  const { clock, logger } = options.ports
  let said = false
  const onLeftOut = (): void => {
    metrics.voidRecordNotKept()
    if (!said) logger.warn({}, 'a session has so many records that change nothing that no more of them are kept')
    said = true
  }
  const keyOf = async (schoolId: string) => (await servedSecrets(options, own, schoolId))?.evidenceKey ?? null
  return {
    book: createAlertBook({ clock, keyOf, ladder: Boolean(options.ladder), onLeftOut }),
    runner: null,
    queueTaken: false,
  }
}

/** Throws ConsoleError where the queue from which other producers would be followed is somebody else's. */
async function refuseForeignQueue({ ladder, eventsQueueUrl, acksQueueUrl, sqs, ports }: StationOptions): Promise<void> {
  if (!ladder || eventsQueueUrl == null) return
  await refuseQueueOfOthers({ sqs, queueUrl: eventsQueueUrl, acksQueueUrl, logger: ports.logger })
}

/** Tells people of alerts, where this station does. */
function runLadder(
  options: StationOptions,
  own: Own,
  parts: {
    sender: Sender
    ladder: Ladder
    channels: Channels
    policies: Policies
    metrics: StationMetrics
    clock: StationClock
  },
  stops: Stops,
): void {
  if (!options.ladder) return
  const { sender, ladder, channels, policies, metrics, clock } = parts
  const { store, ports } = options
  const runner = startRunner({
    ...ports,
    clock,
    channels: options.ladder.channels ?? channels,
    link: options.ladder.link ?? options.channels?.consoleUrl ?? null,
    store,
    stationId: own.id,
    book: ladder.book,
    policyOf: async (schoolId) => (await policies.read(schoolId || own.school)).policy,
    relay: relayingOwn(ladder),
    onQueued: () => sender.wake(),
  })
  ladder.runner = runner
  stops.push(atMost(ports.clock, longestSend, () => runner.stop()))
  const { sqs, eventsQueueUrl: queueUrl } = options
  if (queueUrl == null) return
  const isServed = async (schoolId: string) => (await servedSecrets(options, own, schoolId)) !== null
  const onAlert = onQueuedOf(sender, ladder)
  const following = followOtherProducers({
    ...ports,
    ...{ store, sqs, queueUrl, isServed, onAlert },
    book: ladder.book,
    schoolId: own.school,
    alarmFails: (schoolId) => runner.alarmFails(schoolId),
    onNotFollowed: metrics.notFollowed,
  })
  stops.push(() => following.stop())
  stops.push(
    watchOwnQueue({
      ...ports,
      ...{ sqs, queueUrl, acksQueueUrl: options.acksQueueUrl },
      async onLook(taken) {
        ladder.queueTaken = taken
        // Of the crises that others find only some may come here.
        if (!taken) return
        const schools = await own.secrets.schools().catch(() => [own.school])
        const told = await Promise.allSettled(schools.map((school) => runner.alarmFails(school)))
        for (const each of told) if (each.status === 'rejected') throw each.reason
      },
    }),
  )
}

/** Relays a record of the station's own, for which it vouches itself. */
function relayingOwn({ book }: Ladder): AnswersOptions['relay'] {
  return async (unit, _schoolId, event, now) => {
    const action = relayAction(JSON.stringify(event))
    if (action === null) throw new Error('a record of the station’s own that is none')
    await keepAndQueueOne(unit, action, now, book)
  }
}

/** Something may have to be published, and somebody to be told. */
function onQueuedOf(sender: Sender, ladder: Ladder): () => void {
  return () => {
    sender.wake()
    ladder.runner?.wake()
  }
}

/**
 * The secrets of a school that this station serves, else null. Asking for them makes them, so a school is not served
 * merely because a console or a token names it. A salt from outside is that of one school.
 */
async function servedSecrets({ salt }: StationOptions, own: Own, schoolId: string): Promise<SchoolSecrets | null> {
  const isServed = salt === null ? (await own.secrets.schools()).includes(schoolId) : schoolId === own.school
  return isServed ? own.secrets.of(schoolId) : null
}

/** The ways to reach people away from their console. */
function openWays({ channels: access = noChannels, ports }: StationOptions, metrics: StationMetrics, stops: Stops) {
  const channels = openChannels({ ...ports, access, onOutcome: metrics.delivered })
  stops.push(() => channels.stop())
  return channels
}

/** The ways by which the ladder can tell anybody here; null = none is run. */
const waysOf =
  ({ ladder }: StationOptions, channels: Channels): (() => Ways) =>
  () =>
    ladder ? ['desktop', ...(ladder.channels ?? channels).available()] : null

/** What people answer to texts, where any can come. */
async function openAnswers(
  options: StationOptions,
  own: Own,
  parts: { sender: Sender; ladder: Ladder; channels: OpenedChannels; policies: Policies; metrics: StationMetrics },
): Promise<InboundRoutesOptions> {
  const { sender, ladder, channels, policies, metrics } = parts
  const { store, ports, wrapping, channels: access = noChannels } = options
  const common = { ...ports, onOutcome: metrics.answerReceived }
  const take = createAnswers({
    ...common,
    store,
    stationId: own.id,
    book: ladder.book,
    relay: relayingOwn(ladder),
    signing: await openSigning({ store, wrapping, randomness: ports.randomness }),
    schools: () => own.secrets.schools(),
    policyOf: async (schoolId) => (await policies.read(schoolId)).policy,
    onQueued: onQueuedOf(sender, ladder),
  })
  const secret = access.webhook?.secret ?? null
  return {
    ...common,
    secret,
    topicArn: access.answersTopicArn,
    take,
    answer: channels.answer,
    readText: publicTexts(ports.clock),
  }
}

/** Test alerts that people send themselves. */
function keepTestAlerts({ store, ports, channels: access }: StationOptions, channels: Channels, policies: Policies) {
  const policyOf = async (schoolId: string) => (await policies.read(schoolId)).policy
  return createTestAlerts({ ...ports, store, channels, link: access?.consoleUrl ?? null, policyOf })
}

/** The directories and calendars of the schools. */
function keepPolicies(
  options: StationOptions,
  own: Own,
  sender: Sender,
  ways: () => Ways,
  onChanged: (schoolId: string) => void,
): Policies {
  return createPolicies({
    ...options.ports,
    store: options.store,
    keyOf: async (schoolId) => (await servedSecrets(options, own, schoolId))?.evidenceKey ?? null,
    contradictions: options.contradictions,
    ways,
    onQueued: () => sender.wake(),
    onChanged,
  })
}

/** The consoles of the schools, and the keys that are sealed to them. */
function enrol(options: StationOptions, own: Own, sender: Sender, policies: Policies): Enrolment {
  const { store, ownConsoles, ports } = options
  return createEnrolment({
    ...ports,
    store: enrolmentStore(store),
    contentKeyOf: async (schoolId) => (await servedSecrets(options, own, schoolId))?.contentKey ?? null,
    newestPolicy: (schoolId) => policies.newestChange(schoolId),
    ownConsoles,
    onQueued: () => sender.wake(),
  })
}

/** The intake over REST, and how commands of this machine find it. */
async function serve(
  options: StationOptions,
  own: Own,
  parts: {
    sender: Sender
    ladder: Ladder
    answering: InboundRoutesOptions
    testAlerts: TestAlerts
    intakeOf: (schoolId: string) => SchoolIntake
    pipeline: Pipeline
    metrics: StationMetrics
    degraded: () => string[]
    replies: Replies | null
    enrolment: Enrolment
    policies: Policies
  },
  stops: Stops,
): Promise<Pick<Station, 'url' | 'apiKey' | 'keys'>> {
  const { dataDir, settings, address, chatPage = false, reach, administration, store, ports } = options
  const apiKey = deskKey(dataDir, ports.randomness)
  const ownKey = { key: apiKey, school_id: own.school, scopes: ['read', 'write'] as const }
  const configured = callersOf([ownKey, ...settings.keys], own.school)
  const { find, ...keys } = issuedKeys({ ...ports, store, ensureSchool: (schoolId) => own.secrets.of(schoolId) })
  const findCaller = async (presented: string) => callerWith(configured, presented) ?? find(presented)
  // From the first request on the keys that there are hold, whatever becomes of the database.
  await find('').catch(() => null)
  const isReady = () => store.isAnswering()
  const { sender, ladder, pipeline, metrics, enrolment, policies, answering, testAlerts } = parts
  const replyAlone = (sentBy: MessageSender, text: string) => pipeline.replyAlone(roleOf[sentBy], text)
  const readSalt = async (school_id: string, by: SignedIn) => {
    const secrets = await servedSecrets(options, own, school_id)
    if (secrets === null) return null
    const read = { school_id, read_at: ports.clock.now(), read_by: by.school_id === null ? null : by.by }
    await store.asSchool(school_id, (unit) => insertSaltRead(unit, read))
    return secrets.salt
  }
  const moreRoutes = (app: ZodApp): void => {
    const admit = admitting(app, { ...administration, clock: ports.clock })
    consoleRoutes(app, { enrolment, admit, readSalt, logger: ports.logger })
    policyRoutes(app, { policies, admit })
    testAlertRoutes(app, { testAlerts, admit })
    inboundRoutes(app, answering)
    recordRoutes(app, {
      ...ports,
      ...relaying(store, sender, ladder, metrics),
      isForged: async (message) => (await enrolment.refusalOf(message)) === 'signature',
    })
  }
  const server = await serveIntake(
    { ...ports, ...parts, findCaller, replyAlone, isReady, chatPage, moreRoutes, ...(reach && { reach }) },
    address,
  )
  stops.push(() => server.close())
  stops.push(announceIntake(dataDir, { url: server.url, pid: process.pid }))
  return { url: server.url, apiKey, keys }
}

/** Relays what consoles acknowledge, takes up what was left unfinished, and proves every minute that the way to the consoles works. */
function listen(
  { store, sqs, acksQueueUrl, publish, ports, ladder: ran }: StationOptions,
  own: Own,
  parts: {
    sender: Sender
    ladder: Ladder
    publishing: Publishing
    pipeline: Pipeline
    metrics: StationMetrics
    enrolment: Enrolment
    policies: Policies
    drills: Drills | null
    coverage: Coverage
    ways: () => Ways
    /** Who would be told at a school has changed. */
    onPolicy(listener: (schoolId: string) => void): void
    /** So many messages of consoles are put aside, and could not be taken in. */
    onPutAside(waiting: number | null): void
  },
  stops: Stops,
): void {
  const { sender, ladder, publishing, pipeline, metrics, enrolment, policies, drills, coverage, ways } = parts
  const common = { ...ports, store, stationId: own.id, onQueued: () => sender.wake() }
  const { heartbeatQueued: onBeat } = metrics
  const { refusalOf, announced } = enrolment
  const isApproved = async (message: Record<string, unknown>): Promise<boolean> => (await refusalOf(message)) === null
  const shown = async (message: Record<string, unknown>): Promise<boolean> =>
    (await isApproved(message)) && takeAnswer({ store, clock: ports.clock }, message)
  // What is said in passing never goes before, or instead of, what is in the outbox.
  const passing = createPassing({ ...ports, send: publish, isHeldUp: () => sender.failingSince() !== null })
  stops.push(() => passing.stop())
  const messages = {
    CONSOLE_ANNOUNCED: announced,
    ALERT_NOTIFIED: shown,
    ALERT_VIEWED: relayViewed({ ...ports, passing, isApproved }),
    ...(drills && { DRILL_SEEN: drills.seen, CONSOLE_CLOSED: drills.closed }),
  }
  const { isKnownPerson } = policies
  const judges = { refusalOf, schoolOf: enrolment.schoolOf, isKnownPerson, messages }
  const onPutAside = (waiting: number | null): void => {
    parts.onPutAside(waiting)
    metrics.recordsPutAside(waiting ?? 0)
  }
  const followed = relaying(store, sender, ladder, metrics)
  const relay = startRelay({ ...ports, ...followed, ...judges, sqs, acksQueueUrl, onPutAside })
  stops.push(() => relay.stop())
  stops.push(startResuming({ ...common, pipeline }))
  stops.push(
    startHeartbeat({
      ...common,
      schools: () => own.secrets.schools(),
      publishingFailingSince: publishing.failingSinceOf,
      ladder: ran ? 'on' : 'off',
      ways,
      coverage,
      ladderFailingSince: failingSinceOf(ladder),
      onBeat,
      onChanged: (listener) => parts.onPolicy(listener),
    }),
  )
}

/** Who would be told of a crisis at a school now; null where nothing here escalates. */
type Coverage = (schoolId: string) => Promise<CoverageNow | null>

/** Notes the schools at which nobody would be told of a crisis, as of the last heartbeat. */
const noting =
  (untold: Set<string>, coverage: (schoolId: string) => Promise<CoverageNow>): Coverage =>
  async (schoolId) => {
    const now = await coverage(schoolId)
    if (now.rungs.length === 0) untold.add(schoolId)
    else untold.delete(schoolId)
    return now
  }

/** Since when drills of a school do not pass here, or its ladder does not keep its times; null = all is well. */
const failingSinceOf =
  (ladder: Ladder) =>
  async (unit: Unit, schoolId: string): Promise<number | null> => {
    const since = [await drillsFailingSince(unit, schoolId), ladder.runner?.failingSince(schoolId) ?? null]
    const known = since.filter((at) => at !== null)
    return known.length === 0 ? null : Math.min(...known)
  }

/**
 * Tries every school's alarm the whole way, on a pipeline of its own: what students say is neither counted nor timed
 * with it, and none of it stands in memory beside their words.
 */
function drillAll(
  options: StationOptions,
  own: Own,
  parts: {
    sender: Sender
    ladder: Ladder
    metrics: StationMetrics
    enrolment: Enrolment
    choices: DetectionChoices
  },
  stops: Stops,
): Drills {
  const { sender, ladder, metrics, enrolment, choices } = parts
  const { clock } = options.ports
  const { pipeline } = openIntake(options, own, sender, ladder, choices, {
    ...(ladder.runner && { onDrill: (unit, drill) => setDrillTimer(unit, drill, clock.now()) }),
  })
  stops.push(() => pipeline.stop())
  const drills = startDrills({
    ...options.ports,
    store: options.store,
    stationId: own.id,
    pipeline,
    schools: () => own.secrets.schools(),
    secretsOf: (schoolId) => own.secrets.of(schoolId),
    isForged: async (message) => !(await enrolment.mayConfirm(message)),
    ladder: ladder.runner,
    alarmFails: async (schoolId) => ladder.runner?.alarmFails(schoolId),
    onQueued: () => sender.wake(),
  })
  stops.push(() => drills.stop())
  metrics.watchDrills(() => drills.failing().length > 0)
  return drills
}

/** What becomes of a record, however it came. */
function relaying(store: StationStore, sender: Sender, ladder: Ladder, metrics: StationMetrics) {
  const { recordRelayed: onRelayed, recordRefused: onRefused } = metrics
  return { store, followed: ladder.book, onQueued: onQueuedOf(sender, ladder), onRelayed, onRefused }
}
