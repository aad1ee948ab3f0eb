/** What the environment and the command line say to the headless station. */
import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConsoleError } from '../../shared/errors.ts'
import type { AwsAccess } from '../platform/aws.ts'
import type { ClinicalAccess } from '../platform/clinical/index.ts'
import type { LogLevel } from '../platform/logger.ts'
import type { SignInKeys } from '../platform/sign-in-token.ts'
import type { ChannelAccess } from '../platform/channel-access.ts'
import type { ReplyAccess } from '../platform/reply/index.ts'
import { channelAccess } from './channels.ts'
import { adaptersIn, clinicalAccess, replyAccess } from './services.ts'
import { notRead, readableVariables, type Environment, type VariableName, type Variables } from './environment.ts'
import { helpOf, portOf, UsageError, wrongFlag } from './flags.ts'
import { allAsOne, misconfigured } from './misconfigured.ts'
import { passphraseOf } from './passphrase.ts'
import { dataDirOf, isLoopback, regionOf } from './paths.ts'
import { wrapped } from './wrapped.ts'

/** Where the station listens unless told otherwise. */
const defaultAddress = { host: '127.0.0.1', port: 8787 }

export const stationUsage = wrapped(`npm run station [-- OPTIONS]
npm run station -- keys list|issue|revoke
                   the chat’s API keys, while it runs or not (keys --help)
  --port N         port to listen on (default ${defaultAddress.port}; 0: any free port)
  --host ADDRESS   address to listen on (default ${defaultAddress.host}); any address other than this machine's own needs PSYFLO_TRUST_PROXY: students' words travel only behind TLS
  --data-dir DIR   where the encrypted data is kept
  --chat-page      also serve a page at /chat to try the station with; its address is printed
  --check          say what a start would do, test each part without changing anything, and exit
  --json           with --check: print one JSON object
  --help           show this text

Receives a chat's messages over REST, assesses them, publishes events, and relays what consoles acknowledge.
Prints one line when it is ready, “Station: http://HOST:PORT/”; stops cleanly on SIGTERM and SIGINT.
Exit code: 0 stopped when asked to (with --check: everything is in order), 1 could not start or had to stop, 2 misused.`)

export const stationHelp = helpOf('station', stationUsage)

/** What this run is to do; nothing the station itself needs to know. */
export interface StationOptions {
  check: boolean
  json: boolean
  help: boolean
}

export interface StationConfiguration {
  /** Folder of this installation's data. */
  dataDir: string
  address: { host: string; port: number }
  /** The proxies in front, as PSYFLO_TRUST_PROXY names them; null = none: this machine only. */
  trustedProxies: BlockList | null
  topicArn: string
  acksQueueUrl: string
  /** A queue of the topic for this station alone; null = there are no other producers. */
  eventsQueueUrl: string | null
  queues: AwsAccess
  topic: AwsAccess
  /** A PostgreSQL database; null = the encrypted file in the data directory. */
  databaseUrl: string | null
  /** In its one form, as `normalSchoolId` makes it. */
  schoolId: string
  salt: string | null
  passphrase: string
  /** Null = /metrics of a public address is read with an API key alone. */
  operatorToken: string | null
  /** What verifies the people of the school, who decide about its consoles. */
  signIn: SignInKeys
  clinical: ClinicalAccess | null
  embedderDir: string | null
  reply: ReplyAccess | null
  /** By what people are reached away from their console. */
  channels: ChannelAccess
  /** Files of the risk adapters, in order. */
  riskAdapters: readonly string[]
  /** Whether the intake serves the chat page. */
  chatPage: boolean
  /** Whether this station tells people of alerts. */
  ladder: boolean
  logLevel: LogLevel
}

/** Throws UsageError. */
export function readStationOptions(argv: readonly string[]): StationOptions {
  const { check = false, json = false, help = false } = readFlags(argv)
  if (json && !check) throw new UsageError('--json works only with --check.')
  return { check, json, help }
}

/**
 * The station's settings. `argv` holds the flags after the command's name. Throws UsageError for an unknown flag,
 * ConsoleError `configuration` for a variable that cannot be read, for half a station and for an address that would
 * carry students' words in the clear.
 */
export function readStationConfiguration(env: Environment, argv: readonly string[]): StationConfiguration {
  const flags = readFlags(argv)
  const { set, unreadable } = readableVariables(env, 'station')
  const problems = problemsOf(set, unreadable, flags)
  if (problems.length > 0) throw allAsOne(problems)
  const {
    PSYFLO_EVENTS_TOPIC_ARN: topicArn = '',
    PSYFLO_ACKS_QUEUE_URL: acksQueueUrl = '',
    PSYFLO_SCHOOL_ID: schoolId = '',
  } = set
  const trustedProxies = proxiesOf(set)
  const region = set.AWS_REGION ?? set.AWS_DEFAULT_REGION ?? regionOf(acksQueueUrl) ?? regionOfTopic(topicArn)
  const access = (endpoint: string | undefined): AwsAccess => ({
    region,
    endpoint: endpoint ?? set.AWS_ENDPOINT_URL ?? null,
    credentials: null,
  })
  return {
    dataDir: dataDirOf(flags['data-dir'], env),
    address: addressOf(flags, trustedProxies),
    trustedProxies,
    topicArn,
    acksQueueUrl,
    eventsQueueUrl: set.PSYFLO_STATION_EVENTS_QUEUE_URL ?? null,
    queues: access(set.AWS_ENDPOINT_URL_SQS),
    topic: { ...access(set.AWS_ENDPOINT_URL_SNS), region: regionOfTopic(topicArn) },
    databaseUrl: set.PSYFLO_DATABASE_URL ?? null,
    schoolId,
    salt: set.PSYFLO_STUDENT_SALT ?? null,
    passphrase: passphraseOf(set) ?? '',
    operatorToken: set.PSYFLO_STATION_TOKEN ?? null,
    signIn: {
      jwtSecret: set.PSYFLO_JWT_SECRET ?? null,
      jwksUrl: set.PSYFLO_JWKS_URL ?? null,
      jwtIssuer: set.PSYFLO_JWT_ISSUER ?? null,
      jwtAudience: set.PSYFLO_JWT_AUDIENCE ?? null,
    },
    clinical: clinicalAccess(set, region),
    embedderDir: set.PSYFLO_EMBEDDER_DIR === undefined ? null : resolve(set.PSYFLO_EMBEDDER_DIR),
    reply: replyAccess(set),
    channels: channelAccess(set, region),
    riskAdapters: adaptersIn(set.PSYFLO_RISK_ADAPTERS ?? ''),
    ladder: set.PSYFLO_LADDER !== 'off',
    chatPage: flags['chat-page'] === true || set.PSYFLO_CHAT_PAGE === 'on',
    logLevel: set.PSYFLO_LOG_LEVEL ?? 'info',
  }
}

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: false,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        'data-dir': { type: 'string' },
        check: { type: 'boolean' },
        'chat-page': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw wrongFlag(error)
  }
}

