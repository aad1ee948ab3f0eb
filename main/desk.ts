/** Both halves in one process, over a queue of their own: a school's desk, or the demonstration school. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { relayedId } from '../shared/action-message.ts'
import { ConsoleError } from '../shared/errors.ts'
import { seconds } from '../shared/time.ts'
import type { RunningAssessment } from './assessment/index.ts'
import type { Configuration } from './configuration/index.ts'
import {
  importRoster,
  keepIntakePort,
  keptIntakePort,
  openConsole,
  replyInCrisis,
  runStartup,
  stationHere,
  unlock,
  waitForDisk,
  type ConsoleOptions,
  type MadeDesk,
  type OwnStation,
  type OpenedConsole,
  type RunningConsole,
  type SetUp,
} from './console/index.ts'
import { toTopic } from './outbox/index.ts'
import { startDeskQueue, type DeskQueue } from './platform/desk-queue.ts'
import { wrappingWith } from './platform/envelope.ts'
import { projectRoot } from './platform/project-root.ts'
import type { Clock, Logger, Ports } from './platform/ports.ts'
import type { IntakeSettings, Station, StationOptions } from './station/index.ts'

// Loaded where they are wanted: a district's console starts without them.
const stationModule = () => import('./station/index.ts')
const demonstrationModule = () => import('./demo/index.ts')

/**
 * The demonstration school: a desk of its own, set up with an invented school, its people and its roster. What happens
 * there comes from outside as at any desk, from a chat and from a second console. Invented alarms never meet real ones:
 * a configured queue is left alone, and all data, keys and the address stand in a folder of this run.
 */
export function startDemonstrationSchool(
  configuration: Configuration,
  ports: Ports,
  setUp: SetUp | null,
): RunningConsole {
  return runStartup({ ports, unlock: unlock(configuration, ports), setUp }, async (unlocking, stops, onTold) => {
    const { eventsOfInterest, loadSchool, makeConsoleKeys, startDemonstration } = await demonstrationModule()
    const school = loadSchool(join(projectRoot(), 'resources', 'demo'))
    const { opened, queue } = await openDeskConsole(configuration, ports, unlocking, stops, school)
    const schoolId = opened.schoolId()
    const keys = makeConsoleKeys(ports.randomness)
    const station = await openStation(configuration, ports, opened, queue, {
      schoolId,
      port: 0,
      assessment: await opened.assessment(),
      settings: await intakeSettings(configuration),
      dataDir: opened.dir,
      otherConsoles: [keys],
    })
    stops.push(() => station.stop())
    importRoster(opened.db, { csv: school.rosterCsv, salt: station.salt }, schoolId, ports.clock.now())
    // From here on the roster is there: the station is told of it at once.
    opened.directory.serve(stationHere(station.policy))
    const { key } = await station.keys.issueApiKey({
      school_id: schoolId,
      label: 'demonstration',
      scopes: ['write', 'backfill'],
    })

    // The past is invented anew at each start: a power cut may take it, so the disk is not waited for.
    const waitForDisks = (wait: boolean): void => {
      waitForDisk(opened.db, wait)
      station.waitForDisk(wait)
    }
    waitForDisks(false)
    onTold(0)
    const { queueUrl: eventsQueueUrl, end } = await queue.subscribe('other-console', eventsOfInterest(schoolId))
    const committed = watchCommitted(opened, ports.clock)
    let isLive = false
    const goLive = (): void => {
      if (isLive) return
      isLive = true
      waitForDisks(true)
      // The past of a demonstration is no news, and its plans were met or missed in the past.
      opened.goLive()
    }
    const demonstration = await startDemonstration({
      school,
      ports,
      station: { url: station.url, key },
      console: { keys, sqs: queue.sqs, eventsQueueUrl, acksQueueUrl: queue.acksQueueUrl },
      onProgress: onTold,
      async onTold(records) {
        await end()
        // What people did stands in the inbox before anybody sees it, and before overdue plans are looked for.
        await committed(records.map((ack_id) => relayedId({ school_id: schoolId, ack_id })))
        goLive()
      },
    })
    stops.push(() => demonstration.stop())
    // Also where the past could not be told to its end.
    void demonstration.live.then(goLive)
    return { parts: opened.parts, presentable: demonstration.live }
  })
}

/** How long a demonstration waits for its past at the desk's own console while nothing at all comes (milliseconds). */
const patience = seconds(20)

/** Answers how to wait until this console has committed what was published under these ids, from now on. */
function watchCommitted({ changes }: OpenedConsole, clock: Clock): (ids: readonly string[]) => Promise<void> {
  const committed = new Set<string>()
  let look: () => void = () => undefined
  const unlisten = changes.listen(({ confirmed }) => {
    confirmed.forEach((id) => committed.add(id))
    look()
  })
  return async (ids) => {
    await new Promise<void>((resolve) => {
      let cancel = clock.after(patience, resolve)
      look = () => {
        cancel()
        if (ids.every((id) => committed.has(id))) resolve()
        else cancel = clock.after(patience, resolve)
      }
      look()
    })
    unlisten()
  }
}

/**
 * A school's own desk, on what is kept in its data directory. `made` was set up a moment ago: its data are open,
 * and its admin sits at that window.
 */
