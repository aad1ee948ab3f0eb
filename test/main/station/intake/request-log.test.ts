/** The lines that a request leaves in the log, as the logger writes them. */
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../../../../main/platform/logger.ts'
import { buildIntakeServer, schoolIntake } from '../../../../main/station/intake/index.ts'
import { createPipeline } from '../../../../main/station/sessions/index.ts'
import { crisisWords, intakeSchool, type IntakeSchool } from '../../../support/intake-school.ts'

const key = 'key-of-the-chat-0001'
const student = 'xx-student-of-the-log'
const words = `xx-words-of-the-log ${crisisWords}`

let at: IntakeSchool
let app: FastifyInstance
let lines: string[]
beforeEach(async () => {
  at = await intakeSchool()
  lines = []
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) })
  const pipeline = createPipeline({ ...at.options, logger })
  const intakeOf = (school: string) => schoolIntake({ ...at.options, pipeline }, school)
  app = buildIntakeServer({ ...at.serverOptions(key), intakeOf, logger })
})
afterEach(async () => {
  await app.close()
  await at.close()
})

const call = (method: 'GET' | 'POST', url: string, payload?: object, apiKey = key) =>
  app.inject({ method, url, headers: { 'x-api-key': apiKey }, ...(payload && { payload }) })
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

it('one a request, whatever became of it: method, pattern of the route, status, time, correlation id', async () => {
  const { session_id } = (await call('POST', '/sessions', { user_id: student })).json<{ session_id: string }>()
  const answers = [
    await call('GET', `/sessions/${session_id}?user_id=${student}`),
    await call('POST', `/sessions/${session_id}/messages`, { sender: 'nobody' }),
    await call('GET', '/sessions/none/summary'),
    await call('GET', `/${student}`),
    await call('GET', '/sessions', undefined, 'an unknown key'),
    await call('GET', '/health'),
  ]
  const requests = logged().filter(({ msg }) => msg === 'request')
  expect(requests.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', '/sessions', 201],
    ['GET', '/sessions/:id', 200],
    ['POST', '/sessions/:id/messages', 400],
    ['GET', '/sessions/:id/summary', 404],
    ['GET', 'unmatched', 404],
    ['GET', '/sessions', 401],
    ['GET', '/health', 200],
  ])
  // pino's level 30 = info.
  for (const request of requests) expect(request).toMatchObject({ level: 30, latency_ms: expect.any(Number) as number })
  expect(requests.slice(1).map(({ correlation_id }) => correlation_id)).toEqual(
    answers.map(({ headers }) => headers['x-correlation-id']),
  )
  expect(new Set(requests.map(({ correlation_id }) => correlation_id)).size).toBe(requests.length)
})

it('a crisis is a warning with categories and a pseudonym of its chat, the same for each of one chat', async () => {
  const chats = []
  for (const user_id of [student, 'another']) {
    const { session_id } = (await call('POST', '/sessions', { user_id })).json<{ session_id: string }>()
    for (let times = 0; times < 2; times++)
      await call('POST', `/sessions/${session_id}/messages`, { sender: 'user', content: words })
    chats.push(session_id)
  }
  const warnings = logged().filter(({ level }) => level === 40)
  expect(warnings).toHaveLength(4)
  for (const warning of warnings)
    expect(warning).toMatchObject({ msg: 'crisis detected', categories: ['suicidal_ideation'], decided_by: 'floor' })
  const pseudonyms = warnings.map(({ chat }) => String(chat))
  expect(pseudonyms).toEqual([pseudonyms[0], pseudonyms[0], pseudonyms[2], pseudonyms[2]])
  expect(pseudonyms[0]).not.toBe(pseudonyms[2])
  for (const pseudonym of pseudonyms) expect(pseudonym).toMatch(/^[0-9a-f]{12}$/)
  for (const secret of [...chats, student, words, crisisWords, key]) expect(lines.join('')).not.toContain(secret)
  expect(lines.join('')).not.toContain('[removed]')
})
