import type { PersonalError } from '../../shared/errors.ts'
import { plural } from '../../shared/numbers.ts'
import { lengthText } from './length-text.ts'

/** What a console does with its events queue, by the name AWS gives the right to do it. */
export const eventsQueuePermissions = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:ChangeMessageVisibility',
  'sqs:GetQueueAttributes',
] as const

/** Other rights that AWS may name as missing. */
const otherPermissions = ['sqs:SendMessage', 'kms:Decrypt', 'kms:GenerateDataKey']

/** Whether AWS understood who asks and refused what is asked. */
export function isPermissionError(error: unknown): boolean {
  return /AccessDenied|AuthorizationError|not authorized to perform/i.test(names(error))
}

/** Who asked what; what is not said is a console that asked its events queue just now. */
interface Asked {
  /** When it last stopped answering, UTC ms, said in the machine's own zone; null = it was asked this once. */
  since?: number | null
  /** How long the queue keeps messages; null = not known. */
  retentionDays?: number | null
  what?: 'events queue' | 'acknowledgement queue' | 'dead-letter queue' | 'topic'
  who?: 'console' | 'station'
}

/** A failure of SQS, or of SNS, in words for people. */
export function explainQueueError(
  error: unknown,
  { since = null, retentionDays = null, what = 'events queue', who = 'console' }: Asked = {},
): PersonalError {
  const { happened, todo, ...rest } = explainToConsole(error, since, retentionDays, what)
  const of = (text: string) => (what === 'topic' ? text.replace(/\bqueue\b/g, 'topic') : text)
  const by = (text: string) => (who === 'station' ? text.replace(/\bconsole\b/g, 'station') : text)
  const again = `run ${who === 'station' ? '`npm run station -- --check` again' : 'the connection test in Settings'}`
  return { ...rest, happened: by(of(happened)), todo: by(of(todo)).replace(testAgain, again) }
}

/** Stands for how whoever asked asks again. */
const testAgain = '{test again}'

/** What says where a queue is. */
const whereNamed: Record<NonNullable<Asked['what']>, string> = {
  'events queue': 'PSYFLO_EVENTS_QUEUE_URL',
  'acknowledgement queue': 'PSYFLO_ACKS_QUEUE_URL',
  'dead-letter queue': 'the redrive policy of the events queue',
  topic: 'PSYFLO_ACKS_QUEUE_URL',
}

function explainToConsole(
  error: unknown,
  since: number | null,
  retentionDays: number | null,
  what: NonNullable<Asked['what']>,
): PersonalError {
  const days = Math.round(retentionDays ?? 0)
  const wait = retentionDays === null ? 'while it keeps them' : `for ${plural(days, { one: '# day', other: '# days' })}`
  const safe = `Nothing is lost: events wait there ${wait}.`
  const found = names(error)
  const refusal = clockRefusal(found) ?? refusals.find(({ says }) => says.test(found))
  if (refusal) return { code: refusal.code, happened: refusal.happened, safe, todo: refusal.todo }
  if (/NonExistentQueue|QueueDoesNotExist|InvalidAddress/i.test(found))
    return {
      code: 'queue_missing',
      happened: `The ${what} does not exist at its address.`,
      safe: 'Nothing that was received is lost.',
      todo: `Check ${whereNamed[what]} and the region, then ${testAgain}.`,
    }
  if (isPermissionError(error)) return { code: 'queue_permission', safe, ...permissionRefusal(found) }
  return {
    code: 'queue_unreachable',
    happened: since === null ? 'The queue does not answer.' : `The queue has not answered since ${clockTime(since)}.`,
    safe,
    todo: `Check the network, or ${testAgain}.`,
  }
}

/** By the clock of 12 or 24 hours that this machine's locale has. */
function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' }).replaceAll('\u202F', ' ')
}

type Refusal = Omit<PersonalError, 'safe'>

