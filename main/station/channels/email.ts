/** Mails by SMTP. */
import { createTransport } from 'nodemailer'
import { seconds } from '../../../shared/time.ts'
import type { EmailAccess } from '../../platform/channel-access.ts'
import type { Clock } from '../../platform/ports.ts'
import { DeliveryFailed, type Way } from './way.ts'
import { mailOf } from './words.ts'

/** How long a server may be silent. */
const patience = seconds(8)

/** Reaches the mail server anew for each mail: one that sat idle may be gone when it is needed. */
export function mailTransport({ host, port, tls, user, password }: EmailAccess) {
  return createTransport({
    host,
    port,
    secure: tls === 'always',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Tells people by mail. The delivery's id stands in the Message-ID, by which mailboxes know one again. */
export function emailWay(access: EmailAccess, clock: Pick<Clock, 'now'>): Way {
  const transport = mailTransport(access)
  const domain = access.from.slice(access.from.lastIndexOf('@') + 1)
  return async ({ email }, message, deliveryId, signal) => {
    if (email === null) return { outcome: 'failed', code: 'no address' }
    const mail = {
      ...mailOf(message),
      from: { name: 'PsyFlo', address: access.from },
      to: email,
      messageId: `<${deliveryId}@${domain}>`,
      date: new Date(clock.now()),
      priority: 'high' as const,
      // No “out of office” answers an alarm.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal,
    }
    try {
      const { messageId } = await transport.sendMail(mail)
      return { outcome: 'delivered', reference: messageId }
    } catch (error) {
      throw refusalOf(error)
    }
  }
}

/** What a failure is called, without the server's own sentence, which may hold addresses. */
export function refusalOf(error: unknown): DeliveryFailed {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  if (typeof responseCode === 'number' && code !== 'ETLS')
    return new DeliveryFailed(`smtp ${responseCode}`, { temporary: responseCode < 500 && code !== 'EAUTH' })
  const name = typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : 'no connection'
  return new DeliveryFailed(name, { temporary: !['EAUTH', 'ENOAUTH', 'ETLS', 'EENVELOPE', 'ECONFIG'].includes(name) })
}
