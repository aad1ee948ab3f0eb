/** What the environment and the command line say, read once, in words of the product. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ConsoleError } from '../../shared/errors.ts'
import type { ClinicalAccess } from '../platform/clinical/index.ts'

export interface Configuration {
  /** `demo`: the demonstration school (throw-away key, data made anew). `district`: a queue is configured. */
  mode: 'demo' | 'district'
  /** True when the demonstration school runs, on the desk's own queue or beside a configured one. */
  demo: boolean
  /** Folder of this installation's data. The demonstration school keeps to the folder `demo` inside it. */
  dataDir: string
  queue: {
    /** Null = the desk's own queue, in this process. */
    eventsQueueUrl: string | null
    acksQueueUrl: string | null
    eventsTopicArn: string | null
    endpoint: string | null
    region: string
  }
  /** From PSYFLO_PASSPHRASE; null = ask on screen. */
  passphrase: string | null
  signInToken: string | null
  jwtSecret: string | null
  jwksUrl: string | null
  schoolId: string | null
  ladder: 'local' | 'station' | 'off'
  /** The school's own clinical service; null = the clinical signal is read on this machine. */
  clinical: ClinicalAccess | null
  /** Folder of a sentence-embedding model; null = the built-in comparison with known phrases. */
  embedderDir: string | null
  /** Names of settings that the environment decides, for the Settings screen. */
  fromEnvironment: string[]
}

/** How this start shows the console; nothing the console itself needs to know. */
export interface HostOptions {
  /** The browser host, even where Electron is at hand. */
  web: boolean
  /** Port of the browser host on 127.0.0.1; 0 = any free one. */
  port: number
  /** Open the page in the person's browser. */
  open: boolean
  help: boolean
}

/** A flag nobody knows or a value that is none: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Environment = Readonly<Record<string, string | undefined>>

export const usage = `npm start [-- OPTIONS]
  --web            the console in the browser, on this machine only
  --port N         port of the browser host (default 0: any free one)
  --data-dir DIR   where the encrypted data live
  --no-open        print the address, open no browser
  --demo           the demonstration school, on a queue of its own; a configured one is left alone
  --help           this text`

/** Variables the Settings screen names when the environment decides them. */
const shownVariables = [
  'PSYFLO_EVENTS_QUEUE_URL',
  'PSYFLO_ACKS_QUEUE_URL',
  'PSYFLO_EVENTS_TOPIC_ARN',
  'AWS_ENDPOINT_URL_SQS',
  'AWS_REGION',
  'PSYFLO_DATA_DIR',
  'PSYFLO_PASSPHRASE',
  'PSYFLO_SIGN_IN_TOKEN',
  'PSYFLO_JWT_SECRET',
  'PSYFLO_JWKS_URL',
  'PSYFLO_SCHOOL_ID',
  'PSYFLO_LADDER',
  'PSYFLO_CLINICAL_URL',
  'PSYFLO_CLINICAL_MODEL',
  'PSYFLO_CLINICAL_KEY',
  'PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT',
  'AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME',
  'PSYFLO_EMBEDDER_DIR',
]

const webAddress = z.url({ protocol: /^https?$/ }).optional()
const environmentSchema = z.object({
  PSYFLO_EVENTS_QUEUE_URL: webAddress,
  PSYFLO_ACKS_QUEUE_URL: webAddress,
  PSYFLO_EVENTS_TOPIC_ARN: z.string().startsWith('arn:').optional(),
  AWS_ENDPOINT_URL_SQS: webAddress,
  AWS_ENDPOINT_URL: webAddress,
  PSYFLO_JWKS_URL: webAddress,
  PSYFLO_SCHOOL_ID: z.guid().optional(),
  PSYFLO_LADDER: z.enum(['local', 'station', 'off']).optional(),
  PSYFLO_CLINICAL_URL: webAddress,
  PSYFLO_CLINICAL_MODEL: z.string().max(200).optional(),
  PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: z
    .string()
    .regex(/^[a-z0-9](-*[a-z0-9]){0,62}$/i)
    .optional(),
  AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: webAddress,
})

/** What each variable must look like, for the sentence a person reads. */
const expected: Record<string, string> = {
  PSYFLO_EVENTS_TOPIC_ARN: 'an ARN that begins with arn:',
  PSYFLO_SCHOOL_ID: 'a UUID',
  PSYFLO_LADDER: 'local, station or off',
  PSYFLO_CLINICAL_MODEL: 'a name of at most 200 characters',
  PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: 'the name of a SageMaker endpoint',
}

/**
 * The console's settings. `argv` holds the flags after the command's name.
 * Throws UsageError for an unknown flag, ConsoleError `configuration` for a variable that cannot be read.
 */
