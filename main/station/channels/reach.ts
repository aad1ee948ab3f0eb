/** Whether a way to reach people answers, without telling anybody anything. */
import { GetSMSAttributesCommand, GetSMSSandboxAccountStatusCommand } from '@aws-sdk/client-sns'
import { snsClient } from '../../platform/aws.ts'
import type { EmailAccess, SmsAccess, WebhookAccess } from '../../platform/channel-access.ts'
import { mailTransport, refusalOf } from './email.ts'

/** What SNS says of its texts; null = it does not say. */
export interface SmsReach {
  /** Only numbers that were verified one by one get texts. */
  sandbox: boolean | null
  /** What a month of texts may cost, US dollars; above it none are sent. */
  monthlyLimit: number | null
}

const timeout = { requestTimeout: 5000 }

/** Rejects as SNS does. */
export async function reachSms(access: SmsAccess): Promise<SmsReach> {
  const sns = snsClient(access, { attempts: 1 })
  try {
    const { attributes = {} } = await sns.send(new GetSMSAttributesCommand({}), timeout)
    // Not every server that speaks the protocol knows this, nor is every key allowed to ask.
    const status = await sns.send(new GetSMSSandboxAccountStatusCommand({}), timeout).catch(() => null)
    const limit = attributes['MonthlySpendLimit']
    return { sandbox: status?.IsInSandbox ?? null, monthlyLimit: limit === undefined ? null : Number(limit) }
  } finally {
    sns.destroy()
  }
}

/** The HTTP status with which it answers to `HEAD`. Rejects as `fetch` does. */
export async function reachWebhook({ url }: Pick<WebhookAccess, 'url'>, signal: AbortSignal): Promise<number> {
  return (await fetch(url, { method: 'HEAD', redirect: 'manual', signal })).status
}

/** Signs in at the mail server. Null where it takes mails, else why not, as deliveries say it. */
export async function reachMail(access: EmailAccess): Promise<string | null> {
  try {
    await mailTransport(access).verify()
    return null
  } catch (error) {
    return refusalOf(error).code
  }
}
