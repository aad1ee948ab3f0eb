/** Every way in which the station refuses a call, at the program as a chat meets it; what a student said in it is heard first. */
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { school } from '../../support/intake-school.ts'
import { startQueueServer, type QueueServer } from '../../support/queue-server.ts'
import { startStationProcess, stationEnv, type StationProcess } from '../../support/station-process.ts'

const words = 'I want to end my life tonight'
const keys = {
  chat: 'key-of-the-chat-which-writes',
  flood: 'key-of-a-chat-that-floods-us',
  reader: 'key-of-the-one-who-only-reads',
  elsewhere: 'key-of-the-chat-of-elsewhere',
}

let queue: QueueServer
let station: StationProcess
beforeAll(async () => {
  queue = await startQueueServer()
  station = await startStationProcess({
    ...stationEnv(queue),
    CONSULTX_API_KEYS: [
      keys.chat,
      keys.flood,
      `${keys.reader}:${school}:read`,
      `${keys.elsewhere}:99999999-6b1e-4d57-9c2a-8a1d5e6f7a90`,
    ].join(),
  })
})
afterAll(async () => {
  await station.stop()
  await queue.stop()
})

interface Call {
  key?: string | null
  method?: string
  body?: string | object
  headers?: Record<string, string>
}

async function call(path: string, { key = keys.chat, method = 'POST', body, headers = {} }: Call = {}) {
  const response = await fetch(new URL(path, station.url), {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
}
interface Answer {
  error?: string
  session_id?: string
  details?: { tier?: string; reply?: string; correlation_id?: string }
}

const begin = async (key = keys.chat) =>
  String((await call('/sessions', { key, body: { user_id: 'student-1' } })).body.session_id)
const say = (content: string, id?: string) => ({ sender: 'user', content, ...(id && { client_message_id: id }) })

/** Sessions of which a crisis has come to the queue. */
const heard = new Set<unknown>()
const isHeard = (session_id: string) =>
  vi.waitFor(
    async () => {
      const { Messages = [] } = await queue.sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queue.eventsQueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 }),
      )
      for (const { Body = '{}' } of Messages) {
        const event = JSON.parse((JSON.parse(Body) as { Message: string }).Message) as Record<string, unknown>
        if (event['event_type'] === 'CRISIS_DETECTED') heard.add(event['session_id'])
      }
      expect(heard).toContain(session_id)
    },
    { timeout: 10_000 },
  )

const messages = '/sessions/SESSION/messages'
it.each<[number, string, string, Call]>([
  [400, 'a body that is no JSON', messages, { body: '{"sender":' }],
  [400, 'a body without words', messages, { body: { sender: 'user' } }],
  [400, 'a sender nobody knows', messages, { body: { sender: 'robot', content: 'hello' } }],
  [400, 'an empty user id', '/sessions', { body: { user_id: ' ' } }],
  [400, 'a page of less than nothing', '/sessions?limit=-1', { method: 'GET' }],
  [401, 'no key', messages, { key: null, body: say('hello') }],
  [401, 'a key that nobody gave out', messages, { key: 'key-that-nobody-gave-out-1', body: say('hello') }],
  [401, 'no sign-in token', '/consoles', { method: 'GET' }],
  [403, 'a key that may only read', messages, { key: keys.reader, body: say('hello') }],
  [403, 'a past that the key may not tell', messages, { body: { ...say('hello'), at: '2026-01-20T10:15:00Z' } }],
  [404, 'a session that is not there', '/sessions/00000000-0000-4000-8000-000000000000', { method: 'GET' }],
  [404, 'a session of another school', messages, { key: keys.elsewhere, body: say('hello') }],
  [404, 'a call that is not there', '/sessions/SESSION/secrets', { method: 'GET' }],
  [415, 'another content type', messages, { body: 'hello', headers: { 'content-type': 'text/plain' } }],
])('%i for %s, in JSON, with an id that finds it in the log', async (status, _, path, asked) => {
  const answer = await call(path.replace('SESSION', await begin()), asked)
  expect(answer.status).toBe(status)
  expect(answer.body.error).toMatch(/^\S.*\.$/)
  expect(answer.headers.get('x-correlation-id')).toMatch(/^\w{12}$/)
  expect(answer.headers.has('www-authenticate')).toBe(status === 401)
})

it.each<[number, string, (session: string) => Promise<Call>]>([
  [
    409,
    'an ended session',
    async (session) => {
      await call(`/sessions/${session}/end`, { body: {} })
      return { body: say(words) }
    },
  ],
  [
    409,
    'an id that another message has',
    async (session) => {
      await call(`/sessions/${session}/messages`, { body: say('hello', 'm-1') })
      return { body: say(words, 'm-1') }
    },
  ],
  [413, 'a message that is too long', async () => ({ body: say(`${words} ${'and so on '.repeat(2_000)}`) })],
  [413, 'a body of more than a mebibyte', async () => ({ body: say(`${words} ${'x'.repeat(2 ** 20)}`) })],
])('%i for %s: the crisis in it is heard, and answered with the protocol', async (status, _, prepare) => {
  const session = await begin()
  const answer = await call(`/sessions/${session}/messages`, await prepare(session))
  expect(answer.status).toBe(status)
  expect(answer.body.details).toMatchObject({ tier: 'crisis', reply: expect.stringMatching(/\w/) as string })
  await isHeard(session)
})

it('429 for one message too many, with a time to come back: the crisis in it is heard, and taken when it comes again', async () => {
  const session = await begin(keys.flood)
  const crisis = { key: keys.flood, body: say(words, 'm-1') }
  const refused = await vi.waitFor(
    async () => {
      const flood = Array.from({ length: 600 }, () => call('/sessions?limit=1', { key: keys.flood, method: 'GET' }))
      const answer = await call(`/sessions/${session}/messages`, { key: keys.flood, body: say(words) })
      await Promise.all(flood)
      expect(answer.status).toBe(429)
      return answer
    },
    { timeout: 20_000 },
  )
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.body.details).toMatchObject({ tier: 'crisis', reply: expect.stringMatching(/\w/) as string })
  await isHeard(session)
  await vi.waitFor(async () => expect((await call(`/sessions/${session}/messages`, crisis)).status).toBe(200), {
    timeout: 10_000,
    interval: 500,
  })
  // Nobody else has to wait for it.
  expect((await call('/sessions', { body: { user_id: 'student-2' } })).status).toBe(201)
})