/** Everything that stands in the way of a station, so that nobody corrects one variable a start. */
function problemsOf(
  set: Variables,
  unreadable: readonly VariableName[],
  flags: ReturnType<typeof readFlags>,
): ConsoleError[] {
  const readings: (() => unknown)[] = [
    () => refuseMissing(set, unreadable),
    () => passphraseOf(set),
    () => addressOf(flags, proxiesOf(set)),
    () => adaptersIn(set.PSYFLO_RISK_ADAPTERS ?? ''),
  ]
  // Without a variable that cannot be read, the rest of a service looks like half of one.
  const services =
    unreadable.length > 0 ? [] : [() => clinicalAccess(set, ''), () => replyAccess(set), () => channelAccess(set, '')]
  const problems = [...readings, ...services].flatMap((reading) => {
    try {
      reading()
      return []
    } catch (error) {
      if (error instanceof ConsoleError && error.code === 'configuration') return [error]
      throw error
    }
  })
  return [...unreadable.map(notRead), ...new Map(problems.map((each) => [each.happened, each])).values()]
}

/** What no station can do without; every name that is missing is said at once. Those of `unreadable` are there. */
function refuseMissing(set: Variables, unreadable: readonly VariableName[]): void {
  const isMissing = (name: VariableName) => set[name] === undefined && !unreadable.includes(name)
  const missing = [
    ...(isMissing('PSYFLO_EVENTS_TOPIC_ARN') ? ['PSYFLO_EVENTS_TOPIC_ARN (where events go)'] : []),
    ...(isMissing('PSYFLO_ACKS_QUEUE_URL') ? ['PSYFLO_ACKS_QUEUE_URL (where acknowledgements come from)'] : []),
    ...(isMissing('PSYFLO_SCHOOL_ID') ? ['PSYFLO_SCHOOL_ID (whose students write: the school’s UUID)'] : []),
    ...(isMissing('PSYFLO_PASSPHRASE') && isMissing('PSYFLO_PASSPHRASE_FILE')
      ? ['PSYFLO_PASSPHRASE or PSYFLO_PASSPHRASE_FILE (opens the data)']
      : []),
  ]
  if (missing.length === 0) return
  throw misconfigured(`A station needs ${new Intl.ListFormat('en-US').format(missing)}.`, {
    safe: 'Nothing was opened or changed; no messages were received.',
    todo: 'Set what is missing and start again; `npm run station -- --help` explains each.',
  })
}

/** An address other than this machine's own is served behind a proxy that speaks TLS, or not at all. */
function addressOf(flags: ReturnType<typeof readFlags>, trustedProxies: BlockList | null) {
  const address = { host: flags.host ?? defaultAddress.host, port: portOf(flags.port ?? String(defaultAddress.port)) }
  if (address.host === '') throw new UsageError('--host needs an address.')
  if (isLoopback(address.host) || trustedProxies !== null) return address
  throw misconfigured(
    `--host ${address.host} can be reached from other machines, and students’ words would travel there unencrypted.`,
    {
      safe: 'Nothing was opened or changed; no messages were received.',
      todo: 'Put a proxy that speaks TLS in front and name it in PSYFLO_TRUST_PROXY, or listen at 127.0.0.1.',
    },
  )
}

/** Null = none are named. */
function proxiesOf(set: Variables): BlockList | null {
  return set.PSYFLO_TRUST_PROXY === undefined ? null : proxiesIn(set.PSYFLO_TRUST_PROXY)
}

function proxiesIn(list: string): BlockList {
  const proxies = new BlockList()
  for (const entry of list.split(',').map((each) => each.trim())) {
    const [address = '', prefix, ...more] = entry.split('/')
    const family = isIP(address)
    const longest = family === 6 ? 128 : 32
    const length = prefix === undefined ? longest : Number(prefix)
    const known = family !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix ?? '0') && length <= longest
    if (!known || length === 0)
      throw misconfigured(
        'The environment variable PSYFLO_TRUST_PROXY is not a list of addresses (10.0.0.7) or networks (10.0.0.0/24) of your own proxies.',
      )
    proxies.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4')
  }
  return proxies
}

/** `arn:aws:sns:REGION:ACCOUNT:NAME`. */
const regionOfTopic = (arn: string): string => arn.split(':')[3] ?? ''
