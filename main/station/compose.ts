/** Builds the station from its parts, in the order in which they need each other. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { ConsoleError } from '../../shared/errors.ts'
import { normalSchoolId } from '../../shared/school.ts'
import { seconds } from '../../shared/time.ts'
import type { AssessmentPorts, Engine } from '../analysis/index.ts'
import { startSender, type Sender, type Sending } from '../outbox/index.ts'
import type { EvidenceKey } from '../platform/envelope.ts'
import { announceIntake, deskKey } from '../platform/intake-address.ts'
import type { Ports } from '../platform/ports.ts'
import type { AskReply } from '../platform/reply/index.ts'
import { atMost, stopAll, type Stops } from '../platform/stops.ts'
import {
  deleteConfirmed,
  hasUnconfirmed,
  isAnswering,
  openStationDatabase,
  sendUnconfirmedAgain,
  stationId,
  waitForDisk,
  waitingEvents,
  type Database,
} from '../store/station/index.ts'
import { startHeartbeat } from './heartbeat.ts'
import { schoolIntake, serveIntake, withSchool, type IntakeSettings, type Reach, type SchoolIntake } from './intake/index.ts' // prettier-ignore
import { createMetrics, type StationMetrics } from './metrics.ts'
import { watchPublishing } from './publishing.ts'
import { startRelay } from './relay/index.ts'
import { createReplies, type Replies } from './replies/index.ts'
import { openSalts } from './salts.ts'
import { createPipeline } from './sessions/index.ts'

/** How long a stop waits for what is being published (milliseconds). */
const longestSend = seconds(2)

export interface StationOptions {
  databaseFile: string
  /** A PostgreSQL database in place of the file; null or absent = the file. */
  databaseUrl?: string | null
  databaseKey: Buffer
  /** Folder of this installation, where commands of this machine find its API key and address. */
  dataDir: string
  evidenceKey: EvidenceKey
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
  /** From where it can be reached; absent = from this machine alone. */
  reach?: Reach
  /** What /metrics tells; absent = the figures of this station, without those of its process. */
  metrics?: StationMetrics
  /** What does not work as it should beside publishing and replies, for /ready. */
  degraded?: () => string[]
  /** Who answers students, and the sentence where no answer comes in time; null or absent = nobody. */
  replies?: { ask: AskReply; late: string } | null
  sqs: SQSClient
  acksQueueUrl: string
  /** Publishes events to whoever subscribes. */
  publish: Sending
  /**
   * Calls back with the idempotency keys of events that the console has committed: they are not sent again.
   * Asked before anything is published; the answer ends it.
   */
  confirmations(confirm: (publishedIds: readonly string[]) => void): () => void
  ports: Pick<Ports, 'clock' | 'randomness' | 'logger'>
}

export interface Station {
  /** Address of the intake. */
  url: string
  /** The station's own API key, which may read and write for its school. */
  apiKey: string
  /** Salt of the station's school, for the import of its roster. */
  salt: string
  /** The intake of the station's school, in process. */
  intake: SchoolIntake
  /** Whether events of a session are still on their way to the console. */
  hasUnconfirmed(sessionId: string): boolean
  /** Whether a commit waits for the disk; only data that can be made anew may do without. */
  waitForDisk(wait: boolean): void
  /** Looks into the outbox now. */
  wake(): void
  stop(): Promise<void>
}

/** Starts the station; the address answers when it resolves. What had begun is stopped again where it rejects. */
export async function startStation(given: StationOptions): Promise<Station> {
  const { clock, logger } = given.ports
  const metrics = given.metrics ?? createMetrics(clock, { ofProcess: false })
  const publishing = watchPublishing(given.publish, { metrics, clock, logger })
  const engine = metrics.timeAssessments(given.assessment.engine)
  const options = { ...given, publish: publishing.publish, assessment: { ...given.assessment, engine } }
  const stops: Stops = []
  try {
    const store = openStore(options, stops)
    metrics.watch({ waiting: () => waitingEvents(store.db), publishFailing: publishing.isFailing })
    // What the console commits once this has ended is sent again at the next start, and changes nothing there.
    stops.push(options.confirmations((publishedIds) => deleteConfirmed(store.db, publishedIds)))
    const sender = startPublishing(options, store.db, stops)
    const uncounted = openIntake(options, store, sender)
    const intakeOf = (school: string) => metrics.countMessages(uncounted(school))
    const replies = given.replies ? createReplies({ ...given.replies, clock, logger }) : null
    stops.push(() => replies?.stop())
    const degraded = () => [
      ...(publishing.isFailing() ? ['publishing'] : []),
      ...(replies?.resting() ? ['reply service'] : []),
      ...(given.degraded?.() ?? []),
    ]
    const served = await serve(options, store, { intakeOf, metrics, degraded, replies }, stops)
    listen(options, store, sender, metrics, stops)
    return {
      ...served,
      salt: store.saltOf(store.ownSchool),
      intake: uncounted(store.ownSchool),
      hasUnconfirmed: (sessionId) => hasUnconfirmed(store.db, sessionId),
      waitForDisk: (wait) => waitForDisk(store.db, wait),
      wake: () => sender.wake(),
      stop: () => stopAll(stops),
    }
  } catch (error) {
    await stopAll(stops)
    throw error
  }
}

