/** The variables these programs read: the one table that the schema, the help texts, Settings and README follow. */
import { z } from 'zod'
import type { ConsoleError } from '../../shared/errors.ts'
import { normalSchoolId } from '../../shared/school.ts'
import { allAsOne, misconfigured } from './misconfigured.ts'
import { isLoopback } from './paths.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Who reads a variable: the console (a desk included), or the headless station. */
export type Program = 'console' | 'station'

interface Meaning {
  /** The one program that reads it; both where none is named. */
  only?: Program
  /** What it decides, for the help text. */
  does: string
  /** What its value must look like, for the sentence a person reads. */
  form: string
  /** Taken out of the environment once it is read. */
  secret?: true
  /** Of use to a district console only: set without an events queue, it is half a configuration. */
  district?: true
}

const meanings = z.registry<Meaning>()
const text = 'a text'
/** Where the id of a school comes from. */
const whereSchoolIds = 'the one that your consoles or your student information system use, or make one with `uuidgen`'
/** Who tells people away from their console. */
const whoTells = 'read by a desk and by a station'
const topicArn = /^arn:[a-z-]+:sns:[a-z0-9-]+:\d*:[A-Za-z0-9_-]{1,256}$/
/** Bytes of a salt below which pseudonyms could be tried out. */
const shortestSalt = 16

const address = (meaning: Omit<Meaning, 'form'>) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .register(meanings, { ...meaning, form: 'an address that begins with http:// or https://' })
const words = (meaning: Omit<Meaning, 'form'>) =>
  z
    .string()
    .optional()
    .register(meanings, { ...meaning, form: text })

/** A key as an HTTP header can carry it. */
const headerKey = (meaning: Omit<Meaning, 'form'>) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .register(meanings, { ...meaning, form: 'a key: it holds a space, a line break or a letter that no key has' })

