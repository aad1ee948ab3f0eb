/** What the environment and the command line say, read once, in words of the product. */
import { resolve } from 'node:path'
import { plural } from '../../shared/numbers.ts'
import { noChannels, type ChannelAccess } from '../platform/channel-access.ts'
import type { ClinicalAccess } from '../platform/clinical/index.ts'
import { isDesk } from '../platform/desk-marker.ts'
import type { LogLevel } from '../platform/logger.ts'
import type { ReplyAccess } from '../platform/reply/index.ts'
import { channelAccess } from './channels.ts'
import {
  intakeNames,
  isForDistrict,
  namesOf,
  queueNames,
  readVariables,
  type Environment,
  type Variables,
} from './environment.ts'
import { readFlags, UsageError } from './flags.ts'
import { misconfigured } from './misconfigured.ts'
import { unreadVariables, type UnreadVariable } from './names.ts'
import { passphraseOf } from './passphrase.ts'
import { dataDirOf, regionOf } from './paths.ts'
import { adaptersIn, clinicalAccess, replyAccess } from './services.ts'

export { forgetSecrets, variableNames } from './environment.ts'
export { help, readFlags, readHostOptions, usage, UsageError, usualPort, type HostOptions } from './flags.ts'
export { sentenceAbout, unreadVariables, type UnreadVariable } from './names.ts'
export { dataDirOf, defaultDataDir, isLoopback } from './paths.ts'
export {
  readStationConfiguration,
  readStationOptions,
  stationHelp,
  stationUsage,
  type StationConfiguration,
} from './station.ts'

export {
  readKeysCommand,
  readKeysConfiguration,
  stationKeysHelp,
  stationKeysUsage,
  type KeysConfiguration,
} from './station-keys.ts'

export interface Configuration {
  /**
   * `demo`: the demonstration school (throw-away key, data made anew). `desk`: a school's own data, set up here or
   * to be set up. `district`: a queue is configured.
   */
  mode: 'demo' | 'desk' | 'district'
  /** True when the demonstration school runs, on a queue in this process or beside a configured one. */
  demo: boolean
  /** Folder of this installation's data. The demonstration school keeps to the folder `demo` inside it. */
  dataDir: string
  queue: {
    /** Null = a queue in this process. */
    eventsQueueUrl: string | null
    acksQueueUrl: string | null
    endpoint: string | null
    /** Where doctor asks the topic that the queue is subscribed to; null = AWS. */
    topicEndpoint: string | null
    region: string
  }
  /** From PSYFLO_PASSPHRASE or the file of PSYFLO_PASSPHRASE_FILE; null = ask on screen. */
  passphrase: string | null
  signInToken: string | null
  jwtSecret: string | null
  jwksUrl: string | null
  /** What a token's `iss` must be; null = not asked. */
  jwtIssuer: string | null
  /** What a token's `aud` must be, or hold; null = not asked. */
  jwtAudience: string | null
  /** In its one form, as `normalSchoolId` makes it. */
  schoolId: string | null
  /** The school's station, https or on this machine; null = there is none to ask. */
  stationUrl: string | null
  /** Who escalates: a station (a desk is its own), or nothing; null = that was not said. What a station says goes before it. */
  ladder: 'station' | 'off' | null
  /** What the log file keeps, and worse. */
  logLevel: LogLevel
  /** The school's own clinical service; null = the clinical signal is read on this machine. */
  clinical: ClinicalAccess | null
  /** Folder of a sentence-embedding model; null = the built-in comparison with known phrases. */
  embedderDir: string | null
  /** Who answers students at a desk's intake; null = nobody. */
  reply: ReplyAccess | null
  /** By what a desk reaches people away from their console. */
  channels: ChannelAccess
  /** Files of the risk adapters, in order. */
  riskAdapters: readonly string[]
  /** Whether the intake serves the chat page. */
  chatPage: boolean
  /** What the environment says about a desk's intake, as it stands there: it is read when the data are open. */
  intake: Environment
  /** Names of settings that the environment decides, for the Settings screen. */
  fromEnvironment: string[]
  /** `PSYFLO_` variables that are set and mean nothing to this program. */
  unread: UnreadVariable[]
}

/**
 * The console's settings. `argv` holds the flags after the command's name. Throws UsageError for an unknown
 * flag and where flags, queues and data contradict each other, ConsoleError `configuration` for a variable that
 * cannot be read and for half a district console, `desk_*` for a desk that cannot be told from its files.
 */