interface Store {
  db: Database
  stationId: string
  ownSchool: string
  schools: readonly string[]
  saltOf: (schoolId: string) => string
}

function openStore(options: StationOptions, stops: Stops): Store {
  const { randomness } = options.ports
  if (options.databaseUrl) throw noPostgresYet()
  const db = openStationDatabase(options.databaseFile, options.databaseKey)
  stops.push(() => void db.close())
  const ownSchool = normalSchoolId(options.schoolId)
  const schools = [...new Set([ownSchool, ...withSchool(options.settings.keys, ownSchool).map(schoolOf)])]
  const salts = openSalts(db, schools, options.salt, randomness)
  const saltOf = (school: string): string => {
    const salt = salts.get(school)
    if (salt === undefined) throw new Error('a school that no API key names')
    return salt
  }
  return { db, stationId: stationId(db, () => randomness.uuid()), ownSchool, schools, saltOf }
}

/** Sends events from the outbox, first of all those that were never confirmed. */
function startPublishing({ publish, ports }: StationOptions, db: Database, stops: Stops): Sender {
  sendUnconfirmedAgain(db)
  const sender = startSender({ ...ports, db, what: 'events', inOrder: false, send: publish })
  // What is on its way to a topic that does not answer stays in the outbox.
  stops.push(atMost(ports.clock, longestSend, () => sender.stop()))
  return sender
}

/** The pipeline from a message to its events, as calls of each school. */
function openIntake(
  { assessment, evidenceKey, settings: { bufferSize }, storeContent, ports }: StationOptions,
  { db, saltOf }: Store,
  sender: Sender,
): (schoolId: string) => SchoolIntake {
  const onQueued = () => sender.wake()
  const common = { ...ports, db, evidenceKey, bufferSize, saltOf }
  const { engine, services } = assessment
  const pipeline = createPipeline({ ...common, engine, services, storeContent, onQueued })
  return (schoolId) => schoolIntake({ ...common, pipeline }, schoolId)
}

/** The intake over REST, and how commands of this machine find it. */
async function serve(
  { dataDir, settings, address, reach, ports }: StationOptions,
  { db, ownSchool }: Store,
  parts: {
    intakeOf: (schoolId: string) => SchoolIntake
    metrics: StationMetrics
    degraded: () => string[]
    replies: Replies | null
  },
  stops: Stops,
): Promise<Pick<Station, 'url' | 'apiKey'>> {
  const apiKey = deskKey(dataDir, ports.randomness)
  const ownKey = { key: apiKey, school_id: ownSchool, scopes: ['read', 'write'] as const }
  const keys = [ownKey, ...withSchool(settings.keys, ownSchool)]
  const isReady = () => isAnswering(db)
  const server = await serveIntake({ ...ports, ...parts, keys, isReady, ...(reach && { reach }) }, address)
  stops.push(() => server.close())
  stops.push(announceIntake(dataDir, { url: server.url, pid: process.pid }))
  return { url: server.url, apiKey }
}

/** Relays what consoles acknowledge, and proves every minute that the way to them works. */
function listen(
  { sqs, acksQueueUrl, ports }: StationOptions,
  { db, schools, stationId }: Store,
  sender: Sender,
  metrics: StationMetrics,
  stops: Stops,
): void {
  const onQueued = () => sender.wake()
  const { recordRelayed: onRelayed, recordRefused: onRefused } = metrics
  const relay = startRelay({ ...ports, db, sqs, acksQueueUrl, onQueued, onRelayed, onRefused })
  stops.push(() => relay.stop())
  const onBeat = () => {
    metrics.heartbeatsQueued(schools.length)
    onQueued()
  }
  stops.push(startHeartbeat({ ...ports, db, schools, stationId, onQueued: onBeat }))
}

const schoolOf = ({ school_id }: { school_id: string }): string => school_id

function noPostgresYet(): ConsoleError {
  return new ConsoleError({
    code: 'database',
    happened: 'PSYFLO_DATABASE_URL names a PostgreSQL database, which this version does not use yet.',
    safe: 'Nothing was opened or changed.',
    todo: 'Start without it: the station then keeps an encrypted file in its data directory.',
  })
}
