/** From where the intake can be reached, and what it says of itself to whom. */
import { BlockList } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  buildIntakeServer,
  serveIntake,
  type Reach,
  type ServerOptions,
} from '../../../../main/station/intake/index.ts'
import { isSecure } from '../../../../main/station/intake/proxies.ts'
import { createMetrics } from '../../../../main/station/index.ts'
import { seconds } from '../../../../shared/time.ts'
import { crisisWords, intakeSchool, protocolReply, type IntakeSchool } from '../../../support/intake-school.ts'

const key = 'key-of-the-chat-0001'
const analyst = 'key-of-the-analyst-1'
const operatorToken = 'token-of-the-operator'
const proxies = new BlockList()
proxies.addSubnet('10.0.0.0', 24, 'ipv4')

let at: IntakeSchool
let app: FastifyInstance
beforeEach(async () => void (at = await intakeSchool()))
afterEach(async () => {
  await app.close()
  await at.close()
})

function serve(reach: Partial<Reach> = {}, more: Partial<ServerOptions> = {}): void {
  app = buildIntakeServer({
    ...at.serverOptions(`${key},${analyst}::analytics`),
    metrics: createMetrics(at.clock, { ofProcess: false }),
    reach: { trustedProxies: null, isPublic: false, operatorToken: null, ...reach },
    ...more,
  })
}
const behindProxy = { trustedProxies: proxies, isPublic: true }
const call = (url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, remoteAddress, headers })
const https = { 'x-forwarded-proto': 'https' }

describe('behind a proxy', () => {
  beforeEach(() => serve(behindProxy))

  it('a request is answered where the proxy says that it came over TLS', async () => {
    const answer = await call('/sessions', '10.0.0.7', { ...https, 'x-api-key': key })
    expect(answer.statusCode).toBe(200)
    expect((await call('/health', '::ffff:10.0.0.7', https)).statusCode).toBe(200)
  })

  it.each([
    ['over http', '10.0.0.7', { 'x-forwarded-proto': 'http' }],
    ['with a first step over http', '10.0.0.7', { 'x-forwarded-proto': 'http, https' }],
    ['with a last step over http', '10.0.0.7', { 'x-forwarded-proto': 'https,http' }],
    ['without a word of it', '10.0.0.7', {}],
    ['past the proxy', '192.168.0.9', https],
    ['past the proxy, from its neighbor', '10.0.1.7', https],
  ])(
    'one that came %s is refused in a sentence, whatever it asks',
    async (_, from, headers: Record<string, string>) => {
      for (const url of ['/sessions', '/health', '/nothing-there']) {
        const answer = await call(url, from, { ...headers, 'x-api-key': key })
        expect(answer.statusCode).toBe(403)
        expect(answer.json()).toEqual({ error: 'This station is called over TLS only: use its https address.' })
      }
      expect(await at.events()).toEqual([])
    },
  )

  it('programs of this machine call it without one', async () => {
    expect((await call('/health', '127.0.0.1')).statusCode).toBe(200)
    expect((await call('/health', '::1')).statusCode).toBe(200)
  })

  it('is no TLS where any step of the way is not', () => {
    const step = fc.constantFrom('https', 'HTTPS ', 'http', '', 'ws')
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const every = steps.length > 0 && steps.every((each) => each.trim().toLowerCase() === 'https')
        expect(isSecure(steps.length === 0 ? {} : { 'x-forwarded-proto': steps.join(',') })).toBe(every)
      }),
    )
  })
})

describe('whoever tries keys', () => {
  const attempt = (from: string, forwarded: string) =>
    call('/sessions', from, { ...https, 'x-forwarded-for': forwarded, 'x-api-key': 'guessed' })

  it('is slowed down by the address that a proxy saw; others, and those with a key, are not', async () => {
    serve(behindProxy)
    for (let times = 0; times < 60; times++) expect((await attempt('10.0.0.7', '198.51.100.1')).statusCode).toBe(401)
    const slowed = await attempt('10.0.0.7', '198.51.100.1')
    expect([slowed.statusCode, slowed.headers['retry-after']]).toEqual([429, '1'])
    expect((await attempt('10.0.0.7', '198.51.100.2')).statusCode).toBe(401)
    const known = await call('/sessions', '10.0.0.7', { ...https, 'x-forwarded-for': '198.51.100.1', 'x-api-key': key })
    expect(known.statusCode).toBe(200)
    at.clock.advance(seconds(1))
    expect((await attempt('10.0.0.7', '198.51.100.1')).statusCode).toBe(401)
  })

  it('cannot take another address by a header of its own', async () => {
    serve()
    const statuses = new Set<number>()
    for (let times = 0; times < 70; times++)
      statuses.add((await attempt('127.0.0.1', `198.51.100.${times}`)).statusCode)
    expect([...statuses]).toEqual([401, 429])
  })
})