const environmentSchema = z.object({
  PSYFLO_EVENTS_QUEUE_URL: address({
    does: 'this console’s own queue of events; setting it makes this a district console',
    only: 'console',
  }),
  // Of a name of its own: a station that took a console’s queue for its own would take half of its alerts away.
  PSYFLO_STATION_EVENTS_QUEUE_URL: address({
    does: 'a queue of the topic for this station alone, where other back ends publish crises too: the ladder is then theirs as well',
    only: 'station',
  }),
  PSYFLO_EVENTS_TOPIC_ARN: z.string().regex(topicArn).optional().register(meanings, {
    does: 'the SNS topic that events are published to',
    form: 'the ARN of an SNS topic',
    only: 'station',
  }),
  PSYFLO_ACKS_QUEUE_URL: address({ does: 'the queue that acknowledgements and other actions go to', district: true }),
  PSYFLO_SCHOOL_ID: z
    .string()
    .transform(normalSchoolId)
    .pipe(z.guid())
    .optional()
    .register(meanings, {
      does: `the school, a UUID (${whereSchoolIds}): for a console whose sign-in token names none, and for a station’s API keys that name none`,
      form: `a UUID: take ${whereSchoolIds}`,
      district: true,
    }),
  PSYFLO_STUDENT_SALT: z
    .string()
    .refine((salt) => isBase64(salt) && Buffer.from(salt, 'base64').length >= shortestSalt)
    .optional()
    .register(meanings, {
      does: 'the salt for the school’s pseudonyms; without it, one is created and kept with the data',
      form: `base64 of at least ${shortestSalt} bytes`,
      secret: true,
      only: 'station',
    }),
  PSYFLO_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .register(meanings, {
      does: 'a PostgreSQL database; without it the station keeps an encrypted file in its data directory',
      form: 'an address that begins with postgres:// or postgresql://',
      secret: true,
      only: 'station',
    }),
  CONSULTX_API_KEYS: words({
    does: 'keys of those who may call: KEY, KEY:SCHOOL, or KEY:SCHOOL:read+write+analytics, separated by commas',
    secret: true,
    only: 'station',
  }),
  CONSULTX_API_KEYS_FILE: words({ does: 'a file with the same, one per line', only: 'station' }),
  CONSULTX_BUFFER_SIZE: words({
    does: 'messages in a session’s rolling buffer, 2 to 200 (default 20)',
    only: 'station',
  }),
  PSYFLO_TRUST_PROXY: words({
    does: 'addresses (10.0.0.7) or networks (10.0.0.0/24) of the proxies that speak TLS in front of the station, separated by commas',
    only: 'station',
  }),
  PSYFLO_STATION_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isPrivate)
    .optional()
    .register(meanings, {
      does: 'the school’s station, for its directory and calendar',
      form: 'an address that begins with https://, or one of this machine',
      only: 'console',
      district: true,
    }),
  PSYFLO_STATION_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/)
    .optional()
    .register(meanings, {
      does: 'the operator’s token: reads /metrics, and decides about consoles of every school',
      form: 'a token of at least 16 characters without spaces',
      secret: true,
      only: 'station',
    }),
  PSYFLO_REPLY_URL: address({
    does: 'an OpenAI-compatible service that answers students, asked separately from the risk decision',
  }),
  PSYFLO_REPLY_MODEL: z.string().max(200).optional().register(meanings, {
    does: 'the model to ask there',
    form: 'a name of at most 200 characters',
  }),
  PSYFLO_REPLY_KEY: headerKey({ does: 'the key of that service', secret: true }),
  PSYFLO_RISK_ADAPTERS: words({
    does: 'detectors of your own: paths of JavaScript modules, separated by commas; each can raise a tier, none can lower it',
  }),
  PSYFLO_SIGN_IN_TOKEN: words({ does: 'signs the first window in', secret: true, district: true, only: 'console' }),
  PSYFLO_JWT_SECRET: words({ does: 'verifies tokens signed with HS256', secret: true, district: true }),
  PSYFLO_JWKS_URL: address({ does: 'the key set that verifies tokens signed with RS256 or ES256', district: true }),
  PSYFLO_JWT_ISSUER: words({ does: 'the `iss` that tokens must have', district: true }),
  PSYFLO_JWT_AUDIENCE: words({ does: 'the `aud` that tokens must have', district: true }),
  PSYFLO_LADDER: z.enum(['station', 'off']).optional().register(meanings, {
    does: 'who escalates: at a station or a desk `off` tells nobody; at a console it is only asked of an older back end, whose heartbeats do not say: `station` if it does, `off` if nothing does',
    form: 'station or off',
  }),
  PSYFLO_SMS: z
    .enum(['sns', 'off'])
    .optional()
    .register(meanings, {
      does: `\`sns\` texts people through Amazon SNS when they are to be told of an alert; ${whoTells}`,
      form: 'sns or off',
    }),
  PSYFLO_SMS_SENDER: z
    .string()
    .regex(/^(?=.*[A-Za-z])[A-Za-z0-9]{1,11}$/)
    .optional()
    .register(meanings, {
      does: 'the name that texts come from, in countries that allow one',
      form: '1 to 11 letters and digits, at least one of them a letter',
    }),
  PSYFLO_SMS_ANSWERS_TOPIC_ARN: z.string().regex(topicArn).optional().register(meanings, {
    does: 'the SNS topic to which your two-way number publishes the texts it receives; subscribe it to /inbound/sms',
    form: 'the ARN of an SNS topic',
    only: 'station',
  }),
  PSYFLO_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isPrivate)
    .optional()
    .register(meanings, {
      does: `a service of your own that calls people by phone, or tells them in another way; ${whoTells}`,
      form: 'an address that begins with https://, or one of this machine, without a name or password',
    }),
  PSYFLO_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/)
    .optional()
    .register(meanings, {
      does: 'signs what is sent there (HMAC-SHA256, as standardwebhooks.com has it), and verifies what it sends',
      form: 'a secret of at least 32 characters without spaces',
      secret: true,
    }),
  PSYFLO_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .refine(isMailServer)
    .optional()
    .register(meanings, {
      does: `a mail server, smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587, always with TLS unless it is this machine; ${whoTells}`,
      form: 'an address that begins with smtp:// or smtps:// and names a host',
      secret: true,
    }),
  PSYFLO_SMTP_FROM: z
    .email()
    .max(254)
    .optional()
    .register(meanings, { does: 'the address that e-mails come from', form: 'an e-mail address' }),
  PSYFLO_CONSOLE_URL: z
    .url({ protocol: /^https?$/ })
    .max(100)
    .refine(isBareAddress)
    .optional()
    .register(meanings, {
      does: 'the page where people open their console, for the link in texts, phone calls and e-mails; without it they hold none',
      form: 'an address that begins with http:// or https://, of at most 100 characters, without a name, password, ? or #',
    }),
  PSYFLO_DATA_DIR: words({ does: 'where the encrypted data is kept, like --data-dir' }),
  PSYFLO_PASSPHRASE: words({
    does: 'opens the key store, and creates it at the first start; a console asks for it if neither is set',
    secret: true,
  }),
  PSYFLO_PASSPHRASE_FILE: words({ does: 'or a file containing the passphrase' }),
  PSYFLO_LOG_LEVEL: z.enum(['info', 'warn', 'error']).optional().register(meanings, {
    does: 'what the log file keeps: `info` (the default), `warn`, or `error`, and worse',
    form: 'info, warn or error',
  }),
  PSYFLO_CHAT_PAGE: z.enum(['on', 'off']).optional().register(meanings, {
    does: '`on` also serves a page to try the chat with, like --chat-page',
    form: 'on or off',
  }),
  PSYFLO_CLINICAL_URL: address({ does: 'a clinical service of the school’s own, OpenAI-compatible' }),
  PSYFLO_CLINICAL_MODEL: z.string().max(200).optional().register(meanings, {
    does: 'the model to ask there',
    form: 'a name of at most 200 characters',
  }),
  PSYFLO_CLINICAL_KEY: headerKey({ does: 'the key of that service', secret: true }),
  PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: z
    .string()
    .regex(/^[a-z0-9](-*[a-z0-9]){0,62}$/i)
    .optional()
    .register(meanings, {
      does: 'or the name of a SageMaker endpoint that is the clinical service',
      form: 'the name of a SageMaker endpoint',
    }),
  PSYFLO_EMBEDDER_DIR: words({ does: 'a folder with a sentence-embedding model' }),
  AWS_REGION: words({ does: 'region of the queues; otherwise taken from the address of the queue or the topic' }),
  AWS_DEFAULT_REGION: words({ does: 'the same, if AWS_REGION is not set' }),
  AWS_ENDPOINT_URL_SQS: address({ does: 'any SQS-compatible server' }),
  AWS_ENDPOINT_URL_SNS: address({ does: 'any SNS-compatible server' }),
  AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: address({ does: 'any SageMaker-compatible server' }),
  AWS_ENDPOINT_URL: address({ does: 'all of these, unless set one by one' }),
})
export type Variables = z.infer<typeof environmentSchema>
export type VariableName = keyof Variables

