import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildIntakeServer } from '../../../../main/station/intake/index.ts'
import * as schemas from '../../../../main/station/intake/schemas.ts'
import {
  cautionWords,
  crisisWords,
  intakeSchool,
  otherSchool,
  protocolReply,
  type IntakeSchool,
} from '../../../support/intake-school.ts'
import { onEachStore } from '../../../support/test-stores.ts'

const key = 'key-of-the-chat-0001'
const user = { sender: 'user' }
const readOnly = 'key-of-the-reader-01'
const foreign = 'key-of-another-school'
const historian = 'key-of-the-historian'

onEachStore((kind) => {
  let at: IntakeSchool
  let app: FastifyInstance
  beforeEach(async () => {
    at = await intakeSchool({}, kind)
    app = buildIntakeServer({
      ...at.serverOptions(
        `${key},${readOnly}::read,${foreign}:${otherSchool}:read+write,${historian}::read+write+backfill`,
      ),
      rateLimit: { perSecond: 1, burst: 50 },
    })
  })
  afterEach(async () => {
    await app.close()
    await at.close()
  })

  async function call(
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    headers: Record<string, string> = { 'x-api-key': key },
  ) {
    const response = await app.inject({
      method,
      url,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() }
  }

  const start = async (user_id = 'student-1') =>
    (await call('POST', '/sessions', { user_id })).body.session_id as string
  const messagesOf = (id: string) => `/sessions/${id}/messages`
  const crises = async () => (await at.events()).filter(({ event_type }) => event_type === 'CRISIS_DETECTED').length

  describe('the calls', () => {
    it('take a session from start to summary, each answer in its documented shape', async () => {
      const started = await call('POST', '/sessions', { user_id: 'student-1', metadata: { locale: 'en-US' } })
      expect(started.status).toBe(201)
      expect(schemas.startedSchema.parse(started.body)).toMatchObject({ status: 'active' })
      const id = started.body.session_id as string

      const answer = await call('POST', messagesOf(id), { sender: 'user', content: crisisWords })
      expect(answer.status).toBe(200)
      expect(schemas.receiptSchema.parse(answer.body)).toMatchObject({ tier: 'crisis', reply: protocolReply })

      const session = await call('GET', `/sessions/${id}`)
      expect(schemas.sessionDetailSchema.parse(session.body)).toMatchObject({
        status: 'escalated',
        metadata: { locale: 'en-US' },
      })
      const ended = await call('POST', `/sessions/${id}/end`)
      expect(schemas.summarySchema.parse(ended.body)).toMatchObject({ session_id: id })
      expect((await call('GET', `/sessions/${id}/summary`)).body).toEqual(ended.body)
    })

    it('list sessions by status and student, a page at a time', async () => {
      const ids = [await start('a'), await start('a'), await start('b')]
      await call('POST', `/sessions/${ids[0]}/end`)
      const list = async (query: string) => schemas.sessionsSchema.parse((await call('GET', `/sessions${query}`)).body)
      expect((await list('')).total).toBe(3)
      expect((await list('?user_id=a')).total).toBe(2)
      expect((await list('?user_id=a&status=active')).sessions.map(({ session_id }) => session_id)).toEqual([ids[1]])
      const page = await list('?limit=1&offset=2')
      expect(page).toMatchObject({ total: 3, limit: 1, offset: 2 })
      expect(page.sessions).toHaveLength(1)
    })

    it('say how they are without a key', async () => {
      expect(await call('GET', '/health', undefined, {})).toMatchObject({ status: 200, body: { status: 'ok' } })
      expect(await call('GET', '/ready', undefined, {})).toMatchObject({ status: 200, body: { status: 'ready' } })
      await at.store.close()
      expect(await call('GET', '/ready', undefined, {})).toMatchObject({ status: 503 })
    })
  })

  describe('who may call', () => {
    it('nobody without a known key', async () => {
      for (const headers of [
        {},
        { 'x-api-key': 'wrong' },
        { authorization: 'Bearer wrong' },
        { authorization: `Basic ${key}` },
      ]) {
        const refused = await call('POST', '/sessions', { user_id: 'a' }, headers as Record<string, string>)
        expect(refused.status).toBe(401)
        expect(refused.headers['www-authenticate']).toMatch(/^Bearer/)
        expect(refused.body.error).toEqual(expect.any(String))
      }
      expect(await at.events()).toEqual([])
    })

    it('either way of carrying the key will do', async () => {
      expect((await call('GET', '/sessions', undefined, { authorization: `Bearer ${key}` })).status).toBe(200)
      expect((await call('GET', '/sessions', undefined, { 'x-api-key': key })).status).toBe(200)
    })

    it('a reading key may not write', async () => {
      expect((await call('GET', '/sessions', undefined, { 'x-api-key': readOnly })).status).toBe(200)
      expect((await call('POST', '/sessions', { user_id: 'a' }, { 'x-api-key': readOnly })).status).toBe(403)
    })

    it('a key of another school finds no session of this one, and its own are its school’s', async () => {
      const id = await start()
      const other = { 'x-api-key': foreign }
      for (const [method, path, body] of [
        ['GET', `/sessions/${id}`],
        ['GET', `/sessions/${id}/summary`],
        ['POST', `/sessions/${id}/end`],
        ['POST', messagesOf(id), { sender: 'user', content: 'hi' }],
      ] as const)
        expect((await call(method, path, body, other)).status).toBe(404)
      expect((await call('GET', '/sessions', undefined, other)).body.total).toBe(0)
      await call('POST', '/sessions', { user_id: 'a' }, other)
      expect((await at.events()).at(-1)).toMatchObject({ school_id: otherSchool })
      expect((await call('GET', '/sessions')).body.total).toBe(1)
    })
  })

  describe('a past', () => {
    const past = '2026-01-02T09:00:00Z'
    const told = { 'x-api-key': historian }

    it('is told by a key for it, and stands at the time it names', async () => {
      const started = await call('POST', '/sessions', { user_id: 'student-1', at: past }, told)
      expect(started).toMatchObject({ status: 201, body: { started_at: '2026-01-02T09:00:00.000Z' } })
      const id = started.body.session_id as string
      const message = { sender: 'user', content: crisisWords, at: '2026-01-02T09:01:00Z' }
      expect(await call('POST', messagesOf(id), message, told)).toMatchObject({ status: 200, body: { tier: 'crisis' } })
      expect(await call('POST', `/sessions/${id}/end`, { at: '2026-01-02T09:02:00Z' }, told)).toMatchObject({
        status: 200,
      })
      const events = await at.events()
      expect(events.map(({ event_type, timestamp, backfill }) => [event_type, timestamp, backfill])).toEqual([
        ['SESSION_STARTED', Date.parse(past), true],
        ['CRISIS_DETECTED', Date.parse(past) + 60_000, true],
        ['MESSAGE_ANALYZED', Date.parse(past) + 60_000, true],
        ['SESSION_ENDED', Date.parse(past) + 120_000, true],
      ])
      expect(at.entries.filter(({ level }) => level === 'warn')).toEqual([])
      const said = at.entries.filter(({ message }) => message === 'crisis of a told past')
      expect(said).toMatchObject([{ level: 'info', fields: { categories: ['suicidal_ideation'] } }])
    })

    it('was said a clear time ago: what is nearer is refused with why, and a crisis in it is heard', async () => {
      const id = await start()
      const ago = (time: number) => new Date(at.clock.now() - time).toISOString()
      const message = { sender: 'user', content: crisisWords }
      const near = { ...message, client_message_id: 'm-1', at: ago(599_999) }
      expect(await call('POST', messagesOf(id), near, told)).toMatchObject({
        status: 400,
        body: {
          error: expect.stringContaining('at least 10 minutes ago') as unknown,
          details: { reply: protocolReply },
        },
      })
      const live = (await at.events()).filter(({ event_type }) => event_type === 'CRISIS_DETECTED')
      expect(live).toMatchObject([{ timestamp: at.clock.now() }])
      expect(live[0]).not.toHaveProperty('backfill')
      // Sent again as what is said now it is the same message, and raises nothing more; nor does it as a past.
      for (const again of [{ at: undefined }, { at: ago(600_000) }])
        expect((await call('POST', messagesOf(id), { ...near, ...again }, told)).status).toBe(200)
      expect((await call('POST', messagesOf(id), { ...message, at: ago(600_000) }, told)).status).toBe(200)
      const crises = (await at.events()).filter(({ event_type }) => event_type === 'CRISIS_DETECTED')
      expect(crises.map(({ backfill }) => backfill)).toEqual([undefined, true])
    })

    it('of which the time may not be told is heard as well', async () => {
      const id = await start()
      const crisis = { sender: 'user', content: crisisWords, at: past }
      expect(await call('POST', messagesOf(id), crisis)).toMatchObject({
        status: 403,
        body: { details: { scope: 'backfill', reply: protocolReply } },
      })
      const ahead = { ...crisis, at: new Date(at.clock.now() + 3_600_000).toISOString() }
      expect((await call('POST', messagesOf(id), ahead, told)).status).toBe(400)
      expect((await at.events()).filter(({ event_type }) => event_type === 'CRISIS_DETECTED')).toHaveLength(2)
    })

    it('is told by nobody else: 403 with the scope that is missing', async () => {
      const id = await start()
      for (const [path, body] of [
        ['/sessions', { user_id: 'a', at: past }],
        [messagesOf(id), { sender: 'user', content: 'hi', at: past }],
        [`/sessions/${id}/end`, { at: past }],
      ] as const)
        expect(await call('POST', path, body)).toMatchObject({ status: 403, body: { details: { scope: 'backfill' } } })
      expect(await at.events()).toHaveLength(1)
    })

    it('is no future, as far as clocks agree, and is a time in UTC', async () => {
      const at_ = (offset: number) => new Date(at.clock.now() + offset).toISOString()
      const starting = async (time: string) =>
        (await call('POST', '/sessions', { user_id: 'a', at: time }, told)).status
      expect(await starting(at_(60_000))).toBe(201)
      expect(await starting(at_(60_001))).toBe(400)
      const id = await start()
      const ahead = at_(60_001)
      for (const [path, body] of [
        [messagesOf(id), { sender: 'user', content: crisisWords, at: ahead }],
        [`/sessions/${id}/end`, { at: ahead }],
      ] as const)
        expect((await call('POST', path, body, told)).status).toBe(400)
      for (const time of ['yesterday', '2026-01-02T09:00:00+01:00', '']) expect(await starting(time)).toBe(400)
    })

    it('is told as fast as it can be, and what is said now with the same key is alerted in the midst of it', async () => {
      const id = (await call('POST', '/sessions', { user_id: 'student-1', at: past }, told)).body.session_id as string
      for (let minute = 10; minute < 60; minute++) {
        const message = { sender: 'user', content: 'hi', at: `2026-01-02T09:${minute}:00Z` }
        expect((await call('POST', messagesOf(id), message, told)).status).toBe(200)
      }
      const now = await call('POST', messagesOf(id), { sender: 'user', content: crisisWords }, told)
      expect(now).toMatchObject({ status: 200, body: { reply: protocolReply } })
      expect((await at.events()).find(({ event_type }) => event_type === 'CRISIS_DETECTED')).not.toHaveProperty(
        'backfill',
      )
    })

    it('what is said with the same key now is no past', async () => {
      await call('POST', '/sessions', { user_id: 'a' }, told)
      expect((await at.events())[0]).not.toHaveProperty('backfill')
    })
  })

  describe('a database that does not answer', () => {
    it('is a 503 with a time to come back; a crisis is answered with its reply', async () => {
      const id = await start()
      await at.store.close()
      const crisis = await call('POST', messagesOf(id), { sender: 'user', content: crisisWords })
      expect(crisis).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
        body: { details: { tier: 'crisis', reply: protocolReply, correlation_id: expect.any(String) as string } },
      })
      expect((await call('POST', messagesOf(id), { sender: 'user', content: 'hi' })).body.details).not.toHaveProperty(
        'reply',
      )
      for (const [method, path, body] of [
        ['POST', '/sessions', { user_id: 'a' }],
        ['POST', `/sessions/${id}/end`, {}],
        ['GET', '/sessions', undefined],
        ['GET', `/sessions/${id}`, undefined],
        ['GET', `/sessions/${id}/summary`, undefined],
      ] as const)
        expect(await call(method, path, body), path).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
      expect(await call('GET', '/health', undefined, {})).toMatchObject({ status: 200 })
    })
  })

  describe('refusals', () => {
    it.each([
      ['no body', undefined],
      ['not JSON', '{"user_id": "xx-secret-xx'],
      ['not an object', [1]],
      ['no student', {}],
      ['an empty student', { user_id: ' ' }],
      ['a number for a student', { user_id: 7 }],
    ])('400 for a session with %s, without quoting it', async (_name, body) => {
      const refused = await call('POST', '/sessions', body)
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.body)).not.toContain('xx-secret')
    })

    it('400 for a message without a known sender or words, naming the field', async () => {
      const id = await start()
      const refused = await call('POST', messagesOf(id), { sender: 'student', content: '' })
      expect(refused.status).toBe(400)
      expect((refused.body.details as { path: string }[]).map(({ path }) => path)).toEqual(['sender', 'content'])
    })

    it.each<[string, number, (words: string) => string | Buffer, string?]>([
      [
        'an id that is too long',
        400,
        (content) => JSON.stringify({ ...user, content, client_message_id: 'x'.repeat(5000) }),
      ],
      ['a sender in capitals', 400, (content) => JSON.stringify({ sender: 'User', content })],
      ['no sender', 400, (content) => JSON.stringify({ content })],
      ['words in parts', 400, (text) => JSON.stringify({ ...user, content: [{ type: 'text', text }] })],
      ['words under another name', 400, (text) => JSON.stringify({ ...user, text })],
      ['words nested too deep', 400, (text) => `{"content":${'['.repeat(50_000)}"${text}"${']'.repeat(50_000)}}`],
      ['a mark before it', 400, (content) => `\ufeff${JSON.stringify({ ...user, content })}`],
      ['UTF-16', 400, (content) => Buffer.from(JSON.stringify({ ...user, content }), 'utf16le')],
      ['an end that is missing', 400, (content) => JSON.stringify({ ...user, content }).slice(0, -1)],
      ['another content type', 415, (content) => JSON.stringify({ ...user, content }), 'text/plain'],
    ])('a crisis in a message with %s is refused with its reply, and alerts', async (_name, status, write, type) => {
      const id = await start()
      const send = (words: string) =>
        app.inject({
          method: 'POST',
          url: messagesOf(id),
          headers: { 'x-api-key': key, 'content-type': type ?? 'application/json' },
          payload: write(words),
        })
      const quiet = await send('hello there')
      expect(quiet.statusCode).toBe(status)
      expect(quiet.body).not.toContain('reply')
      expect((await at.events()).map(({ event_type }) => event_type)).not.toContain('CRISIS_DETECTED')
      const refused = await send(crisisWords)
      expect(refused.statusCode).toBe(status)
      expect(refused.json()).toMatchObject({ details: { tier: 'crisis', reply: protocolReply } })
      expect((await at.events()).map(({ event_type }) => event_type)).toContain('CRISIS_DETECTED')
    })

    it('404 for what does not exist, 415 for another content type', async () => {
      expect((await call('GET', '/nothing')).status).toBe(404)
      expect((await call('GET', '/sessions/none')).status).toBe(404)
      const response = await app.inject({
        method: 'POST',
        url: '/sessions',
        headers: { 'x-api-key': key, 'content-type': 'text/plain' },
        payload: 'x',
      })
      expect(response.statusCode).toBe(415)
    })

    it('409 after the end, with the reply of a crisis', async () => {
      const id = await start()
      await call('POST', `/sessions/${id}/end`)
      expect(await call('POST', messagesOf(id), { sender: 'user', content: 'hi' })).toMatchObject({ status: 409 })
      const refused = await call('POST', messagesOf(id), { sender: 'user', content: crisisWords })
      expect(refused).toMatchObject({ status: 409, body: { details: { tier: 'crisis', reply: protocolReply } } })
      expect(await crises()).toBe(1)
    })

    it('429 with a time to wait; a crisis among them is alerted', async () => {
      const id = await start()
      let status = 200
      while (status === 200) status = (await call('GET', '/sessions')).status
      expect(status).toBe(429)
      expect(await call('POST', messagesOf(id), { sender: 'user', content: 'hi' })).toMatchObject({ status: 429 })
      const refused = await call('POST', messagesOf(id), { sender: 'user', content: crisisWords })
      expect(refused).toMatchObject({
        status: 429,
        headers: { 'retry-after': '1' },
        body: { details: { reply: protocolReply } },
      })
      expect(await crises()).toBe(1)
      at.clock.advance(1000)
      expect((await call('GET', '/sessions')).status).toBe(200)
    })

    it('413 for a long message; a crisis in it is alerted, harmless text is dropped', async () => {
      const id = await start()
      const harmless = await call('POST', messagesOf(id), { sender: 'user', content: 'la '.repeat(10_000) })
      expect(harmless).toMatchObject({ status: 413 })
      expect(await at.events()).toHaveLength(1)
      const refused = await call('POST', messagesOf(id), {
        sender: 'user',
        content: `${'la '.repeat(10_000)}${crisisWords}`,
      })
      expect(refused).toMatchObject({ status: 413, body: { details: { reply: protocolReply } } })
      expect(await crises()).toBe(1)
    })

    it('413 for a body over 1 MiB, of which the beginning is read and the rest counts as unread', async () => {
      const id = await start()
      const long = 'la '.repeat(500_000)
      const refused = await call('POST', messagesOf(id), { content: `"${crisisWords}\\${long}`, sender: 'user' })
      expect(refused).toMatchObject({ status: 413, body: { details: { reply: protocolReply } } })
      expect(await crises()).toBe(1)

      await call('POST', messagesOf(id), { sender: 'user', content: long })
      expect((await at.events()).at(-1)).toMatchObject({
        event_type: 'MESSAGE_ANALYZED',
        tier: 'caution',
        degraded: expect.arrayContaining(['regex']) as unknown,
      })
      const before = (await at.events()).length
      await call('POST', messagesOf(id), { sender: 'assistant', content: long })
      expect(await at.events()).toHaveLength(before)
      expect(await call('POST', '/sessions', { user_id: long })).toMatchObject({ status: 413 })
    })

    it('500 with a correlation id that is in the log, and nothing of the fault', async () => {
      const id = await start()
      await at.run('DROP TABLE outbox')
      const refused = await call('POST', messagesOf(id), { sender: 'user', content: crisisWords })
      const details = refused.body.details as { correlation_id: string; reply: string }
      expect(refused.status).toBe(500)
      expect(details.reply).toBe(protocolReply)
      expect(at.entries.find(({ message }) => message === 'request failed')?.fields.correlation_id).toBe(
        details.correlation_id,
      )
      expect(JSON.stringify(refused.body)).not.toContain('outbox')
    })
  })

  describe('a retry', () => {
    it('with the same client_message_id gets the same answer and makes no second event', async () => {
      const id = await start()
      const message = { sender: 'user', content: cautionWords, client_message_id: 'm-1' }
      const first = await call('POST', messagesOf(id), message)
      const events = (await at.events()).length
      expect((await call('POST', messagesOf(id), message)).body).toEqual(first.body)
      expect(await at.events()).toHaveLength(events)
    })
  })

  describe('the log', () => {
    it('has one entry a request: method, pattern of the route, status, time, correlation id', async () => {
      const id = await start()
      await call('GET', `/sessions/${id}?user_id=nobody`)
      const entry = at.entries.at(-1)
      expect(entry).toEqual({
        level: 'info',
        message: 'request',
        fields: {
          method: 'GET',
          route: '/sessions/:id',
          status: 200,
          latency_ms: expect.any(Number) as number,
          correlation_id: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
        },
      })
    })
  })
})
