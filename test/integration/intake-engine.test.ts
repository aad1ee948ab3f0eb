/** Intake, pipeline and the real engine together: what a chat sends and what the console's queue would get. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serveIntake } from '../../main/station/intake/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { intakeSchool, type IntakeSchool } from '../support/intake-school.ts'
import { engine } from '../evaluation/engine.ts'

const key = 'key-of-the-chat-0001'

let at: IntakeSchool
let served: { url: string; close: () => Promise<void> }
beforeEach(async () => {
  at = await intakeSchool({ engine, clock: systemClock })
  served = await serveIntake(at.serverOptions(key), { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await served.close()
  await at.close()
})

async function post(path: string, body: unknown) {
  const response = await fetch(`${served.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

it('a conversation that turns to a crisis is answered with the fixed reply within 100 ms and evented whole', async () => {
  const { body: session } = await post('/sessions', { user_id: 'student-1' })
  const say = (sender: string, content: string) =>
    post(`/sessions/${String(session.session_id)}/messages`, { sender, content })
  expect((await say('user', 'I had a good day today')).body).toMatchObject({ tier: 'ok', score: 0, reply: null })
  await say('assistant', 'I am glad to hear that.')
  const words = 'I want to end my life'
  const crisis = await say('user', words)
  expect(crisis.body).toMatchObject({ tier: 'crisis', level: 'CRISIS', reply: engine.protocolReply })
  expect(crisis.body.score).toBeGreaterThanOrEqual(0.95)
  const { status, body: summary } = await post(`/sessions/${String(session.session_id)}/end`, {})
  expect(status).toBe(200)
  expect(summary).toMatchObject({ message_count: 3, risk: { highest_tier: 'crisis' } })

  const events = await at.events()
  expect(events.map(({ event_type }) => event_type)).toEqual([
    'SESSION_STARTED',
    'MESSAGE_ANALYZED',
    'MESSAGE_ANALYZED',
    'CRISIS_DETECTED',
    'MESSAGE_ANALYZED',
    'SESSION_ENDED',
  ])
  const detected = events.find((event) => event.event_type === 'CRISIS_DETECTED')
  expect(detected).toMatchObject({ decided_by: 'floor' })
  expect(at.key.open(detected!.evidence!)).toBe(words)
  expect(detected!.reasoning).not.toContain('end my life')
  const analyzed = events.findLast((event) => event.event_type === 'MESSAGE_ANALYZED')
  expect(analyzed!.latency_ms).toBeLessThan(100)
  const [span] = analyzed!.flagged
  expect(words.slice(span!.start, span!.end)).toContain('end my life')
})

it('everything answered for is in the encrypted file when the process is gone', async () => {
  const { body: session } = await post('/sessions', { user_id: 'student-1' })
  await post(`/sessions/${String(session.session_id)}/messages`, { sender: 'user', content: 'I want to end my life' })
  // Another connection sees only what was committed.
  const types = (await at.events()).map(({ event_type }) => event_type)
  expect(types).toEqual(['SESSION_STARTED', 'CRISIS_DETECTED', 'MESSAGE_ANALYZED'])
  expect(await at.rows('SELECT tier FROM messages')).toEqual([{ tier: 'crisis' }])
})

it('what answers a direct question of the assistant is read with the question', async () => {
  const { body: session } = await post('/sessions', { user_id: 'student-1' })
  const say = (sender: string, content: string) =>
    post(`/sessions/${String(session.session_id)}/messages`, { sender, content })
  expect((await say('user', 'been a long season')).body).toMatchObject({ tier: 'ok' })
  await say('assistant', 'It sounds heavy. Are you thinking about ending your life?')
  expect((await say('user', 'sometimes')).body).toMatchObject({ tier: 'crisis', reply: engine.protocolReply })
  const detected = (await at.events()).find((event) => event.event_type === 'CRISIS_DETECTED')
  expect(at.key.open(detected!.evidence!)).toBe('sometimes')
  expect(detected!.reasoning).not.toMatch(/ending your life|sometimes/)
})

it('the same word is nothing where the assistant asked of something else', async () => {
  const { body: session } = await post('/sessions', { user_id: 'student-1' })
  const say = (sender: string, content: string) =>
    post(`/sessions/${String(session.session_id)}/messages`, { sender, content })
  await say('user', 'do you play anything')
  await say('assistant', 'I do not, but I like hearing about it. Do you play with your brother?')
  expect((await say('user', 'sometimes')).body).toMatchObject({ tier: 'ok' })
})