/** Every variable that one of the programs reads, in the order people are told of them. */
export const variableNames = environmentSchema.keyof().options

/** The variables that a program reads. */
export function namesOf(program: Program): VariableName[] {
  return variableNames.filter((name) => (meaningOf(name).only ?? program) === program)
}

/** What the intake reads of the environment: a station's, and a desk's too. */
export const intakeNames = ['CONSULTX_API_KEYS', 'CONSULTX_API_KEYS_FILE', 'CONSULTX_BUFFER_SIZE'] as const

/** Names that the documents use and that a later version reads; `*` stands for any ending. */
export const laterNames = ['PSYFLO_KMS_KEY_ID', 'PSYFLO_SUMMARY_*']

/** The variables of a program that are set. Throws ConsoleError `configuration` that names every one that cannot be read. */
export function readVariables(env: Environment, program: Program): Variables {
  const { set, unreadable } = readableVariables(env, program)
  if (unreadable.length > 0) throw allAsOne(unreadable.map(notRead))
  return set
}

/** The variables of a program that are set and can be read, and the names of those that cannot. */
export function readableVariables(
  env: Environment,
  program: Program,
): { set: Variables; unreadable: readonly VariableName[] } {
  // A variable set to nothing is a variable not set.
  const set = namesOf(program).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  const read = environmentSchema.safeParse(Object.fromEntries(set))
  if (read.success) return { set: read.data, unreadable: [] }
  const unreadable = [...new Set(read.error.issues.map(({ path }) => path[0] as VariableName))]
  const rest = set.filter(([name]) => !unreadable.some((each) => each === name))
  return { set: environmentSchema.parse(Object.fromEntries(rest)), unreadable }
}

/** ConsoleError `configuration` of a variable that cannot be read. */
export function notRead(name: VariableName): ConsoleError {
  return misconfigured(`The environment variable ${name} is not ${meaningOf(name).form}.`)
}

export function meaningOf(name: VariableName): Meaning {
  return meanings.get(environmentSchema.shape[name]) ?? { does: '', form: text }
}

/** Whether whoever sets this means a district console. */
export function isForDistrict(name: string): boolean {
  const known = variableNames.find((each) => each === name)
  return (
    ['PSYFLO_EVENTS_QUEUE_URL', 'PSYFLO_EVENTS_TOPIC_ARN'].includes(name) ||
    (known !== undefined && meaningOf(known).district === true)
  )
}

/** Variables that name a queue or topic of a cloud account: a desk has its own. */
export const queueNames = ['PSYFLO_EVENTS_QUEUE_URL', 'PSYFLO_ACKS_QUEUE_URL', 'PSYFLO_EVENTS_TOPIC_ARN'] as const

/**
 * Takes what is secret out of `env`, whichever program reads it: a browser, or whatever else is started from here,
 * has no use for it.
 */
export function forgetSecrets(env: NodeJS.ProcessEnv): void {
  for (const name of variableNames) if (meaningOf(name).secret) Reflect.deleteProperty(env, name)
}

/** Whether a token sent there is read by nobody on the way, and the address itself holds none. */
function isPrivate(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password } = new URL(address)
  return (protocol === 'https:' || isLoopback(hostname)) && username === '' && password === ''
}

/** A host, and a name and password that can be read. */
function isMailServer(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname, username, password } = new URL(address)
  return hostname !== '' && [username, password].every(isPercentEncoded)
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** An address behind which a link can be written, and that gives nothing away. */
function isBareAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password, search, hash } = new URL(address)
  return [username, password, search, hash].every((part) => part === '')
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}