export function startDesk(configuration: Configuration, ports: Ports, made: JustMade | null): RunningConsole {
  const unlocking = made === null ? unlock(configuration, ports) : alreadyOpen(made)
  return runStartup({ ports, unlock: unlocking, setUp: null }, async (unlocked, stops) => {
    const { opened, queue } = await openDeskConsole(configuration, ports, unlocked, stops, null)
    if (made) opened.windows.seat(made.windowId, made.admin.id)
    // What was under way when it last stopped is news now.
    opened.goLive()
    const station = await openOwnStation(configuration, ports, opened, queue)
    stops.push(() => station.stop())
    opened.directory.serve(stationHere(station.policy))
    opened.parts.station = {
      url: station.url,
      salt: station.salt,
      reply: () =>
        configuration.reply && { where: new URL(configuration.reply.url).host, resting: station.repliesRest() },
      keys: keysOf(station, opened.schoolId()),
    }
    return { parts: opened.parts, presentable: Promise.resolve() }
  })
}

/** The console's half of a desk, over a queue of the desk's own. */
async function openDeskConsole(
  configuration: Configuration,
  ports: Ports,
  unlocking: ConsoleOptions['unlocking'],
  stops: ConsoleOptions['stops'],
  invented: ConsoleOptions['invented'],
): Promise<{ opened: OpenedConsole; queue: DeskQueue }> {
  const started: { queue?: DeskQueue } = {}
  const opened = await openConsole({
    configuration,
    ports,
    unlocking,
    stops,
    async queues(schoolId) {
      const queue = await startDeskQueue(ports.randomness, schoolId)
      stops.push(() => queue.stop())
      started.queue = queue
      return { ...queue, desk: true }
    },
    invented,
    assesses: true,
  })
  if (started.queue === undefined) throw new Error('the desk has no queue')
  return { opened, queue: started.queue }
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
  const assessment = withOwnReply(opened, await opened.assessment(), ports.logger)
  const { refuseOtherSchools } = await stationModule()
  const settings = await intakeSettings(configuration)
  refuseOtherSchools(settings, opened.schoolId())
  try {
    const station = await openStation(configuration, ports, opened, queue, {
      schoolId: opened.schoolId(),
      port,
      assessment,
      settings,
      dataDir: configuration.dataDir,
      otherConsoles: [],
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
function withOwnReply({ db }: OpenedConsole, assessment: RunningAssessment, logger: Logger): StationHere['assessment'] {
  const { engine, services } = assessment
  const own = new Proxy(engine, {
    get: (target, name) =>
      name === 'protocolReply'
        ? replyInCrisis(db, target.protocolReply, logger)
        : (Reflect.get(target, name) as unknown),
  })
  return { engine: own, services, degraded: () => assessment.degraded() }
}

async function intakeSettings({ intake }: Configuration): Promise<IntakeSettings> {
  const { readIntakeSettings } = await stationModule()
  return readIntakeSettings(intake, (file) => readFileSync(file, 'utf8'))
}

interface StationHere {
  schoolId: string
  /** Of the intake on loopback; 0 = any free one. */
  port: number
  assessment: Pick<RunningAssessment, 'engine' | 'services' | 'degraded'>
  settings: IntakeSettings
  /** Folder where commands of this machine find its API key and address. */
  dataDir: string
  /** Consoles beside this one that are set up together with the school. */
  otherConsoles: StationOptions['ownConsoles']
}

/** The station beside this console: its own database in the same folder, the same keys, the same queue. */
async function openStation(
  configuration: Configuration,
  ports: Ports,
  opened: OpenedConsole,
  queue: DeskQueue,
  { schoolId, port, assessment, settings, dataDir, otherConsoles }: StationHere,
): Promise<Station> {
  const { keys } = opened
  const { openReplies, openStationStore, startStation } = await stationModule()
  const station = await startStation({
    store: await openStationStore({ file: join(opened.dir, 'station.db'), key: keys.stationDatabase }),
    stationId: null,
    wrapping: wrappingWith(keys.stationSecrets),
    contentKey: keys.evidence,
    dataDir,
    ownConsoles: [{ console_id: opened.consoleId, fingerprint: opened.consoleKeys.fingerprint }, ...otherConsoles],
    administration: { signIn: configuration, operatorToken: null },
    schoolId,
    salt: null,
    storeContent: true,
    assessment,
    degraded: () => assessment.degraded(),
    replies: openReplies(configuration.reply),
    settings,
    address: { host: '127.0.0.1', port },
    chatPage: configuration.chatPage,
    sqs: queue.sqs,
    acksQueueUrl: queue.acksQueueUrl,
    publish: toTopic(queue.sns, queue.topicArn),
    confirmations: (confirm) => opened.changes.listen(({ confirmed }) => confirm(confirmed)),
    onPublishing: (failing_since) => opened.changes.tell({ publishing: { failing_since } }),
    ports,
  })
  // Standard output is the console's own address alone.
  if (configuration.chatPage)
    process.stderr.write(`Chat page: ${station.url}/chat (API key: ${join(dataDir, 'intake.key')})\n`)
  return station
}
