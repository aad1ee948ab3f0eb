import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { intakeClient } from '../../../main/chat/index.ts'
import type { ClientOptions, Waiting } from '../../../main/chat/client.ts'
import { serveIntake } from '../../../main/station/intake/index.ts'
import { seconds } from '../../../shared/time.ts'
import { httpServer, json, type Answering, type HttpServer } from '../../support/http-server.ts'
import { crisisWords, intakeSchool, protocolReply, type IntakeSchool } from '../../support/intake-school.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const key = 'key-of-the-chat-0001'
const readOnly = 'key-of-the-reader-01'
const historian = 'key-of-the-historian'
let at: IntakeSchool
let served: { url: string; close: () => Promise<void> }
/** Stands before the intake, where a network stands. */
let network: HttpServer
/** How the next requests are treated; after the last of them everything passes. */
let next: ((pass: () => Promise<void>, response: ServerResponse) => unknown)[]
let waited: Waiting[]

beforeEach(async () => {
  at = await intakeSchool()
  const limited = {
    ...at.serverOptions(`${key},${readOnly}::read,${historian}::write+backfill`),
    rateLimit: { perSecond: 1, burst: 6 },
  }
  served = await serveIntake(limited, { host: '127.0.0.1', port: 0 })
  next = []
  waited = []
  network = await httpServer((response, request) => {
    const { body } = network.asked.at(-1)!
    const pass = async () => {
      const { authorization = '' } = request.headers
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(new URL(request.url ?? '', served.url), {
        method: request.method ?? '',
        headers,
        ...(body && { body }),
      })
      const text = await answer.text()
      if (response.destroyed) return
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text)
    }
    void (next.shift() ?? pass)(pass, response)
  })
})
afterEach(async () => {
  await network.stop()
  await served.close()
  await at.close()
})

const hangUp = (_pass: unknown, response: ServerResponse) => response.destroy()
/** The station has taken it in; its answer is lost. */
const loseAnswer = async (pass: () => Promise<void>, response: ServerResponse) => {
  response.end = () => response
  await pass()
  response.destroy()
}
const answering =
  (answer: Answering) =>
  (_pass: unknown, response: ServerResponse): void =>
    answer(response, response.req)

function client(more: Partial<ClientOptions> = {}) {
  const clock = virtualClock()
  return intakeClient({
    target: () => ({ url: network.url, key }),
    clock,
    signal: new AbortController().signal,
    tries: 5,
    onWaiting(waiting) {
      waited.push(waiting)
      // It waits from now on; both clocks move by as much.
      queueMicrotask(() => {
        at.clock.advance(waiting.delay)
        clock.advance(waiting.delay)
      })
    },
    ...more,
  })
}
const words = (content: string, client_message_id = 'one') => ({ sender: 'user', content, client_message_id }) as const
const received = async () => (await at.events()).filter(({ event_type }) => event_type === 'MESSAGE_ANALYZED').length

describe('a chat at the intake', () => {
  it('begins a session, sends, hears the protocol reply, and ends with the summary', async () => {
    const { session_id } = await client().startSession({ user_id: 'student-1', metadata: { channel: 'terminal' } })
    const message_id = expect.any(String) as string
    const quiet = {
      message_id,
      sequence: 1,
      tier: 'ok',
      score: 0,
      decided_by: 'consensus',
      reply: null,
      assistant: null,
    }
    expect(await client().send(session_id, words('hello'))).toEqual(quiet)
    const crisis = {
      message_id,
      sequence: 2,
      tier: 'crisis',
      score: 0.95,
      decided_by: 'floor',
      reply: protocolReply,
      assistant: null,
    }
    expect(await client().send(session_id, words(crisisWords, 'two'))).toEqual(crisis)
    expect(await client().endSession(session_id)).toMatchObject({ message_count: 2, risk: { highest_tier: 'crisis' } })
  })

  it('tells a past with a key for it: sessions, words and ends at their time, and what people did', async () => {
    const past = Date.UTC(2026, 0, 2, 9)
    const told = client({ target: () => ({ url: network.url, key: historian }) })
    const { session_id } = await told.startSession({ user_id: 'student-1', at: past })
    await told.send(session_id, { ...words('hello'), at: past + 1000 })
    await told.endSession(session_id, past + 2000)
    const events = (await at.events()).map(({ event_type, timestamp, backfill }) => [event_type, timestamp, backfill])
    expect(events).toEqual([
      ['SESSION_STARTED', past, true],
      ['MESSAGE_ANALYZED', past + 1000, true],
      ['SESSION_ENDED', past + 2000, true],
    ])
    await expect(client().startSession({ user_id: 'student-1', at: past })).rejects.toMatchObject({ failure: 403 })

    next.push(answering(json({ kept: 1, known: 1 })))
    expect(await told.tellRecords([{ ack_id: 'a' }, { ack_id: 'b' }])).toEqual({ kept: 1, known: 1 })
    expect(network.asked.at(-1)).toMatchObject({
      path: '/records',
      body: '{"records":[{"ack_id":"a"},{"ack_id":"b"}]}',
    })
  })

  it('shows what the station’s assistant says, where it has one', async () => {
    next.push(answering(json({ sequence: 1, tier: 'ok', score: 0, assistant: { text: 'Tell me more.', late: false } })))
    expect(await client().send('s', words('hello'))).toMatchObject({
      reply: null,
      assistant: { text: 'Tell me more.' },
    })
  })
})