export function readConfiguration(env: Environment, argv: readonly string[]): Configuration {
  const flags = readFlags(argv)
  const set = readVariables(env, 'console')
  const unread = unreadVariables(env)
  const eventsQueueUrl = set.PSYFLO_EVENTS_QUEUE_URL ?? null
  const dataDir = dataDirOf(flags['data-dir'], env)
  const mode = modeOf(flags, env, dataDir)
  if (mode === 'demo' && flags.demo !== true) refuseHalf(set, (env.PSYFLO_EVENTS_TOPIC_ARN ?? '') !== '', unread)
  const demo = mode === 'demo' || flags.demo === true
  if (flags['chat-page'] && mode === 'district' && !demo)
    throw new UsageError('--chat-page needs a desk: a district console receives no messages from a chat.')
  const region = set.AWS_REGION ?? set.AWS_DEFAULT_REGION ?? regionOf(eventsQueueUrl) ?? 'us-east-1'
  return {
    mode,
    demo,
    dataDir,
    queue: {
      eventsQueueUrl,
      acksQueueUrl: set.PSYFLO_ACKS_QUEUE_URL ?? null,
      endpoint: set.AWS_ENDPOINT_URL_SQS ?? set.AWS_ENDPOINT_URL ?? null,
      topicEndpoint: set.AWS_ENDPOINT_URL_SNS ?? set.AWS_ENDPOINT_URL ?? set.AWS_ENDPOINT_URL_SQS ?? null,
      region,
    },
    passphrase: passphraseOf(set),
    signInToken: set.PSYFLO_SIGN_IN_TOKEN ?? null,
    jwtSecret: set.PSYFLO_JWT_SECRET ?? null,
    jwksUrl: set.PSYFLO_JWKS_URL ?? null,
    jwtIssuer: set.PSYFLO_JWT_ISSUER ?? null,
    jwtAudience: set.PSYFLO_JWT_AUDIENCE ?? null,
    schoolId: set.PSYFLO_SCHOOL_ID ?? null,
    stationUrl: set.PSYFLO_STATION_URL ?? null,
    ladder: set.PSYFLO_LADDER ?? (mode === 'district' && !demo ? null : 'station'),
    logLevel: set.PSYFLO_LOG_LEVEL ?? 'info',
    embedderDir: set.PSYFLO_EMBEDDER_DIR === undefined ? null : resolve(set.PSYFLO_EMBEDDER_DIR),
    clinical: clinicalAccess(set, region),
    reply: replyAccess(set),
    // What is invented tells nobody's telephone.
    channels: demo ? noChannels : channelAccess(set, set.AWS_REGION ?? set.AWS_DEFAULT_REGION ?? null),
    riskAdapters: adaptersIn(set.PSYFLO_RISK_ADAPTERS ?? ''),
    chatPage: flags['chat-page'] === true || set.PSYFLO_CHAT_PAGE === 'on',
    intake: Object.fromEntries(intakeNames.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    fromEnvironment: namesOf('console').filter((name) => set[name] !== undefined),
    unread,
  }
}

/** What is meant by flags, queues and what the data directory holds. Throws UsageError where they contradict each other. */
function modeOf(
  flags: { demo?: boolean | undefined; desk?: boolean | undefined },
  env: Environment,
  dataDir: string,
): Configuration['mode'] {
  const queues = queueNames.filter((name) => (env[name] ?? '') !== '')
  const district = env.PSYFLO_EVENTS_QUEUE_URL ? 'district' : 'demo'
  if (flags.demo === true) {
    if (flags.desk === true) throw new UsageError('--demo and --desk cannot be used together; leave one out.')
    return district
  }
  if (flags.desk !== true && !isDesk(dataDir)) return district
  if (queues.length === 0) return 'desk'
  const names = new Intl.ListFormat('en-US').format(queues)
  throw new UsageError(
    flags.desk === true
      ? `--desk runs on a queue of its own, and ${names} names another: leave one of them out.`
      : `The data directory was set up as a desk, which has a queue of its own, and ${names} names another: unset it, or choose another --data-dir for the district console.`,
  )
}

/** Whoever meant a district console must not be shown invented students in its place. */
function refuseHalf(set: Variables, topicIsSet: boolean, unread: readonly UnreadVariable[]): void {
  const half = [
    ...namesOf('console').filter((name) => set[name] !== undefined && isForDistrict(name)),
    ...(topicIsSet ? (['PSYFLO_EVENTS_TOPIC_ARN'] as const) : []),
    ...unread.filter(({ name, nearest }) => isForDistrict(nearest ?? name)).map(({ name }) => name),
  ]
  if (half.length === 0) return
  const names = new Intl.ListFormat('en-US').format(half)
  const are = plural(half.length, { one: 'is', other: 'are' })
  if (topicIsSet)
    throw misconfigured(`${names} ${are} set, as for a station, and this is not the station’s command.`, {
      safe: 'Nothing was opened or changed, and the demonstration school was not started in its place.',
      todo: 'For a station use `npm run station -- --check`, then `npm run station`. For a district console set PSYFLO_EVENTS_QUEUE_URL; for the demonstration school start with --demo.',
    })
  throw misconfigured(`${names} ${are} set, as for a district console, and PSYFLO_EVENTS_QUEUE_URL is not.`, {
    safe: 'Nothing was opened or changed, and the demonstration school was not started in its place.',
    todo: 'Set PSYFLO_EVENTS_QUEUE_URL to this console’s queue, or start the demonstration school with --demo.',
  })
}
