/** Both halves in one process, over a queue of their own: a school's desk. */
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
  type ConsoleOptions,
  type MadeDesk,
  type OwnStation,
  type OpenedConsole,
  type RunningConsole,
} from './console/index.ts'
import { toTopic } from './outbox/index.ts'
import { startDeskQueue, type DeskQueue } from './platform/desk-queue.ts'
import { wrappingWith } from './platform/envelope.ts'
import type { Logger, Ports } from './platform/ports.ts'
import type { IntakeSettings, Station, StationOptions } from './station/index.ts'

// Loaded where it is wanted: a district's console starts without it.
const stationModule = () => import('./station/index.ts')

/**
 * A school's own desk, on what is kept in its data directory. `made` was set up a moment ago: its data are open,
 * and its admin sits at that window.
 */
export function startDesk(configuration: Configuration, ports: Ports, made: JustMade | null): RunningConsole {
  const unlocking = made === null ? unlock(configuration, ports) : alreadyOpen(made)
  return runStartup({ ports, unlock: unlocking, setUp: null, takesMessages: true }, async (unlocked, stops) => {
    const { opened, queue } = await openDeskConsole(configuration, ports, unlocked, stops, null)
    if (made) opened.parts.accounts?.begin(made.windowId, made.admin)
    // What was under way when it last stopped is news now.
    opened.goLive()
    const station = await openOwnStation(configuration, ports, opened, queue)
    stops.push(() => station.stop())
    opened.directory.serve(stationHere(station.policy, station.testAlerts))
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
export async function openDeskConsole(
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
        happened: `Another program is using port ${port} on this machine, where the school’s chat reaches the desk.`,
        safe: 'Nothing was changed. Until the desk is running, messages from the chat do not arrive.',
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
        : name === 'protocolReplyInSpanish'
          ? replyInCrisis(db, target.protocolReplyInSpanish, logger, 'spanish')
          : (Reflect.get(target, name) as unknown),
  })
  return { engine: own, services, degraded: () => assessment.degraded() }
}

/** Who may call the intake, and how much it keeps, as configured. */
export async function intakeSettings({ intake }: Configuration): Promise<IntakeSettings> {
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
export async function openStation(
  configuration: Configuration,
  ports: Ports,
  opened: OpenedConsole,
  queue: DeskQueue,
  { schoolId, port, assessment, settings, dataDir, otherConsoles }: StationHere,
): Promise<Station> {
  const { keys } = opened
  const { desktopOnly, openReplies, openStationStore, startStation } = await stationModule()
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
    channels: configuration.channels,
    settings,
    address: { host: '127.0.0.1', port },
    chatPage: configuration.chatPage,
    sqs: queue.sqs,
    acksQueueUrl: queue.acksQueueUrl,
    publish: toTopic(queue.sns, queue.topicArn),
    confirmations: (confirm) => opened.changes.listen(({ confirmed }) => confirm(confirmed)),
    contradictions: (policy) => opened.directory.contradictions(policy),
    // Nobody is called about an invented student.
    ladder: configuration.ladder === 'off' ? null : configuration.demo ? { channels: desktopOnly } : {},
    onPublishing: (failing_since) => opened.changes.tell({ publishing: { failing_since } }),
    drills: true,
    ports,
  })
  // Standard output is the console's own address alone.
  if (configuration.chatPage)
    process.stderr.write(`Chat page: ${station.url}/chat (API key: ${join(dataDir, 'intake.key')})\n`)
  return station
}