it('finds what the assistant said since a message in the session, and nothing where it may not look', async () => {
  const { session_id } = await client().startSession({ user_id: 'student-1' })
  const { sequence } = await client().send(session_id, words('hello'))
  await client().send(session_id, { ...words('Tell me more.', 'two'), sender: 'assistant' })
  await client().send(session_id, words('no', 'three'))
  expect(await client().assistantSince(session_id, sequence)).toEqual(['Tell me more.'])
  expect(await client().assistantSince(session_id, sequence + 1)).toEqual([])
  expect(await client().assistantSince('none', 0)).toEqual([])
})

describe('a message without an answer', () => {
  it.each([
    ['the connection was lost before', hangUp],
    ['the answer was lost', loseAnswer],
    [
      'the answer broke off',
      (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"tier":')
        response.destroy()
      },
    ],
    ['the station was not ready', answering(json({ error: 'Not ready.' }, 503))],
    ['the station could not store it', answering(json({ error: 'Not stored.' }, 500))],
  ] as const)('is sent again, and taken in once: %s', async (_name, mishap) => {
    const { session_id } = await client().startSession({ user_id: 'student-1' })
    next.push(mishap, mishap)
    expect(await client().send(session_id, words(crisisWords))).toMatchObject({ tier: 'crisis' })
    expect(waited.map(({ delay }) => delay)).toEqual([seconds(1), seconds(2)])
    const ids = network.asked
      .slice(1)
      .map(({ body }) => (JSON.parse(body) as { client_message_id: string }).client_message_id)
    expect(ids).toEqual(['one', 'one', 'one'])
    expect(await received()).toBe(1)
  })

  it('waits longer each time, says so, and fails in the end', async () => {
    next.push(hangUp, hangUp, hangUp, hangUp, hangUp)
    await expect(client().send('s', words('hello'))).rejects.toMatchObject({ failure: 'no answer' })
    expect(waited).toEqual([1, 2, 4, 8].map((wait) => ({ why: 'no answer', delay: seconds(wait), reply: null })))
  })

  it('follows a station that was started again at another address', async () => {
    const { session_id } = await client().startSession({ user_id: 'student-1' })
    const targets = ['http://127.0.0.1:9', served.url]
    const moved = client({ target: () => ({ url: targets.shift() ?? '', key }) })
    expect(await moved.send(session_id, words('hello'))).toMatchObject({ tier: 'ok' })
  })

  it('is waited for no longer once it is given up; a call made then is tried once', async () => {
    const giveUp = new AbortController()
    const impatient = client({ signal: giveUp.signal, onWaiting: () => giveUp.abort() })
    next.push(hangUp)
    await expect(impatient.send('s', words('hello'))).rejects.toMatchObject({ failure: 'no answer' })
    next.push(hangUp)
    await expect(impatient.endSession('s')).rejects.toMatchObject({ failure: 'no answer' })
    expect(network.asked).toHaveLength(2)
  })
})

describe('a refusal', () => {
  const refused = async (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    )

  it.each([
    ['an unknown key', 401, 'no-such-key-at-all-1'],
    ['a key that may only read', 403, readOnly],
  ])('of %s is final and says what to do', async (_name, failure, other) => {
    const call = client({ target: () => ({ url: network.url, key: other }) }).startSession({ user_id: 'student-1' })
    expect(await refused(call)).toMatchObject({ failure, todo: expect.stringContaining('--key') as string })
    expect(waited).toEqual([])
  })

  it('of a message that is too long, or after the end, still brings the protocol reply', async () => {
    const { session_id } = await client().startSession({ user_id: 'student-1' })
    const long = words(`${crisisWords} ${'long '.repeat(10_000)}`)
    expect(await refused(client().send(session_id, long))).toMatchObject({ failure: 413, reply: protocolReply })
    await client().endSession(session_id)
    const late = client().send(session_id, words(crisisWords, 'late'))
    expect(await refused(late)).toMatchObject({ failure: 409, reply: protocolReply })
    expect(await refused(client().send('none', words('hello')))).toMatchObject({ failure: 404, reply: null })
  })

  it('for too many calls is waited out, with its protocol reply at once and without a double', async () => {
    const { session_id } = await client().startSession({ user_id: 'student-1' })
    for (let sent = 0; sent < 5; sent++) await client().send(session_id, words('hello', `m${sent}`))
    expect(await client({ tries: 1 }).send(session_id, words(crisisWords))).toMatchObject({ tier: 'crisis' })
    expect(waited).toEqual([{ why: 'too many', delay: seconds(1), reply: protocolReply }])
    expect(await received()).toBe(6)
  })

  it.each([
    [
      'a page',
      (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    ['another program', json({ welcome: true })],
  ])('of %s at the address is named, and nothing of it is quoted', async (_name, answer) => {
    next.push(answering(answer))
    expect(await refused(client().startSession({ user_id: 'student-1' }))).toMatchObject({ failure: 'unreadable' })
  })

  it('by way of another address is not followed: words go nowhere else', async () => {
    next.push(answering((response) => void response.writeHead(307, { location: served.url }).end()))
    expect(await refused(client().send('s', words('hello')))).toMatchObject({ failure: 307 })
    expect(await received()).toBe(0)
  })
})
