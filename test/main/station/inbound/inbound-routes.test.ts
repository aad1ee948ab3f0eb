/** Answers to texts that come from the topic of a two-way number. */
import { createSign } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inboundRoutes } from '../../../../main/station/inbound/index.ts'
import { buildIntakeServer } from '../../../../main/station/intake/index.ts'
import { minutes } from '../../../../shared/time.ts'
import { selfSigned } from '../../../support/certificate.ts'
import { intakeSchool } from '../../../support/intake-school.ts'

const topicArn = 'arn:aws:sns:us-east-1:123456789012:answers'
const { privateKey, pem } = selfSigned()

let school: Awaited<ReturnType<typeof intakeSchool>>
let app: FastifyInstance
let taken: unknown[]
let texted: unknown[]
let asked: string[]
beforeEach(async () => {
  school = await intakeSchool()
  ;[taken, texted, asked] = [[], [], []]
  const { clock, logger } = school
  app = buildIntakeServer({
    ...school.serverOptions('key-of-the-chat-0001'),
    moreRoutes: (routes) =>
      inboundRoutes(routes, {
        secret: null,
        topicArn,
        take: async (received) => {
          taken.push(received)
          return { outcome: 'yours', answer: 'PsyFlo: YOU HAVE IT.' }
        },
        answer: async (...args) => void texted.push(args),
        readText: async (url) => {
          asked.push(url)
          return pem
        },
        clock,
        logger,
        onOutcome: () => undefined,
      }),
  })
})
afterEach(async () => {
  await app.close()
  await school.close()
})

const received = { originationNumber: '+15550142001', messageBody: 'ACK 1', inboundMessageId: 'in-1' }
function signed(changes: Record<string, string> = {}) {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: 'm-1',
    TopicArn: topicArn,
    Message: JSON.stringify(received),
    Timestamp: new Date(school.clock.now()).toISOString(),
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123abcd.pem',
    ...changes,
  }
  const sign = createSign('RSA-SHA256')
  for (const name of ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'])
    if (message[name] !== undefined) sign.update(`${name}\n${message[name]}\n`)
  return { ...message, Signature: sign.sign(privateKey, 'base64') }
}
const post = (message: object, headers: Record<string, string> = { 'x-amz-sns-message-type': 'Notification' }) =>
  app.inject({
    method: 'POST',
    url: '/inbound/sms',
    headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers },
    payload: JSON.stringify(message),
  })

test('a text that SNS hands over is taken, and answered by text', async () => {
  expect((await post(signed())).json()).toEqual({ answer: null })
  expect(taken).toEqual([{ id: 'in-1', from: '+15550142001', text: 'ACK 1', at: school.clock.now() }])
  expect(texted).toEqual([['+15550142001', 'PsyFlo: YOU HAVE IT.']])
})

test('nothing is taken of another topic, changed, old, or from whoever is not SNS', async () => {
  const old = new Date(school.clock.now() - minutes(16)).toISOString()
  const refused = [
    signed({ TopicArn: `${topicArn}-of-somebody` }),
    { ...signed(), Message: JSON.stringify({ ...received, messageBody: 'ACK 2' }) },
    signed({ Timestamp: old }),
    signed({ Message: 'no text' }),
  ]
  for (const message of refused) expect((await post(message)).statusCode).toBe(401)
  expect((await post(signed(), {})).statusCode).toBe(401)
  expect(taken).toEqual([])
})

test('the subscription of the topic is agreed to at SNS', async () => {
  const SubscribeURL = `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}`
  const confirmation = signed({
    Type: 'SubscriptionConfirmation',
    SubscribeURL,
    Token: 't',
    Message: 'You have chosen',
  })
  expect((await post(confirmation)).statusCode).toBe(200)
  expect(asked).toContain(SubscribeURL)
  expect(taken).toEqual([])
})

test('whoever tries signatures is slowed down', async () => {
  const statuses = new Set<number>()
  for (let tries = 0; tries < 62; tries += 1) statuses.add((await post({})).statusCode)
  expect([...statuses]).toEqual([401, 429])
  // Nor is anything asked of SNS for them; once its certificate is known, what it signed is taken all the same.
  expect((await post(signed())).statusCode).toBe(429)
  expect(asked).toEqual([])
  school.clock.advance(minutes(1))
  expect((await post(signed())).statusCode).toBe(200)
  for (let tries = 0; tries < 62; tries += 1) await post({})
  expect((await post(signed())).statusCode).toBe(200)
  expect(asked).toHaveLength(1)
})
