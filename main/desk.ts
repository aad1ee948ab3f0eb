/** Both halves in one process, over a queue of their own: a school's desk, or the demonstration school. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConsoleError } from '../shared/errors.ts'
import type { RunningAssessment } from './assessment/index.ts'
import type { Configuration } from './configuration/index.ts'
import {
  keepIntakePort,
  keptIntakePort,
  openConsole,
  replyInCrisis,
  runStartup,
  stationHere,
  unlock,
  type MadeDesk,
  type OwnStation,
  type OpenedConsole,
  type RunningConsole,
  type SetUp,
  type StationPolicy,
} from './console/index.ts'
import { toTopic } from './outbox/index.ts'
import { startDeskQueue, type DeskQueue } from './platform/desk-queue.ts'
import { wrappingWith } from './platform/envelope.ts'
import { projectRoot } from './platform/project-root.ts'
import type { Logger, Ports } from './platform/ports.ts'
import type { IntakeSettings, Station } from './station/index.ts'

// Loaded where they are wanted: a district's console starts without them.
const stationModule = () => import('./station/index.ts')
const demonstrationModule = () => import('./demo/index.ts')

/** The demonstration school. Invented alarms never meet real ones: a configured queue is left alone. */
export function startDemonstrationSchool(
  configuration: Configuration,
  ports: Ports,
  setUp: SetUp | null,
): RunningConsole {
  return runStartup({ ports, unlock: unlock(configuration, ports), setUp }, async (unlocking, stops, onTold) => {
    const { loadSchool, startDemonstration } = await demonstrationModule()
    const school = loadSchool(join(projectRoot(), 'resources', 'demo'))
    const queue = await startDeskQueue(ports.randomness, school.school.id)
    stops.push(() => queue.stop())
    const opened = await openConsole({
      configuration,
      ports,
      unlocking,
      stops,
      queues: () => Promise.resolve({ ...queue, desk: true }),
      invented: school,
    })
    const station = await openStation(configuration, ports, opened, queue, {
      schoolId: school.school.id,
      port: 0,
      assessment: opened.assessment,
      settings: await intakeSettings(configuration),
    })
    stops.push(() => station.stop())
    onTold(0)
    const demonstration = startDemonstration({
      school,
      ports,
      db: opened.db,
      station,
      lifecycle: opened.lifecycle,
      people: opened.people,
      onProgress: onTold,
    })
    stops.push(() => demonstration.stop())
    // From here on the roster is there: the station is told of it at once.
    servePolicy(opened, station)
    // The past of a demonstration is no news, and its plans were met or missed in the past.
    void demonstration.live.then(() => opened.goLive())
    return { parts: opened.parts, presentable: demonstration.live }
  })
}

/**
 * A school's own desk, on what is kept in its data directory. `made` was set up a moment ago: its data are open,
 * and its admin sits at that window.
 */
export function startDesk(configuration: Configuration, ports: Ports, made: JustMade | null): RunningConsole {
  const unlocking = made === null ? unlock(configuration, ports) : alreadyOpen(made)
  return runStartup({ ports, unlock: unlocking, setUp: null }, async (unlocked, stops) => {
    let queue: DeskQueue | null = null
    const opened = await openConsole({
      configuration,
      ports,
      unlocking: unlocked,
      stops,
      async queues(schoolId) {
        queue = await startDeskQueue(ports.randomness, schoolId)
        stops.push(() => queue?.stop())
        return { ...queue, desk: true }
      },
      invented: null,
    })
    if (queue === null) throw new Error('the desk has no queue')
    if (made) opened.windows.seat(made.windowId, made.admin.id)
    // What was under way when it last stopped is news now.
    opened.goLive()
    const station = await openOwnStation(configuration, ports, opened, queue)
    stops.push(() => station.stop())
    servePolicy(opened, station)
    opened.parts.station = { url: station.url, salt: station.salt, keys: keysOf(station, opened.schoolId()) }
    return { parts: opened.parts, presentable: Promise.resolve() }
  })
}

/** From now on the console's directory is kept, and edited, at the station beside it. */
function servePolicy({ directory }: OpenedConsole, station: Station): void {
  const { policy } = station as { policy?: StationPolicy }
  if (policy) directory.serve(stationHere(policy))
}

