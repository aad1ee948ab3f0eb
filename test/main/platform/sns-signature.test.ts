import { createPublicKey, createSign } from 'node:crypto'
import { expect, test } from 'vitest'
import { snsReader } from '../../../main/platform/sns-signature.ts'
import { selfSigned } from '../../support/certificate.ts'

const topicArn = 'arn:aws:sns:us-east-1:123456789012:answers'
const SigningCertURL = 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123abcd.pem'
const { privateKey, pem } = selfSigned()

function notification(changes: Record<string, string> = {}, version: '1' | '2' = '2') {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: 'm-1',
    TopicArn: topicArn,
    Message: '{"originationNumber":"+15550142777"}',
    Timestamp: '2026-01-20T10:15:00.000Z',
    SignatureVersion: version,
    SigningCertURL,
    ...changes,
  }
  const sign = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
  for (const name of ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'])
    if (message[name] !== undefined) sign.update(`${name}\n${message[name]}\n`)
  return { ...message, Signature: sign.sign(privateKey, 'base64') }
}

const always = () => true

function reader(answer = pem) {
  const asked: string[] = []
  const readText = async (url: string) => {
    asked.push(url)
    return answer
  }
  const sns = snsReader({ topicArn, readText })
  return { ...sns, asked, of: (message: object, mayAsk = always) => sns.read(JSON.stringify(message), mayAsk) }
}

test.each(['1', '2'] as const)('what SNS signed (version %s) is read, its certificate once', async (version) => {
  const { of, asked } = reader()
  expect(await of(notification({}, version))).toMatchObject({ MessageId: 'm-1' })
  expect(await of(notification({ Subject: 'a subject' }, version))).toMatchObject({ Subject: 'a subject' })
  expect(asked).toEqual([SigningCertURL])
})

test.each([
  ['of another topic', notification({ TopicArn: `${topicArn}-of-somebody` })],
  ['that was changed', { ...notification(), Message: '{"originationNumber":"+15550142778"}' }],
  ['of another kind', { ...notification(), Type: 'Other' }],
])('nothing is read %s', async (_what, message) => {
  expect(await reader().of(message)).toBeNull()
})

const file = 'SimpleNotificationService-0123abcd.pem'
test.each([
  ['at a stranger’s', `https://sns.us-east-1.amazonaws.com.evil.example/${file}`],
  ['not over TLS', `http://sns.us-east-1.amazonaws.com/${file}`],
  ['behind a name', `https://a@sns.us-east-1.amazonaws.com/${file}`],
  ['at another port', `https://sns.us-east-1.amazonaws.com:8443/${file}`],
  ['in another region', `https://sns.eu-west-1.amazonaws.com/${file}`],
  ['in somebody’s bucket', `https://sns.s3-us-west-2.amazonaws.com/${file}`],
  ['in somebody’s fast bucket', `https://sns.s3-accelerate.amazonaws.com/${file}`],
  [
    'in what a call of SNS answers',
    'https://sns.us-east-1.amazonaws.com/?Action=GetEndpointAttributes&X-Amz-Signature=abc',
  ],
  ['with a query', `https://sns.us-east-1.amazonaws.com/${file}?Action=GetEndpointAttributes`],
  ['under another name', 'https://sns.us-east-1.amazonaws.com/x.pem'],
  ['further down', `https://sns.us-east-1.amazonaws.com/topics/${file}`],
  ['nowhere', 'no address'],
])('no certificate is read %s', async (_where, address) => {
  const { of, asked } = reader()
  expect(await of(notification({ SigningCertURL: address }))).toBeNull()
  expect(asked).toEqual([])
})

test.each([
  ['a certificate inside of something else', `<value>\n${pem}</value>`],
  ['a key alone', createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()],
  ['what only begins as one', '-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n'],
])('%s is none', async (_what, text) => {
  const { of, asked } = reader(text)
  expect(await of(notification())).toBeNull()
  expect(asked).toEqual([SigningCertURL])
})

test('a certificate that is not known is asked for only where one more may be', async () => {
  const { of, asked } = reader()
  expect(await of(notification(), () => false)).toBeNull()
  expect(asked).toEqual([])
  expect(await of(notification())).not.toBeNull()
  expect(await of(notification(), () => false)).not.toBeNull()
  expect(asked).toHaveLength(1)
})

test('as many certificates are held as SNS could have, and the last ones', async () => {
  const { of, asked } = reader()
  const certificate = (number: number) =>
    notification({ SigningCertURL: SigningCertURL.replace('0123abcd', `${number}`) })
  for (let number = 0; number < 9; number += 1) await of(certificate(number))
  await of(certificate(8))
  expect(asked).toHaveLength(9)
  await of(certificate(0))
  expect(asked).toHaveLength(10)
})

test('what is no message at all is none', async () => {
  expect(await reader().read('no JSON', always)).toBeNull()
  expect(await reader().of([])).toBeNull()
})

test('a certificate that could not be read is asked for again', async () => {
  let tries = 0
  const readText = async () => (tries++ === 0 ? Promise.reject(new Error('away')) : pem)
  const sns = snsReader({ topicArn, readText })
  const body = JSON.stringify(notification())
  expect(await sns.read(body, always)).toBeNull()
  expect(await sns.read(body, always)).not.toBeNull()
})

test('a subscription is confirmed at SNS and nowhere else', async () => {
  const { of, confirm, asked } = reader()
  const SubscribeURL = `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=t`
  const message = await of(notification({ Type: 'SubscriptionConfirmation', SubscribeURL, Token: 't' }))
  if (message?.Type !== 'SubscriptionConfirmation') throw new Error('not read')
  await confirm(message)
  expect(asked.at(-1)).toBe(SubscribeURL)
  const others = [
    SubscribeURL.replace('sns.us-east-1', 'sns.eu-west-1'),
    SubscribeURL.replace('amazonaws.com', 'evil.example'),
    SubscribeURL.replace('.com/?', '.com/other?'),
    SubscribeURL.replace('ConfirmSubscription', 'Unsubscribe'),
    SubscribeURL.replace('answers', 'of-somebody'),
    `${SubscribeURL}&Action=Publish`,
  ]
  for (const address of others) await expect(confirm({ ...message, SubscribeURL: address })).rejects.toThrow()
  expect(asked).toHaveLength(2)
})
