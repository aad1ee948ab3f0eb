/** Builds the station from its parts, in the order in which they need each other. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { normalSchoolId } from '../../shared/school.ts'
import type { AssessmentPorts, Engine } from '../analysis/index.ts'
import { startSender, type Sender, type Sending } from '../outbox/index.ts'
import type { EvidenceKey } from '../platform/envelope.ts'
import { announceIntake, deskKey } from '../platform/intake-address.ts'
import type { Ports } from '../platform/ports.ts'
import { stopAll, type Stops } from '../platform/stops.ts'
import {
  deleteConfirmed,
  hasUnconfirmed,
  isAnswering,
  openStationDatabase,
  sendUnconfirmedAgain,
  stationId,
  waitForDisk,
  type Database,
} from '../store/station/index.ts'
import { startHeartbeat } from './heartbeat.ts'
import { schoolIntake, serveIntake, withSchool, type IntakeSettings, type SchoolIntake } from './intake/index.ts'
import { startRelay } from './relay/index.ts'
import { openSalts } from './salts.ts'
import { createPipeline } from './sessions/index.ts'

export interface StationOptions {
  databaseFile: string
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
  /** Whether the intake serves the chat page. */
  chatPage?: boolean
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
export async function startStation(options: StationOptions): Promise<Station> {
  const stops: Stops = []
  try {
    const store = openStore(options, stops)
    // What the console commits once this has ended is sent again at the next start, and changes nothing there.
    stops.push(options.confirmations((publishedIds) => deleteConfirmed(store.db, publishedIds)))
    const sender = startPublishing(options, store.db, stops)
    const intakeOf = openIntake(options, store, sender)
    const served = await serve(options, store, intakeOf, stops)
    listen(options, store, sender, stops)
    return {
      ...served,
      salt: store.saltOf(store.ownSchool),
      intake: intakeOf(store.ownSchool),
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
  stops.push(() => sender.stop())
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
  { dataDir, settings, address, chatPage = false, ports }: StationOptions,
  { db, ownSchool }: Store,
  intakeOf: (schoolId: string) => SchoolIntake,
  stops: Stops,
): Promise<Pick<Station, 'url' | 'apiKey'>> {
  const apiKey = deskKey(dataDir, ports.randomness)
  const ownKey = { key: apiKey, school_id: ownSchool, scopes: ['read', 'write'] as const }
  const keys = [ownKey, ...withSchool(settings.keys, ownSchool)]
  const server = await serveIntake({ ...ports, keys, intakeOf, isReady: () => isAnswering(db), chatPage }, address)
  stops.push(() => server.close())
  stops.push(announceIntake(dataDir, { url: server.url, pid: process.pid }))
  return { url: server.url, apiKey }
}

/** Relays what consoles acknowledge, and proves every minute that the way to them works. */
function listen(
  { sqs, acksQueueUrl, ports }: StationOptions,
  { db, schools, stationId }: Store,
  sender: Sender,
  stops: Stops,
): void {
  const common = { ...ports, db, onQueued: () => sender.wake() }
  const relay = startRelay({ ...common, sqs, acksQueueUrl })
  stops.push(() => relay.stop())
  stops.push(startHeartbeat({ ...common, schools, stationId }))
}

const schoolOf = ({ school_id }: { school_id: string }): string => school_id