export function readConfiguration(env: Environment, argv: readonly string[]): Configuration {
  const flags = readFlags(argv)
  // A variable set to nothing is a variable not set.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const read = environmentSchema.safeParse(set)
  if (!read.success) throw unreadable(String(read.error.issues[0]?.path[0] ?? 'a variable'))
  const known = read.data
  const eventsQueueUrl = known.PSYFLO_EVENTS_QUEUE_URL ?? null
  const region = set.AWS_REGION ?? set.AWS_DEFAULT_REGION ?? regionOf(eventsQueueUrl) ?? 'us-east-1'
  const mode = eventsQueueUrl === null ? 'demo' : 'district'
  return {
    mode,
    demo: mode === 'demo' || flags.demo === true,
    dataDir: resolve(flags['data-dir'] ?? set.PSYFLO_DATA_DIR ?? defaultDataDir(set, process.platform)),
    queue: {
      eventsQueueUrl,
      acksQueueUrl: known.PSYFLO_ACKS_QUEUE_URL ?? null,
      eventsTopicArn: known.PSYFLO_EVENTS_TOPIC_ARN ?? null,
      endpoint: known.AWS_ENDPOINT_URL_SQS ?? known.AWS_ENDPOINT_URL ?? null,
      region,
    },
    passphrase: set.PSYFLO_PASSPHRASE ?? null,
    signInToken: set.PSYFLO_SIGN_IN_TOKEN ?? null,
    jwtSecret: set.PSYFLO_JWT_SECRET ?? null,
    jwksUrl: known.PSYFLO_JWKS_URL ?? null,
    schoolId: known.PSYFLO_SCHOOL_ID ?? null,
    // Beside a queue of unknown origin nobody here escalates unless told to: two runners would page people twice.
    ladder: known.PSYFLO_LADDER ?? (mode === 'demo' ? 'local' : 'off'),
    embedderDir: set.PSYFLO_EMBEDDER_DIR === undefined ? null : resolve(set.PSYFLO_EMBEDDER_DIR),
    clinical: clinicalOf(known, set.PSYFLO_CLINICAL_KEY ?? null, region),
    fromEnvironment: shownVariables.filter((name) => name in set),
  }
}

/** Throws ConsoleError `configuration` where two services are named, half of one, or one that others could overhear. */
function clinicalOf(
  known: z.infer<typeof environmentSchema>,
  key: string | null,
  region: string,
): ClinicalAccess | null {
  const { PSYFLO_CLINICAL_URL: url, PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: endpoint } = known
  const model = known.PSYFLO_CLINICAL_MODEL ?? null
  if (url !== undefined && endpoint !== undefined)
    throw misconfigured('PSYFLO_CLINICAL_URL and PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT both name a clinical service.')
  if (url !== undefined) {
    if (model === null) throw misconfigured('PSYFLO_CLINICAL_URL names a service, and PSYFLO_CLINICAL_MODEL no model.')
    if (key !== null && !/^[\x21-\x7e]+$/.test(key))
      throw misconfigured(
        'The environment variable PSYFLO_CLINICAL_KEY holds a space, a line break or a letter that no key has.',
      )
    return { kind: 'http', url: confidential('PSYFLO_CLINICAL_URL', url), model, key }
  }
  if (endpoint !== undefined) {
    const own = known.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME
    const name = own === undefined ? 'AWS_ENDPOINT_URL' : 'AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME'
    const address = own ?? known.AWS_ENDPOINT_URL
    return { kind: 'sagemaker', endpoint, model, region, address: address === undefined ? null : confidential(name, address) } // prettier-ignore
  }
  if (model !== null || key !== null)
    throw misconfigured(
      'PSYFLO_CLINICAL_MODEL or PSYFLO_CLINICAL_KEY is set, and no variable names a clinical service.',
    )
  return null
}

/** An address to which students' words may go: not readable on the way, and no password in what a screen shows. */
function confidential(name: string, address: string): string {
  const { protocol, hostname, username, password } = new URL(address)
  if (protocol === 'http:' && !isLoopback(hostname))
    throw misconfigured(`The environment variable ${name} begins with http://, and students’ messages would go to another machine unencrypted.`) // prettier-ignore
  if (username !== '' || password !== '')
    throw misconfigured(`The environment variable ${name} holds a name or password; a key goes into PSYFLO_CLINICAL_KEY.`) // prettier-ignore
  return address
}

/** Takes what was read and is secret out of `env`: a browser, or whatever else is started from here, has no use for it. */
export function forgetSecrets(env: NodeJS.ProcessEnv): void {
  delete env.PSYFLO_PASSPHRASE
  delete env.PSYFLO_SIGN_IN_TOKEN
  delete env.PSYFLO_JWT_SECRET
  delete env.PSYFLO_CLINICAL_KEY
}

/** The flags of `npm start`. Throws UsageError. */
export function readHostOptions(argv: readonly string[]): HostOptions {
  const flags = readFlags(argv)
  const port = Number(flags.port ?? '0')
  if (!/^\d{1,5}$/.test(flags.port ?? '0') || port > 65_535)
    throw new UsageError(`--port wants a number from 0 to 65535, not “${flags.port}”.`)
  return { web: flags.web === true, port, open: flags['no-open'] !== true, help: flags.help === true }
}

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: false,
      options: {
        web: { type: 'boolean' },
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        'no-open': { type: 'boolean' },
        demo: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('. To specify')[0] ?? error.message) : 'Unknown flag',
    )
  }
}

/** The folder for a program's data on each platform; `env` is asked first where the platform has a variable for it. */
export function defaultDataDir(env: Environment, platform: NodeJS.Platform): string {
  const home = homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'PsyFlo Console')
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'PsyFlo Console')
  return join(env.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'psyflo-console')
}

/** `https://sqs.REGION.amazonaws.com/…`; null for any other host. */
function regionOf(queueUrl: string | null): string | null {
  const host = queueUrl === null ? '' : new URL(queueUrl).hostname
  return /^sqs\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1] ?? null
}

/** Whether a host's name or address is this machine itself. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function unreadable(name: string): ConsoleError {
  return misconfigured(
    `The environment variable ${name} is not ${expected[name] ?? 'an address that begins with http:// or https://'}.`,
  )
}

function misconfigured(happened: string): ConsoleError {
  return new ConsoleError({
    code: 'configuration',
    happened,
    safe: 'Nothing was opened or changed.',
    todo: 'Correct the variable, or remove it, and start again.',
  })
}