/** What AWS says of credentials; the first that fits counts. */
const refusals: (Refusal & { says: RegExp })[] = [
  {
    says: /CredentialsProviderError|Could not load credentials|MissingAuthenticationToken/i,
    code: 'queue_no_credentials',
    happened: 'This console has no credentials for its queue.',
    todo: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile, and start again.',
  },
  {
    says: /ExpiredToken|TokenRefreshRequired/i,
    code: 'queue_token_expired',
    happened: 'The session token in this console’s credentials has expired.',
    todo: 'Get new temporary credentials (with `aws sso login`, for example), set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN together, and start again; for a machine that runs unattended use a role, which renews itself.',
  },
  {
    says: /InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId/i,
    code: 'queue_key_unknown',
    happened: 'The queue refuses the credentials of this console: AWS does not know the access key.',
    todo: 'Check AWS_ACCESS_KEY_ID: it may have been deleted or switched off. A temporary one (ASIA…) also needs its AWS_SESSION_TOKEN.',
  },
  {
    says: /SignatureDoesNotMatch|InvalidSignature|IncompleteSignature/i,
    code: 'queue_secret_wrong',
    happened: 'The queue refuses the credentials of this console: the secret does not match the access key.',
    todo: 'Copy the whole AWS_SECRET_ACCESS_KEY again from where AWS_ACCESS_KEY_ID came from.',
  },
  {
    says: /InvalidSecurity/i,
    code: 'queue_credentials',
    happened: 'The queue refuses the credentials of this console.',
    todo: 'Ask whoever set this console up for a new access key (AWS_ACCESS_KEY_ID and its secret).',
  },
]

/** A request refused for its time: AWS names the time it was signed with first, and its own last. */
function clockRefusal(found: string): Refusal | null {
  if (
    !/RequestExpired|RequestTimeTooSkewed|RequestInTheFuture|Signature expired|Signature not yet current/i.test(found)
  )
    return null
  const times = [...found.matchAll(/\b(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?Z/g)].map(
    ([, ...parts]) => {
      const [year = 0, month = 1, ...rest] = parts.map(Number)
      return Date.UTC(year, month - 1, ...rest)
    },
  )
  const [ours, theirs] = [times[0], times.at(-1)]
  const apart = ours === undefined || theirs === undefined || ours === theirs ? null : ours - theirs
  const by =
    apart === null
      ? 'differs from AWS’s'
      : `is ${lengthText(Math.abs(apart))} ${apart > 0 ? 'ahead of' : 'behind'} AWS’s`
  return {
    code: 'queue_clock',
    happened: `The queue refuses this console because its clock ${by}.`,
    todo: 'Let the operating system set the clock (NTP); receiving resumes by itself.',
  }
}

function permissionRefusal(found: string): Pick<PersonalError, 'happened' | 'todo'> {
  const named = /not authorized to perform:?\s*((?:sqs|kms):[a-z]+)/i.exec(found)?.[1]
  if (named === undefined)
    return {
      happened: 'This console is not permitted to read its queue.',
      todo: `Ask for the permissions ${new Intl.ListFormat('en-US').format(eventsQueuePermissions)} on the events queue.`,
    }
  const known = [...eventsQueuePermissions, ...otherPermissions]
  const permission = known.find((each) => each.toLowerCase() === named.toLowerCase()) ?? named
  const on = permission.startsWith('kms:') ? 'the key that encrypts the queue' : 'the queue'
  return {
    happened: `This console is not permitted to use its queue: ${permission} is missing.`,
    todo: `Ask for the permission ${permission} on ${on}.`,
  }
}

/** Every name an AWS error goes by, with those of its causes. */
function names(error: unknown): string {
  const parts: string[] = []
  for (let current = error; current instanceof Error && parts.length < 20; current = current.cause) {
    const { name, code, Code } = current as Error & { code?: string; Code?: string }
    parts.push(name, String(code ?? ''), String(Code ?? ''), current.message)
  }
  return parts.join(' ')
}
