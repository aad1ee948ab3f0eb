/** An API key that is revoked while its chat is in the middle of a sentence. */
import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Assessment } from '../../shared/assessment.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Station } from '../../main/station/index.ts'
import { crisisWords, protocolReply, school, scriptedEngine } from '../support/intake-school.ts'
import { stationHouse, type StationHouse } from '../support/station.ts'
import { virtualClock } from '../support/virtual-clock.ts'

let house: StationHouse
let station: Station
/** A chat that keeps its one connection. */
let agent: Agent
/** What a service is asked and has not answered. */
let answers: (() => void)[]
beforeEach(async () => {
  answers = []
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  house = await stationHouse()
  const engine = scriptedEngine()
  engine.assessWith = (input) => new Promise<Assessment>((resolve) => answers.push(() => resolve(engine.assess(input))))
  station = await house.start({ assessment: { engine, services: { timer: virtualClock() } } })
})
afterEach(async () => {
  agent.destroy()
  await house.close()
})

/** A request whose body is sent to its end by `finish`. */
function begin(key: string, path: string, body: object) {
  const whole = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(whole),
  }
  const asking = request(new URL(path, station.url), { method: 'POST', agent, headers })
  const answered = once(asking, 'response') as Promise<[IncomingMessage]>
  asking.write(whole.slice(0, 5))
  return {
    socket: async () => asking.socket ?? ((await once(asking, 'socket')) as [typeof asking.socket])[0],
    async finish() {
      asking.end(whole.slice(5))
      const [response] = await answered
      return {
        status: response.statusCode,
        challenge: response.headers['www-authenticate'],
        body: JSON.parse(await text(response)) as Record<string, unknown>,
      }
    },
  }
}

it('what was in hand is answered to its end, and the next word on the same connection is refused', async () => {
  const { id, key } = await station.keys.issueApiKey({ school_id: school, label: 'Chat', scopes: ['read', 'write'] })
  const opening = begin(key, '/sessions', { user_id: 'student-1' })
  const { body } = await opening.finish()
  const messages = `/sessions/${String(body['session_id'])}/messages`
  const crisis = begin(key, messages, { sender: 'user', content: crisisWords, client_message_id: 'm-1' })
  expect(await crisis.socket()).toBe(await opening.socket())
  const answered = crisis.finish()
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  expect(await station.keys.revokeApiKey({ school_id: school, id })).toBe(true)
  answers.pop()?.()
  expect(await answered).toMatchObject({ status: 200, body: { tier: 'crisis', reply: protocolReply } })

  const next = begin(key, messages, { sender: 'user', content: 'hello', client_message_id: 'm-2' })
  expect(await next.finish()).toMatchObject({ status: 401, challenge: 'Bearer realm="psyflo"' })
  expect(await house.rows(`SELECT count(*) AS messages FROM messages`)).toEqual([{ messages: 1 }])
  expect(await house.rows(`SELECT event_type FROM outbox WHERE event_type = 'CRISIS_DETECTED'`)).toHaveLength(1)
})