describe('the figures', () => {
  const figures = async (headers: Record<string, string> = {}) =>
    (await call('/metrics', '127.0.0.1', headers)).statusCode

  it('are told to anybody on this machine where nobody else reaches it', async () => {
    serve()
    expect(await figures()).toBe(200)
  })

  it('are told to an analyst’s key and to the operator where others do', async () => {
    serve({ isPublic: true, operatorToken })
    expect(await figures()).toBe(401)
    expect(await figures({ 'x-api-key': 'wrong' })).toBe(401)
    expect(await figures({ 'x-api-key': key })).toBe(403)
    expect(await figures({ 'x-api-key': analyst })).toBe(200)
    expect(await figures({ authorization: `Bearer ${operatorToken}` })).toBe(200)
    const refused = await call('/metrics', '127.0.0.1')
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer/)
  })

  it('are not a place to try keys at full speed', async () => {
    serve({ isPublic: true, operatorToken })
    const statuses = new Set<number>()
    for (let times = 0; times < 70; times++) statuses.add(await figures({ 'x-api-key': `wrong-${times}` }))
    expect([...statuses]).toEqual([401, 429])
    expect(await figures({ authorization: `Bearer ${operatorToken}` })).toBe(200)
  })

  it('never to a token that nobody gave out', async () => {
    serve({ isPublic: true })
    for (const token of ['', 'null', 'undefined']) expect(await figures({ authorization: `Bearer ${token}` })).toBe(401)
  })
})

it('what does not work although messages are taken is named', async () => {
  let degraded: string[] = []
  serve({}, { degraded: () => degraded })
  expect((await call('/ready', '127.0.0.1')).json()).toEqual({ status: 'ready', degraded: [] })
  degraded = ['publishing', 'adapter one: ended']
  const answer = await call('/ready', '127.0.0.1')
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready', degraded }])
})

describe('closing', () => {
  it('refuses a message only once it is assessed: a crisis is alerted, answered with its reply, and taken when sent again', async () => {
    serve()
    const asked = Promise.withResolvers<void>()
    const decided = Promise.withResolvers<void>()
    const stopping = await intakeSchool({ services: { timer: at.clock } })
    stopping.engine.assessWith = async (input) => {
      asked.resolve()
      if (input.text === 'in hand') await decided.promise
      return stopping.engine.assess(input)
    }
    const served = await serveIntake({ ...stopping.serverOptions(key), clock: at.clock }, { host: '127.0.0.1', port: 0 }) // prettier-ignore
    const say = async (session_id: string, content: string, client_message_id: string) => {
      const answer = await fetch(new URL(`/sessions/${session_id}/messages`, served.url), {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ sender: 'user', content, client_message_id }),
      })
      const [connection, wait] = ['connection', 'retry-after'].map((name) => answer.headers.get(name))
      return { status: answer.status, connection, wait, body: (await answer.json()) as object }
    }
    const [one, two] = [await stopping.intake.startSession({ user_id: 'a' }), await stopping.intake.startSession({ user_id: 'b' })] // prettier-ignore
    const inHand = say(one.session_id, 'in hand', 'm-1')
    await asked.promise
    const closing = served.close()

    const refused = { status: 503, connection: 'close', wait: '5' }
    const crisis = await say(two.session_id, crisisWords, 'm-2')
    expect(crisis).toMatchObject({ ...refused, body: { details: { tier: 'crisis', reply: protocolReply } } })
    const calm = await say(two.session_id, 'hello', 'm-3')
    expect(calm).toMatchObject(refused)
    expect(calm.body).not.toHaveProperty('details')
    decided.resolve()
    expect(await inHand).toMatchObject({ status: 200 })
    await closing

    const again = {
      session_id: two.session_id,
      sender: 'user',
      content: crisisWords,
      client_message_id: 'm-2',
    } as const
    expect(await stopping.intake.receive(again)).toMatchObject({ tier: 'crisis', sequence: 1 })
    const types = (await stopping.events()).map(({ event_type }) => event_type)
    expect(types.filter((type) => type === 'CRISIS_DETECTED')).toHaveLength(1)
    await stopping.close()
  })

  it('hangs up on what is still in hand once patience is over', async () => {
    serve()
    let asked = false
    at.options.engine.assessWith = () => {
      asked = true
      return new Promise(() => undefined)
    }
    const stuck = await intakeSchool({ ...at.options, services: { timer: at.clock } })
    const served = await serveIntake({ ...stuck.serverOptions(key), clock: at.clock, patience: seconds(3) }, { host: '127.0.0.1', port: 0 }) // prettier-ignore
    const post = (path: string, body: object) =>
      fetch(new URL(path, served.url), {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const { session_id } = (await (await post('/sessions', { user_id: 'a' })).json()) as { session_id: string }
    const inHand = post(`/sessions/${session_id}/messages`, { sender: 'user', content: crisisWords })
    const hungUp = expect(inHand).rejects.toThrow()
    await vi.waitFor(() => expect(asked).toBe(true))
    const closing = served.close()
    const late = await post('/sessions', { user_id: 'b' })
    expect([late.status, late.headers.get('connection')]).toEqual([503, 'close'])
    at.clock.advance(seconds(3))
    await closing
    await hungUp
    await stuck.close()
  })
})
