/** /openapi.json against the server it describes: every route, and every answer in its declared shape. */
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { buildIntakeServer } from '../../../../main/station/intake/index.ts'
import { createMetrics } from '../../../../main/station/index.ts'
import { crisisWords, intakeSchool, type IntakeSchool } from '../../../support/intake-school.ts'

const key = 'key-of-the-chat-0001'
const readOnly = 'key-of-the-reader-01'

let at: IntakeSchool
let app: FastifyInstance
let routes: string[]
beforeEach(async () => {
  at = await intakeSchool()
  app = buildIntakeServer({
    ...at.serverOptions(`${key},${readOnly}::read`),
    metrics: createMetrics(at.clock, { ofProcess: false }),
    rateLimit: { perSecond: 1, burst: 40 },
  })
  routes = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push(`${each} ${url.replace(/:(\w+)/g, '{$1}')}`)
  })
  await app.ready()
})
afterEach(async () => {
  await app.close()
  await at.close()
})

const json = z.looseObject({})
const responseSchema = z.object({
  description: z.string(),
  /** By content type. */
  content: z.record(z.string(), z.object({ schema: json })),
})
const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  security: z.array(json),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        summary: z.string(),
        security: z.array(json).optional(),
        parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: json })).optional(),
        requestBody: z.object({ required: z.literal(true), content: z.object({ 'application/json': z.object({ schema: json }) }) }).optional(),
        responses: z.record(z.string(), responseSchema),
      }),
    ),
  ),
}) // prettier-ignore
const described = async () => documentSchema.parse((await app.inject('/openapi.json')).json())
const operations = async () =>
  Object.entries((await described()).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )

it('is a valid OpenAPI 3.1 description', async () => {
  const validation = await new Validator().validate((await app.inject('/openapi.json')).json<Record<string, unknown>>())
  expect(validation).toEqual({ valid: true })
})

it('names every route of the server, each once, and none that is not there', async () => {
  const all = await operations()
  expect(all.map(([call]) => call).sort()).toEqual(routes.sort())
  expect(routes).toHaveLength(10)
  const ids = all.map(([, { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('says which calls need a key: all but those about the server itself', async () => {
  const open = (await operations()).filter(([, { security }]) => security?.length === 0).map(([call]) => call)
  expect(open.sort()).toEqual(['GET /health', 'GET /openapi.json', 'GET /ready'])
  for (const [call, { responses }] of await operations())
    expect(Object.keys(responses).includes('401'), call).toBe(!open.includes(call))
})

it('says what a message must be, where its id stands, and every way in which it is refused', async () => {
  const message = (await described()).paths['/sessions/{id}/messages']?.['post']
  expect(message?.requestBody?.content['application/json'].schema).toMatchObject({
    type: 'object',
    required: ['sender', 'content'],
    properties: { sender: { enum: ['user', 'assistant', 'system'] }, content: { minLength: 1 } },
  })
  expect(message?.parameters).toMatchObject([{ name: 'id', in: 'path', required: true }])
  expect(Object.keys(message?.responses ?? {})).toEqual(['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503']) // prettier-ignore
  const pages = (await described()).paths['/sessions']?.['get']?.parameters?.map(({ name }) => name)
  expect(pages?.sort()).toEqual(['limit', 'offset', 'status', 'user_id'])
})

it('declares the shape of every answer that is given, whatever is asked and however it is refused', async () => {
  const declared = new Map<string, Awaited<ReturnType<typeof operations>>[number][1]>(await operations())
  const given = new Set<string>()
  const call = async (method: 'GET' | 'POST', path: string, body?: unknown, more: Record<string, string> = {}) => {
    const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more }
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await app.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload }) })
    const name = `${method} ${path.split('?')[0]?.replace(/^\/sessions\/[^/]+/, '/sessions/{id}')}`
    const response = declared.get(name)?.responses[String(answer.statusCode)]
    expect(response, `${name} ${answer.statusCode}`).toBeDefined()
    const [type = ''] = String(answer.headers['content-type']).split(';')
    const said = type === 'application/json' ? answer.json<Record<string, unknown>>() : answer.body
    z.fromJSONSchema(response?.content[type]?.schema ?? { not: {} }).parse(said)
    given.add(`${name} ${answer.statusCode}`)
    return typeof said === 'string' ? {} : said
  }
  const { session_id } = await call('POST', '/sessions', { user_id: 'student-1', metadata: { locale: 'en-US' } })
  const session = `/sessions/${String(session_id)}`
  const say = (content: unknown, more: object = {}) =>
    call('POST', `${session}/messages`, { sender: 'user', content, ...more })

  for (const path of [
    '/health',
    '/ready',
    '/metrics',
    '/openapi.json',
    '/sessions',
    '/sessions?limit=1&status=active',
    session,
  ])
    await call('GET', path)
  await call('GET', `${session}/summary`)
  await say('hello', { client_message_id: 'one' })
  await say(crisisWords)
  await call('GET', session)
  await say('')
  await say(5)
  await say('other words', { client_message_id: 'one' })
  await say('long '.repeat(10_000))
  await say('longer '.repeat(200_000))
  await call('POST', '/sessions', {})
  await call('POST', '/sessions', '{')
  await call('POST', '/sessions', { user_id: 'long '.repeat(300_000) })
  await call('POST', '/sessions', 'x', { 'content-type': 'text/plain' })
  await call('GET', '/sessions?limit=0')
  for (const [method, path] of [
    ['GET', '/sessions/none'],
    ['GET', '/sessions/none/summary'],
    ['POST', '/sessions/none/end'],
  ] as const)
    // prettier-ignore
    await call(method, path)
  await call('POST', '/sessions', { user_id: 'a' }, { 'x-api-key': 'unknown' })
  await call('POST', '/sessions', { user_id: 'a' }, { 'x-api-key': readOnly })
  await call('POST', `${session}/end`)
  await call('POST', `${session}/end`)
  await say('afterwards')
  await call('GET', `${session}/summary`)
  while (!given.has('GET /sessions/{id} 429')) await call('GET', session)
  await say(crisisWords)
  at.clock.advance(60_000)
  await at.run('ALTER TABLE outbox RENAME TO gone')
  await say(crisisWords)
  await call('POST', '/sessions', { user_id: 'a' })
  await at.store.close()
  await call('GET', '/ready')

  const answered = new Set([...given].map((each) => each.replace(/ \d+$/, '')))
  expect([...answered].sort()).toEqual([...declared.keys()].sort())
  for (const status of [200, 201, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503])
    expect(
      [...given].some((each) => each.endsWith(` ${status}`)),
      String(status),
    ).toBe(true)
})
