import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openChannels, type Address, type Message } from '../../../../main/station/channels/index.ts'
import type { ChannelAccess } from '../../../../main/platform/channel-access.ts'
import { readSigned } from '../../../../main/platform/webhook-signature.ts'
import { httpServer, json, silence, type HttpServer } from '../../../support/http-server.ts'
import { recordingLogger } from '../../../support/intake-school.ts'
import { mailServer, type MailServer } from '../../../support/mail-server.ts'
import { textReceiver, type TextReceiver } from '../../../support/text-receiver.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const secret = 'a webhook secret of thirty-two characters or more'
const nothing: ChannelAccess = { sms: null, webhook: null, email: null, answersTopicArn: null, consoleUrl: null }
const marlow: Address = {
  person: 'counselor-1',
  name: 'J. Marlow',
  sms: '+15550142777',
  voice: '+15550142778',
  email: 'marlow@school.example',
}
const message: Message = {
  kind: 'alert',
  tier: 'crisis',
  categories: ['suicidal_intent'],
  count: 1,
  late_ms: 0,
  link: null,
  reply: 3,
}

let telephones: TextReceiver
let mails: MailServer
let webhook: HttpServer
beforeEach(async () => {
  ;[telephones, mails, webhook] = await Promise.all([
    textReceiver(),
    mailServer(),
    httpServer(json({ reference: 'call-7' })),
  ])
})
afterEach(() => Promise.all([telephones.stop(), mails.stop(), webhook.stop()]))

/** A station's channels, its clock standing, and what became of deliveries. */
function open(changes: Partial<ChannelAccess> = {}) {
  const clock = virtualClock()
  const { logger, entries } = recordingLogger()
  const outcomes: string[] = []
  const channels = openChannels({
    access: {
      ...nothing,
      sms: telephones.access,
      webhook: { url: webhook.url, secret },
      email: mails.access,
      ...changes,
    },
    clock,
    randomness: { fraction: () => 0.5 },
    logger,
    onOutcome: (channel, outcome) => void outcomes.push(`${channel} ${outcome}`),
  })
  return { ...channels, clock, entries, outcomes }
}

test('only what is configured can be used', async () => {
  expect(open().available()).toEqual(['sms', 'voice', 'email', 'other'])
  const without = open({ sms: null, webhook: null, email: null })
  expect(without.available()).toEqual([])
  expect(without.answer).toBeNull()
  expect(await without.send('sms', marlow, message, 'd')).toEqual({ outcome: 'failed', code: 'not configured' })
})

test('a text goes to the number as a transactional one, under the name of the school', async () => {
  const channels = open({ sms: { ...telephones.access, sender: 'SCHOOL' } })
  expect(await channels.send('sms', marlow, message, 'd-1')).toEqual({ outcome: 'delivered', reference: 'text-1' })
  const [text] = telephones.texts
  expect(text).toMatchObject({ number: '+15550142777', type: 'Transactional', sender: 'SCHOOL' })
  expect(text?.text).toContain('CRISIS alert (suicidal intent)')
  expect(channels.outcomes).toEqual(['sms delivered'])
})

test('nobody is asked for an answer that cannot come back', async () => {
  const said = async (changes: Partial<ChannelAccess>) => {
    await open(changes).send('sms', marlow, message, 'd')
    return telephones.texts.at(-1)?.text
  }
  expect(await said({})).toContain('Reply ACK 3')
  expect(await said({ webhook: null, answersTopicArn: 'arn:aws:sns:us-east-1:1:answers' })).toContain('Reply ACK 3')
  expect(await said({ webhook: null })).not.toContain('ACK')
})

test('a call is asked of the webhook: signed, with the key by which it is the same again', async () => {
  const channels = open()
  expect(await channels.send('voice', marlow, message, 'd-1')).toEqual({ outcome: 'delivered', reference: 'call-7' })
  const { method, headers, body } = webhook.asked[0]!
  expect(method).toBe('POST')
  expect(headers['idempotency-key']).toBe('d-1')
  expect(readSigned(secret, { headers, body, now: channels.clock.now() })).toMatchObject({ id: 'd-1' })
  expect(JSON.parse(body)).toMatchObject({
    delivery_id: 'd-1',
    channel: 'voice',
    number: '+15550142778',
    person: 'counselor-1',
    tier: 'crisis',
    categories: ['suicidal_intent'],
    reply: 3,
    say: expect.stringContaining('CRISIS alert') as string,
  })
  await channels.send('other', marlow, message, 'd-2')
  expect(JSON.parse(webhook.asked[1]!.body)).toMatchObject({ channel: 'other', number: null, person: 'counselor-1' })
})

