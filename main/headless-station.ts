/** The station as a program: options, parts in the order in which they need each other, and words for whoever reads the terminal. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConsoleError } from '../shared/errors.ts'
import { loadEngine, openAssessment } from './assessment/index.ts'
import {
  forgetSecrets,
  isLoopback,
  readStationConfiguration,
  readStationOptions,
  sentenceAbout,
  stationHelp,
  stationUsage,
  unreadVariables,
  UsageError,
  type StationConfiguration,
} from './configuration/index.ts'
import { checksAsTable, examineStation } from './doctor/index.ts'
import { toTopic } from './outbox/index.ts'
import { snsClient, sqsClient } from './platform/aws.ts'
import { systemClock } from './platform/clock.ts'
import { prepareDataDir } from './platform/data-dir.ts'
import { wrappingWith } from './platform/envelope.ts'
import { createLogger, loggerIn } from './platform/logger.ts'
import { asPersonalError, inLines } from './platform/personal-error.ts'
import type { Ports } from './platform/ports.ts'
import { onStop } from './platform/process.ts'
import { systemRandomness } from './platform/randomness.ts'
import { stopAll, type Stops } from './platform/stops.ts'
import {
  createMetrics,
  readIntakeSettings,
  openReplies,
  startStation,
  type IntakeSettings,
  type Station,
} from './station/index.ts'
import { openStationData } from './station-data.ts'
import { lockDataDir } from './store/index.ts'

/** Until the data directory is known, the terminal alone. */
let logger = createLogger()

async function run(configuration: StationConfiguration, settings: IntakeSettings): Promise<void> {
  const { dataDir, logLevel } = configuration
  prepareDataDir(dataDir)
  logger = loggerIn(dataDir, { demo: false, logLevel }, 'station')
  const began = systemClock.now()
  const stops: Stops = []
  onStop(systemClock, async () => {
    await stopAll(stops)
    logger.info({}, 'station stopped')
  })
  const ports = { clock: systemClock, randomness: systemRandomness, logger }
  const station = await openStation(configuration, settings, ports, stops)
  logger.info({ took_ms: systemClock.now() - began }, 'station open')
  // Standard output is the station's own address alone.
  if (configuration.chatPage)
    process.stderr.write(`Chat page: ${station.url}/chat (API key: ${join(dataDir, 'intake.key')})\n`)
  process.stdout.write(`Station: ${station.url}/\n`)
}

/** Takes the data directory, opens what is configured and serves. What has begun is in `stops`. */
async function openStation(
  configuration: StationConfiguration,
  settings: IntakeSettings,
  ports: Pick<Ports, 'clock' | 'randomness' | 'logger'>,
  stops: Stops,
): Promise<Station> {
  const { dataDir, clinical, embedderDir, riskAdapters, address, trustedProxies } = configuration
  stops.push(lockDataDir(dataDir))
  // The key is derived in a thread of its own: time enough for the engine.
  const opening = openStationData(configuration, ports.randomness)
  opening.catch(() => undefined)
  const loaded = loadEngine()
  const { store, keys } = await opening
  // Until the station has it, and closes it.
  const unclaimed: Stops = [() => store.close()]
  stops.push(() => stopAll(unclaimed))
  const services = { clinical, embedderDir, riskAdapters }
  const assessment = await openAssessment({ ...services, ...ports, dataDir, loaded })
  stops.push(() => assessment.stop())
  const sqs = sqsClient(configuration.queues)
  const sns = snsClient(configuration.topic)
  stops.push(() => {
    sqs.destroy()
    sns.destroy()
  })
  unclaimed.length = 0
  const station = await startStation({
    store,
    stationId: null,
    wrapping: wrappingWith(keys.stationSecrets),
    contentKey: null,
    ownConsoles: [],
    administration: { signIn: configuration.signIn, operatorToken: configuration.operatorToken },
    dataDir,
    schoolId: configuration.schoolId,
    salt: configuration.salt,
    storeContent: true,
    assessment,
    settings,
    address,
    chatPage: configuration.chatPage,
    reach: {
      trustedProxies,
      isPublic: !isLoopback(address.host) || trustedProxies !== null,
      operatorToken: configuration.operatorToken,
    },
    metrics: createMetrics(ports.clock, { ofProcess: true }),
    degraded: () => assessment.degraded(),
    replies: openReplies(configuration.reply),
    channels: configuration.channels,
    sqs,
    acksQueueUrl: configuration.acksQueueUrl,
    eventsQueueUrl: configuration.eventsQueueUrl,
    // What the topic has taken is on its way to every console: nothing here waits for one of them.
    publish: toTopic(sns, configuration.topicArn),
    confirmations: null,
    drills: true,
    ladder: configuration.ladder ? {} : null,
    ports,
  }).catch((error: unknown) => {
    throw explainAddress(error, address)
  })
  stops.push(() => station.stop())
  return station
}

/** Why nothing can be heard at an address, for people; any other error as it is. */
function explainAddress(error: unknown, { host, port }: StationConfiguration['address']): unknown {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Another program is listening on port ${port} of ${host}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    ENOTFOUND: `${host} is not an address of this machine.`,
    EACCES: `This account may not listen on port ${port}.`,
  }
  const happened = sentences[(error as NodeJS.ErrnoException | null)?.code ?? '']
  if (happened === undefined) return error
  const safe = 'No messages were received.'
  const todo = 'Choose another address with --host and --port (0: any free port), or stop that program.'
  return new ConsoleError({ code: 'address', happened, safe, todo }, { cause: error })
}

async function check(configuration: StationConfiguration, settings: IntakeSettings, json: boolean): Promise<void> {
  const progress = (what: string): void => void (json || process.stderr.write(`${what} …\n`))
  const ports = { clock: systemClock, randomness: systemRandomness, progress }
  const report = await examineStation({ configuration, settings, unread: unreadVariables(process.env) }, ports)
  const text = json ? JSON.stringify(report) : checksAsTable(report.checks, process.stdout.columns ?? 100)
  await new Promise<void>((written) => process.stdout.write(`${text}\n`, () => written()))
  process.exit(report.ok ? 0 : 1)
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n${stationUsage}\n`)
    process.exit(2)
  }
  process.stderr.write(inLines(asPersonalError(error, logger)))
  process.exit(1)
}

// Whoever reads the address may close the pipe once it is read.
process.stdout.on('error', () => undefined)
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
try {
  const argv = process.argv.slice(2)
  const options = readStationOptions(argv)
  if (options.help) process.stdout.write(`${stationHelp}\n`)
  else {
    if (!options.check)
      for (const each of unreadVariables(process.env)) process.stderr.write(`${sentenceAbout(each)}\n`)
    const configuration = readStationConfiguration(process.env, argv)
    const settings = readIntakeSettings(process.env, (file) => readFileSync(file, 'utf8'))
    forgetSecrets(process.env)
    if (options.check) await check(configuration, settings, options.json)
    else await run(configuration, settings)
  }
} catch (error) {
  fail(error)
}
