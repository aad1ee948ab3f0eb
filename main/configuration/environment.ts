/** The variables this program reads: the one table that the schema, the help text, Settings and README follow. */
import { z } from 'zod'
import { normalSchoolId } from '../../shared/school.ts'
import { misconfigured } from './misconfigured.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface Meaning {
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

const address = (meaning: Omit<Meaning, 'form'>) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .register(meanings, { ...meaning, form: 'an address that begins with http:// or https://' })
const words = (meaning: Omit<Meaning, 'form'>) =>
  z.string().optional().register(meanings, { ...meaning, form: text }) // prettier-ignore

const environmentSchema = z.object({
  PSYFLO_EVENTS_QUEUE_URL: address({ does: 'this console’s own queue of events; with it this is a district console' }),
  PSYFLO_ACKS_QUEUE_URL: address({ does: 'the queue that acknowledgements and other actions go to', district: true }),
  PSYFLO_SCHOOL_ID: z.string().transform(normalSchoolId).pipe(z.guid()).optional().register(meanings, {
    does: 'the school the console serves, where no sign-in token names it',
    form: 'a UUID',
    district: true,
  }),
  PSYFLO_SIGN_IN_TOKEN: words({ does: 'signs the first window in', secret: true, district: true }),
  PSYFLO_JWT_SECRET: words({ does: 'verifies tokens signed with HS256', secret: true, district: true }),
  PSYFLO_JWKS_URL: address({ does: 'the key set that verifies tokens signed with RS256 or ES256', district: true }),
  PSYFLO_JWT_ISSUER: words({ does: 'the `iss` that tokens must have', district: true }),
  PSYFLO_JWT_AUDIENCE: words({ does: 'the `aud` that tokens must have', district: true }),
  PSYFLO_LADDER: z.enum(['station', 'off']).optional().register(meanings, {
    does: 'who escalates: `station` where one does, `off` (the default) where nothing does',
    form: 'station or off',
  }),
  PSYFLO_DATA_DIR: words({ does: 'where the encrypted data live, like --data-dir' }),
  PSYFLO_PASSPHRASE: words({ does: 'opens, and at first start makes, the key store; else it is asked for', secret: true }), // prettier-ignore
  PSYFLO_LOG_LEVEL: z.enum(['info', 'warn', 'error']).optional().register(meanings, {
    does: 'what the log file keeps: `info` (the default), `warn` or `error`, and worse',
    form: 'info, warn or error',
  }),
  PSYFLO_CHAT_PAGE: z.enum(['on', 'off']).optional().register(meanings, {
    does: '`on` serves the chat page for tests at the intake, like --chat-page',
    form: 'on or off',
  }),
  PSYFLO_CLINICAL_URL: address({ does: 'a clinical service of the school’s own, OpenAI-compatible' }),
  PSYFLO_CLINICAL_MODEL: z.string().max(200).optional().register(meanings, {
    does: 'the model to ask there',
    form: 'a name of at most 200 characters',
  }),
  PSYFLO_CLINICAL_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .register(meanings, {
      does: 'the key of that service',
      form: 'a key: it holds a space, a line break or a letter that no key has',
      secret: true,
    }),
  PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: z
    .string()
    .regex(/^[a-z0-9](-*[a-z0-9]){0,62}$/i)
    .optional()
    .register(meanings, {
      does: 'or the name of a SageMaker endpoint that is the clinical service',
      form: 'the name of a SageMaker endpoint',
    }),
  PSYFLO_EMBEDDER_DIR: words({ does: 'a folder with a sentence-embedding model' }),
  AWS_REGION: words({ does: 'region of the queues; else that of the queue’s address' }),
  AWS_DEFAULT_REGION: words({ does: 'the same, where AWS_REGION is not set' }),
  AWS_ENDPOINT_URL_SQS: address({ does: 'any SQS-compatible server' }),
  AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: address({ does: 'any SageMaker-compatible server' }),
  AWS_ENDPOINT_URL: address({ does: 'both, where they are not named one by one' }),
})
export type Variables = z.infer<typeof environmentSchema>
export type VariableName = keyof Variables

/** Every variable this program reads, in the order people are told of them. */
export const variableNames = environmentSchema.keyof().options

/** Names that the documents use and that a later version reads; `*` stands for any ending. */
export const laterNames = [
  'PSYFLO_DATABASE_URL', 'PSYFLO_EVENTS_TOPIC_ARN', 'PSYFLO_KMS_KEY_ID', 'PSYFLO_PASSPHRASE_FILE', 'PSYFLO_REPLY_*',
  'PSYFLO_SMTP_URL', 'PSYFLO_STATION_TOKEN', 'PSYFLO_STATION_URL', 'PSYFLO_STUDENT_SALT', 'PSYFLO_SUMMARY_*',
  'PSYFLO_TRUST_PROXY', 'PSYFLO_WEBHOOK_*',
] // prettier-ignore

/** The variables that are set. Throws ConsoleError `configuration` for one that cannot be read. */
export function readVariables(env: Environment): Variables {
  // A variable set to nothing is a variable not set.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const read = environmentSchema.safeParse(set)
  if (read.success) return read.data
  const name = read.error.issues[0]?.path[0] as VariableName
  throw misconfigured(`The environment variable ${name} is not ${meaningOf(name).form}.`)
}

export function meaningOf(name: VariableName): Meaning {
  return meanings.get(environmentSchema.shape[name]) ?? { does: '', form: text }
}

/** Whether whoever sets this means a district console. */
export function isForDistrict(name: string): boolean {
  const known = variableNames.find((each) => each === name)
  return ['PSYFLO_EVENTS_QUEUE_URL', 'PSYFLO_EVENTS_TOPIC_ARN'].includes(name) || (known !== undefined && meaningOf(known).district === true) // prettier-ignore
}

/** Variables that name a queue or topic of a cloud account: a desk has its own. */
export const queueNames = ['PSYFLO_EVENTS_QUEUE_URL', 'PSYFLO_ACKS_QUEUE_URL', 'PSYFLO_EVENTS_TOPIC_ARN'] as const

/** Takes what was read and is secret out of `env`: a browser, or whatever else is started from here, has no use for it. */
export function forgetSecrets(env: NodeJS.ProcessEnv): void {
  for (const name of variableNames) if (meaningOf(name).secret) Reflect.deleteProperty(env, name)
}
