/** The ways by which people are reached away from their console, each asked whether it answers. Nobody is told anything. */
import type { ChannelAccess, EmailAccess, SmsAccess, WebhookAccess } from '../platform/channel-access.ts'
import type { Clock } from '../platform/ports.ts'
import { explainQueueError, isPermissionError } from '../platform/queue-errors.ts'
import { reachMail, reachSms, reachWebhook } from '../station/index.ts'
import { seconds } from '../../shared/time.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'

const patience = seconds(10)
/** What a month of texts may cost until somebody asks AWS for more, US dollars. */
const usualLimit = 1

const names = { sms: 'Texts', webhook: 'Calls', email: 'Mails' } as const

/** Never throws for what it finds. */
export async function checkChannels({ sms, webhook, email }: ChannelAccess, clock: Clock): Promise<Check[]> {
  return Promise.all([
    sms ? checkSms(sms) : skipped(names.sms, 'None are configured (PSYFLO_SMS): nobody is texted.'),
    webhook
      ? checkWebhook(webhook, clock)
      : skipped(names.webhook, 'No webhook is configured (PSYFLO_WEBHOOK_URL): nobody is called.'),
    email
      ? checkMail(email)
      : skipped(names.email, 'No mail server is configured (PSYFLO_SMTP_URL): nobody gets a mail.'),
  ])
}

async function checkSms(access: SmsAccess): Promise<Check> {
  const where = `Amazon SNS in ${access.region}`
  try {
    const { sandbox, monthlyLimit } = await reachSms(access)
    if (sandbox === true)
      return warning(
        names.sms,
        `${where} answers, but the account is in the SMS sandbox: only verified numbers get texts.`,
        'Ask AWS to move the account out of the SMS sandbox.',
      )
    if (monthlyLimit !== null && monthlyLimit <= usualLimit)
      return warning(
        names.sms,
        `${where} answers, but stops once a month’s texts have cost ${monthlyLimit} US dollar.`,
        'Ask AWS for a higher SMS spending limit.',
      )
    return ok(names.sms, `${where} answers. Nothing was sent: “Send me a test alert” shows whether texts arrive.`)
  } catch (error) {
    if (isPermissionError(error))
      return warning(
        names.sms,
        `${where} answers, but may not be asked; whether sending is permitted shows only at the first text.`,
        'Make sure of the permission sns:Publish for telephone numbers; sns:GetSMSAttributes lets this check look.',
      )
    const { happened, todo } = explainQueueError(error, { what: 'topic', who: 'station' })
    return failed(names.sms, happened.replace(/\btopic\b/g, 'service for texts'), todo)
  }
}

async function checkWebhook(access: WebhookAccess, clock: Clock): Promise<Check> {
  const { host } = new URL(access.url)
  const late = new AbortController()
  const cancel = clock.after(patience, () => late.abort())
  try {
    const status = await reachWebhook(access, late.signal)
    if (status >= 300 && status < 400)
      return failed(
        names.webhook,
        `The webhook at ${host} sends callers elsewhere (${status}), and what is said goes to no other host.`,
        'Set PSYFLO_WEBHOOK_URL to the address it leads to.',
      )
    if (status >= 500)
      return failed(names.webhook, `The webhook at ${host} answers with an error (${status}).`, 'Have its service looked at.') // prettier-ignore
    return ok(names.webhook, `The webhook at ${host} answers. “Send me a test alert” shows whether calls arrive.`)
  } catch {
    return failed(names.webhook, `The webhook at ${host} does not answer.`, 'Check PSYFLO_WEBHOOK_URL and the network.')
  } finally {
    cancel()
  }
}

async function checkMail(access: EmailAccess): Promise<Check> {
  const where = `The mail server ${access.host}, port ${access.port},`
  const why = await reachMail(access)
  if (why === null)
    return ok(names.email, `${where} lets this program in. “Send me a test alert” shows whether mails arrive.`)
  if (why === 'ETLS')
    return failed(
      names.email,
      `${where} offers no TLS that can be trusted, and nothing is mailed without.`,
      'Give it a valid certificate, or name another server in PSYFLO_SMTP_URL.',
    )
  if (why === 'EAUTH' || why === 'smtp 535')
    return failed(names.email, `${where} refuses the name and password.`, 'Correct them in PSYFLO_SMTP_URL.')
  return failed(names.email, `${where} takes no mail (${why}).`, 'Check PSYFLO_SMTP_URL and the network.')
}