/** The keys of one school, as its own screens handle them. */
function keysOf({ keys }: Station, school_id: string): OwnStation['keys'] {
  return {
    issue: (key) => keys.issueApiKey({ school_id, ...key }),
    list: () => keys.listApiKeys(school_id),
    revoke: (id) => keys.revokeApiKey({ school_id, id }),
  }
}

interface JustMade extends MadeDesk {
  windowId: string
  /** Settles when what ran here before has ended. */
  after: Promise<void>
}

function alreadyOpen({ dir, keys, release, after }: JustMade): ReturnType<typeof unlock> {
  return async (_startup, stops) => {
    stops.push(release)
    await after
    return { dir, keys }
  }
}

/** The desk's station, at the same port at every start: the chat's settings name it. */
async function openOwnStation(
  configuration: Configuration,
  ports: Ports,
  opened: OpenedConsole,
  queue: DeskQueue,
): Promise<Station> {
  const port = keptIntakePort(opened.db)
  const assessment = withOwnReply(opened, ports.logger)
  const { refuseOtherSchools } = await stationModule()
  const settings = await intakeSettings(configuration)
  refuseOtherSchools(settings, opened.schoolId())
  try {
    const station = await openStation(configuration, ports, opened, queue, {
      schoolId: opened.schoolId(),
      port,
      assessment,
      settings,
    })
    keepIntakePort(opened.db, Number(new URL(station.url).port))
    return station
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'EADDRINUSE') throw error
    throw new ConsoleError(
      {
        code: 'intake_port_taken',
        happened: `Another program uses port ${port} of this machine, at which the school’s chat talks to the desk.`,
        safe: 'Nothing was changed. Until the desk runs, the chat’s messages do not arrive.',
        todo: 'Close the other program, or restart the computer, then start the desk again.',
      },
      { cause: error },
    )
  }
}

/** The engine of the detection files, with the reply that the school has written for a crisis. */
function withOwnReply(
  { assessment, db }: OpenedConsole,
  logger: Logger,
): Pick<RunningAssessment, 'engine' | 'services'> {
  const { engine, services } = assessment
  const own = new Proxy(engine, {
    get: (target, name) =>
      name === 'protocolReply'
        ? replyInCrisis(db, target.protocolReply, logger)
        : (Reflect.get(target, name) as unknown),
  })
  return { engine: own, services }
}

async function intakeSettings({ intake }: Configuration): Promise<IntakeSettings> {
  const { readIntakeSettings } = await stationModule()
  return readIntakeSettings(intake, (file) => readFileSync(file, 'utf8'))
}

interface StationHere {
  schoolId: string
  /** Of the intake on loopback; 0 = any free one. */
  port: number
  assessment: Pick<RunningAssessment, 'engine' | 'services'>
  settings: IntakeSettings
}

/** The station beside this console: its own database in the same folder, the same keys, the same queue. */
async function openStation(
  configuration: Configuration,
  ports: Ports,
  opened: OpenedConsole,
  queue: DeskQueue,
  { schoolId, port, assessment, settings }: StationHere,
): Promise<Station> {
  const { keys } = opened
  const { openStationStore, startStation } = await stationModule()
  const station = await startStation({
    store: await openStationStore({ file: join(opened.dir, 'station.db'), key: keys.stationDatabase }),
    stationId: null,
    wrapping: wrappingWith(keys.stationSecrets),
    contentKey: keys.evidence,
    dataDir: configuration.dataDir,
    ownConsole: { console_id: opened.consoleId, fingerprint: opened.consoleKeys.fingerprint },
    administration: { signIn: configuration, operatorToken: null },
    schoolId,
    salt: null,
    storeContent: true,
    assessment,
    settings,
    address: { host: '127.0.0.1', port },
    chatPage: configuration.chatPage,
    sqs: queue.sqs,
    acksQueueUrl: queue.acksQueueUrl,
    publish: toTopic(queue.sns, queue.topicArn),
    confirmations: (confirm) => opened.changes.listen(({ confirmed }) => confirm(confirmed)),
    ports,
  })
  // Standard output is the console's own address alone.
  if (configuration.chatPage)
    process.stderr.write(`Chat page: ${station.url}/chat (API key: ${join(configuration.dataDir, 'intake.key')})\n`)
  return station
}
