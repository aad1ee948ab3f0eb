/** By what people are reached away from their console: texts, a webhook, mails. */
import type { ChannelAccess, EmailAccess } from '../platform/channel-access.ts'
import type { VariableName, Variables } from './environment.ts'
import { misconfigured } from './misconfigured.ts'
import { isLoopback } from './paths.ts'

/**
 * The ways that are configured. `region`: of the texts; null = nothing names one. Throws ConsoleError `configuration`
 * for half of a way: whoever relies on one must not learn at night that it never worked.
 */
export function channelAccess(set: Variables, region: string | null): ChannelAccess {
  const texts = set.PSYFLO_SMS === 'sns'
  refuseAlone(set, texts, 'PSYFLO_SMS is not sns', ['PSYFLO_SMS_SENDER', 'PSYFLO_SMS_ANSWERS_TOPIC_ARN'])
  if (texts && region === null)
    throw misconfigured('PSYFLO_SMS is sns, but AWS_REGION is not set: SNS sends texts from a region.')
  const { PSYFLO_WEBHOOK_URL: url, PSYFLO_WEBHOOK_SECRET: secret } = set
  if (url !== undefined && secret === undefined)
    throw misconfigured('PSYFLO_WEBHOOK_URL is set, but PSYFLO_WEBHOOK_SECRET is not.')
  refuseAlone(set, url !== undefined, 'PSYFLO_WEBHOOK_URL is not set', ['PSYFLO_WEBHOOK_SECRET'])
  return {
    sms: texts
      ? {
          region: region ?? '',
          endpoint: set.AWS_ENDPOINT_URL_SNS ?? set.AWS_ENDPOINT_URL ?? null,
          credentials: null,
          sender: set.PSYFLO_SMS_SENDER ?? null,
        }
      : null,
    webhook: url === undefined || secret === undefined ? null : { url, secret },
    email: emailAccess(set),
    answersTopicArn: set.PSYFLO_SMS_ANSWERS_TOPIC_ARN ?? null,
    consoleUrl: set.PSYFLO_CONSOLE_URL ?? null,
  }
}

function emailAccess(set: Variables): EmailAccess | null {
  const { PSYFLO_SMTP_URL: written, PSYFLO_SMTP_FROM: from } = set
  refuseAlone(set, written !== undefined, 'PSYFLO_SMTP_URL is not set', ['PSYFLO_SMTP_FROM'])
  if (written === undefined) return null
  if (from === undefined) throw misconfigured('PSYFLO_SMTP_URL is set, but PSYFLO_SMTP_FROM is not.')
  const { protocol, hostname, port, username, password } = new URL(written)
  const host = hostname.replace(/^\[|\]$/g, '')
  const tls = protocol === 'smtps:' ? 'always' : isLoopback(host) ? 'none' : 'starttls'
  return {
    host,
    port: port === '' ? (tls === 'always' ? 465 : 587) : Number(port),
    tls,
    user: username === '' ? null : decodeURIComponent(username),
    password: password === '' ? null : decodeURIComponent(password),
    from,
  }
}

/** What means something only beside another variable is not left without it. */
function refuseAlone(set: Variables, hasOther: boolean, why: string, names: readonly VariableName[]): void {
  const alone = hasOther ? undefined : names.find((name) => set[name] !== undefined)
  if (alone !== undefined) throw misconfigured(`${alone} is set, but ${why}.`)
}
