/** What is said of each way to reach people before anybody relies on it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkChannels } from '../../../main/doctor/channels.ts'
import type { ChannelAccess } from '../../../main/platform/channel-access.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { httpServer, json, type HttpServer } from '../../support/http-server.ts'
import { mailServer, type MailServer } from '../../support/mail-server.ts'
import { textReceiver, type TextReceiver } from '../../support/text-receiver.ts'

let telephones: TextReceiver
let mails: MailServer
let webhook: HttpServer
beforeEach(async () => {
  ;[telephones, mails, webhook] = await Promise.all([textReceiver(), mailServer(), httpServer(json({}, 405))])
})
afterEach(() => Promise.all([telephones.stop(), mails.stop(), webhook.stop()]))

const none: ChannelAccess = { sms: null, webhook: null, email: null, answersTopicArn: null, consoleUrl: null }
async function check(changes: Partial<ChannelAccess> = {}) {
  const all = { sms: telephones.access, webhook: { url: `${webhook.url}/hook?key=MARKED`, secret: 'MARKED' }, email: mails.access } // prettier-ignore
  const checks = await checkChannels({ ...none, ...all, ...changes }, systemClock)
  expect(JSON.stringify(checks)).not.toContain('MARKED')
  return Object.fromEntries(checks.map(({ name, status, sentence }) => [name, { status, sentence }]))
}

test('what is configured is asked, and nobody is told anything', async () => {
  const { Texts, Calls, Mails } = await check()
  expect([Texts?.status, Calls?.status, Mails?.status]).toEqual(['ok', 'ok', 'ok'])
  expect(telephones.texts).toEqual([])
  expect(mails.mails).toEqual([])
  expect(webhook.asked.map(({ method }) => method)).toEqual(['HEAD'])
})

test('what is not configured is skipped, and what that means is said', async () => {
  const { Texts, Calls, Mails } = await check({ sms: null, webhook: null, email: null })
  expect(Texts).toEqual({ status: 'skipped', sentence: 'None are configured (PSYFLO_SMS): nobody is texted.' })
  expect([Calls?.status, Mails?.status]).toEqual(['skipped', 'skipped'])
})

test('a missing permission is told apart from a service that does not answer', async () => {
  telephones.refuses({ status: 403, code: 'AuthorizationError' })
  expect((await check()).Texts).toMatchObject({ status: 'warning', sentence: expect.stringContaining('may not be asked') as string }) // prettier-ignore
  const nowhere = await check({ sms: { ...telephones.access, endpoint: 'http://127.0.0.1:9' } })
  expect(nowhere.Texts).toMatchObject({ status: 'failed', sentence: 'The service for texts does not answer.' })
})

test('a webhook that leads elsewhere, fails or is away is named by its host alone', async () => {
  webhook.answers((response) => void response.writeHead(302, { location: 'https://a.example' }).end())
  expect((await check()).Calls).toMatchObject({ status: 'failed', sentence: expect.stringContaining('elsewhere (302)') as string }) // prettier-ignore
  webhook.answers(json({}, 500))
  expect((await check()).Calls?.status).toBe('failed')
  const away = await check({ webhook: { url: 'http://127.0.0.1:9/MARKED', secret: 'MARKED' } })
  expect(away.Calls).toMatchObject({ status: 'failed', sentence: expect.stringContaining('does not answer') as string })
})

test('a mail server that refuses the password, or offers no TLS, is said plainly', async () => {
  const refused = await check({ email: { ...mails.access, user: 'alarm', password: 'MARKED' } })
  expect(refused.Mails).toMatchObject({ status: 'failed', sentence: expect.stringContaining('refuses the name') as string }) // prettier-ignore
  const open = await check({ email: { ...mails.access, tls: 'starttls' } })
  expect(open.Mails).toMatchObject({ status: 'failed', sentence: expect.stringContaining('no TLS') as string })
})
