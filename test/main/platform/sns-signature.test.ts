import { createSign, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { snsReader } from '../../../main/platform/sns-signature.ts'

const topicArn = 'arn:aws:sns:us-east-1:123456789012:answers'
const SigningCertURL = 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()

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

function reader() {
  const asked: string[] = []
  const readText = async (url: string) => {
    asked.push(url)
    return pem
  }
  const sns = snsReader({ topicArn, readText })
  return { ...sns, asked, of: (message: object) => sns.read(JSON.stringify(message)) }
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
  [
    'signed by a stranger’s certificate',
    notification({ SigningCertURL: 'https://sns.us-east-1.amazonaws.com.evil.example/x.pem' }),
  ],
  [
    'whose certificate is not read over TLS',
    notification({ SigningCertURL: 'http://sns.us-east-1.amazonaws.com/x.pem' }),
  ],
  [
    'whose certificate is behind a name',
    notification({ SigningCertURL: 'https://a@sns.us-east-1.amazonaws.com/x.pem' }),
  ],
  ['of another kind', { ...notification(), Type: 'Other' }],
])('nothing is read %s', async (_what, message) => {
  expect(await reader().of(message)).toBeNull()
})

test('what is no message at all is none', async () => {
  expect(await reader().read('no JSON')).toBeNull()
  expect(await reader().of([])).toBeNull()
})

test('a certificate that could not be read is asked for again', async () => {
  let tries = 0
  const readText = async () => (tries++ === 0 ? Promise.reject(new Error('away')) : pem)
  const sns = snsReader({ topicArn, readText })
  const body = JSON.stringify(notification())
  expect(await sns.read(body)).toBeNull()
  expect(await sns.read(body)).not.toBeNull()
})

test('a subscription is confirmed at SNS and nowhere else', async () => {
  const { of, confirm, asked } = reader()
  const SubscribeURL = 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
  const message = await of(notification({ Type: 'SubscriptionConfirmation', SubscribeURL, Token: 't' }))
  if (message?.Type !== 'SubscriptionConfirmation') throw new Error('not read')
  await confirm(message)
  expect(asked.at(-1)).toBe(SubscribeURL)
  await expect(confirm({ ...message, SubscribeURL: 'https://elsewhere.example/' })).rejects.toThrow()
})