test('a mail goes by SMTP, named so that its mailbox knows it again', async () => {
  const channels = open({ email: { ...mails.access, user: 'alarm', password: 'right password' } })
  const outcome = await channels.send('email', marlow, message, 'd-1')
  expect(outcome).toEqual({ outcome: 'delivered', reference: '<d-1@school.example>' })
  expect(mails.signedIn).toEqual(['alarm'])
  const [mail] = mails.mails
  expect(mail?.to).toEqual(['marlow@school.example'])
  expect(mail?.source).toContain('From: PsyFlo <alarm@school.example>')
  expect(mail?.source).toContain('Subject: PsyFlo: CRISIS alert')
  expect(mail?.source).toContain('Auto-Submitted: auto-generated')
  expect(mail?.source).toContain('Date: Tue, 20 Jan 2026 10:15:00 +0000')
})

test('whoever has no number or address is not told that way', async () => {
  const nobody = { ...marlow, sms: null, voice: null, email: null }
  const { send } = open()
  expect(await send('sms', nobody, message, 'd')).toEqual({ outcome: 'failed', code: 'no number' })
  expect(await send('voice', nobody, message, 'd')).toEqual({ outcome: 'failed', code: 'no number' })
  expect(await send('email', nobody, message, 'd')).toEqual({ outcome: 'failed', code: 'no address' })
})

test('what passes is tried again twice', async () => {
  const channels = open()
  telephones.refuses({ status: 503, code: 'ServiceUnavailable' }, { status: 400, code: 'Throttling' })
  const sent = channels.send('sms', marlow, message, 'd')
  await vi.waitFor(() => expect(telephones.asked).toHaveLength(1))
  await advanceUntil(channels.clock, 750, () => telephones.asked.length === 2)
  await advanceUntil(channels.clock, 2_250, () => telephones.asked.length === 3)
  expect(await sent).toMatchObject({ outcome: 'delivered' })
  expect(telephones.texts).toHaveLength(1)
})

test('what is refused for good fails at once, and says why without quoting anybody', async () => {
  const channels = open({ email: { ...mails.access, user: 'alarm', password: 'wrong' } })
  telephones.refuses({ status: 400, code: 'InvalidParameter' })
  webhook.answers(json({}, 403))
  expect(await channels.send('sms', marlow, message, 'd')).toEqual({ outcome: 'failed', code: 'InvalidParameterException' }) // prettier-ignore
  expect(await channels.send('voice', marlow, message, 'd')).toEqual({ outcome: 'failed', code: 'http 403' })
  expect(await channels.send('email', marlow, message, 'd')).toEqual({ outcome: 'failed', code: 'smtp 535' })
  const unknown = open()
  mails.refuses({ code: 550, words: 'marlow@school.example is unknown here' })
  expect(await unknown.send('email', marlow, message, 'd')).toEqual({ outcome: 'failed', code: 'smtp 550' })
  expect(telephones.asked).toHaveLength(1)
  expect(webhook.asked).toHaveLength(1)
  expect(channels.entries).toHaveLength(3)
  expect(JSON.stringify([...channels.entries, ...unknown.entries])).not.toMatch(/5550142|marlow|provider/i)
})

test('a redirect is not followed: what is said goes to the configured host alone', async () => {
  const elsewhere = await httpServer(json({}))
  webhook.answers((response) => void response.writeHead(307, { location: elsewhere.url }).end())
  expect(await open().send('voice', marlow, message, 'd')).toEqual({ outcome: 'failed', code: 'redirected' })
  expect(elsewhere.asked).toEqual([])
  await elsewhere.stop()
})

test('a provider that says nothing is given up after ten seconds', async () => {
  const channels = open()
  webhook.answers(silence)
  const sent = channels.send('voice', marlow, message, 'd')
  await vi.waitFor(() => expect(webhook.asked).toHaveLength(1))
  channels.clock.advance(10_000)
  expect(await sent).toEqual({ outcome: 'failed', code: 'no answer' })
  expect(channels.outcomes).toEqual(['voice failed'])
})

test('nothing is mailed over a line that others can read', async () => {
  const channels = open({ email: { ...mails.access, tls: 'starttls' } })
  expect(await channels.send('email', marlow, message, 'd')).toEqual({ outcome: 'failed', code: 'ETLS' })
  expect(mails.mails).toEqual([])
})

test('an answer is a text by itself', async () => {
  const { answer } = open()
  await answer?.('+15550142777', 'PsyFlo: NOT TAKEN.')
  expect(telephones.texts).toMatchObject([{ number: '+15550142777', text: 'PsyFlo: NOT TAKEN.' }])
})

/** Moves the clock in small steps until what waits for it was done. */
async function advanceUntil(clock: ReturnType<typeof virtualClock>, ms: number, isDone: () => boolean): Promise<void> {
  let left = ms
  await vi.waitFor(() => {
    const step = Math.min(250, left)
    left -= step
    clock.advance(step)
    expect(isDone()).toBe(true)
  })
}
