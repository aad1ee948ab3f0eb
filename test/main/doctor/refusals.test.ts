import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readConfiguration } from '../../../main/configuration/index.ts'
import { examine } from '../../../main/doctor/index.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { httpServer, type Answering, type HttpServer } from '../../support/http-server.ts'

const dir = mkdtempSync(join(tmpdir(), 'psyflo-doctor-'))
let server: HttpServer
beforeAll(() => {
  process.env.AWS_ACCESS_KEY_ID = 'doctor'
  process.env.AWS_SECRET_ACCESS_KEY = 'doctor'
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))
afterEach(() => server.stop())

/** An answer of AWS's JSON protocol. */
const says =
  (status: number, body: object): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
const refuses = (type: string, message = 'refused') =>
  says(type.startsWith('Access') ? 403 : 400, { __type: `com.amazon.coral.service#${type}`, message })

/** What doctor says of the events queue, whether it is content, and what was asked. */
async function look(answer: Answering) {
  server = await httpServer(answer)
  const env = {
    PSYFLO_EVENTS_QUEUE_URL: `${server.url}/1/events`,
    AWS_ENDPOINT_URL_SQS: server.url,
    PSYFLO_DATA_DIR: dir,
  }
  const ports = { clock: systemClock, randomness: systemRandomness, progress: () => undefined }
  const report = await examine(readConfiguration(env, []), ports)
  const check = report.checks.find(({ name }) => name === 'Events queue')
  return { ok: report.ok, ...check }
}

it.each([
  ['AccessDeniedException', /sqs:ReceiveMessage.*sqs:GetQueueAttributes/],
  ['ExpiredTokenException', /session token .* has expired/],
  ['UnrecognizedClientException', /does not know the access key/],
  ['SignatureDoesNotMatch', /secret does not match the access key/],
])('%s fails, and says what it is', async (type, sentence) => {
  const found = await look(refuses(type))
  expect(found).toMatchObject({ ok: false, status: 'failed', sentence: expect.stringMatching(sentence) as string })
  expect(found.todo).not.toMatch(/^Check the network/)
})

it('names the one permission that is missing, though the queue answers otherwise', async () => {
  const found = await look((response, request) => {
    const action = String(request.headers['x-amz-target']).split('.').at(-1)
    const answer =
      action === 'ReceiveMessage'
        ? refuses('AccessDeniedException')
        : action === 'GetQueueAttributes'
          ? says(200, { Attributes: { ApproximateNumberOfMessages: '0', MessageRetentionPeriod: '1209600' } })
          : refuses('InvalidParameterValue')
    answer(response, request)
  })
  expect(found).toMatchObject({
    ok: false,
    status: 'failed',
    sentence: 'AWS knows these credentials and does not permit them sqs:ReceiveMessage on it: no alert arrives here.',
    todo: 'Ask for the permission sqs:ReceiveMessage on the events queue.',
  })
})

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

it('does not claim to have taken nothing from a server that gives messages out instead of refusing', async () => {
  const attributes = { ApproximateNumberOfMessages: '1', MessageRetentionPeriod: '1209600' }
  const answer =
    (messages: object[]): Answering =>
    (response, request) => {
      const received = String(request.headers['x-amz-target']).endsWith('ReceiveMessage')
      says(200, received ? { Messages: messages } : { Attributes: attributes })(response, request)
    }
  const given = await look(answer([{ MessageId: '1', ReceiptHandle: 'one', Body: '{}', MD5OfBody: md5('{}') }]))
  expect(given).toMatchObject({ status: 'ok', sentence: expect.stringContaining('gave out 1 instead') as string })
  expect(given.sentence).not.toContain('No messages were taken')
  await server.stop()
  expect((await look(answer([]))).sentence).toContain('No messages were taken for this check.')
})

it('says by how much the clock is wrong, where AWS does', async () => {
  const message = 'Signature expired: 20260120T100000Z is now earlier than 20260120T101500Z (20260120T102000Z - 5 min.)'
  expect((await look(refuses('InvalidSignatureException', message))).sentence).toContain('20 minutes behind AWS’s')
})
