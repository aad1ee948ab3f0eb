/** A station whose PostgreSQL is gone for a while: nothing that was accepted is lost, and nobody is left without an answer. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { intakeClient } from '../../main/chat/index.ts'
import type { Station, StationOptions } from '../../main/station/index.ts'
import { openStationStore } from '../../main/store/station/index.ts'
import { minutes, seconds } from '../../shared/time.ts'
import { crisisWords, protocolReply } from '../support/intake-school.ts'
import { postgresMissing, startPostgres, type TestServer } from '../support/postgres.ts'
import { callAt, stationHouse, type StationHouse } from '../support/station.ts'
import { virtualClock } from '../support/virtual-clock.ts'

describe.skipIf(postgresMissing !== null)(
  `a PostgreSQL that is gone${postgresMissing ? ` (${postgresMissing})` : ''}`,
  () => {
    let server: TestServer
    let house: StationHouse
    let station: Station
    let published: string[]
    let takes: boolean
    let url: string
    beforeEach(async () => {
      server = await startPostgres({ durable: true })
      house = await stationHouse()
      url = (await server.createDatabase('station')).url
      published = []
      takes = true
      station = await start()
    })
    const start = async (more: Partial<StationOptions> = {}) =>
      house.start({
        store: await openStationStore({ url }),
        stationId: 'station-1',
        confirmations: null,
        publish: async (messages) => {
          if (!takes) throw new Error('no route')
          published.push(...messages.map(({ id }) => id))
          return new Map()
        },
        ...more,
      })
    afterEach(async () => {
      await house.close()
      await server.remove()
    })

    const call = (method: 'GET' | 'POST', path: string, body?: unknown) => callAt(station, method, path, body)

    it('is a 503 to the sender, with the reply of a crisis; what was accepted is published when it is back', async () => {
      const { body } = await call('POST', '/sessions', { user_id: 'student-1' })
      const messages = `/sessions/${String(body.session_id)}/messages`
      takes = false
      expect(
        (await call('POST', messages, { sender: 'user', content: 'hello', client_message_id: 'm-1' })).status,
      ).toBe(200)

      await server.stop()
      const crisis = { sender: 'user', content: crisisWords, client_message_id: 'm-2' }
      const refused = await call('POST', messages, crisis)
      expect(refused).toMatchObject({
        status: 503,
        retryAfter: '5',
        body: { details: { tier: 'crisis', reply: protocolReply } },
      })
      expect(await call('POST', '/sessions', { user_id: 'student-2' })).toMatchObject({ status: 503, retryAfter: '5' })
      expect((await call('GET', '/ready')).status).toBe(503)
      expect((await call('GET', '/health')).status).toBe(200)

      await server.restart()
      takes = true
      expect((await call('GET', '/ready')).status).toBe(200)
      expect(await call('POST', messages, crisis)).toMatchObject({ status: 200, body: { tier: 'crisis', sequence: 2 } })
      await vi.waitFor(
        () => {
          house.clock.advance(seconds(30))
          const own = published.filter((id) => !id.startsWith('heartbeat')).map((id) => id.split(':')[1])
          expect(own.sort()).toEqual(['CRISIS_DETECTED', 'MESSAGE_ANALYZED', 'MESSAGE_ANALYZED', 'SESSION_STARTED'])
        },
        { timeout: 10_000 },
      )
    })

    it('keeps the reply of a crisis from nobody where a reply service answers, too', async () => {
      await station.stop()
      station = await start({ replies: { ask: () => Promise.resolve('I am here.'), late: 'Please wait.' } })
      const { body } = await call('POST', '/sessions', { user_id: 'student-1' })
      const messages = `/sessions/${String(body.session_id)}/messages`
      await server.stop()
      const crisis = { sender: 'user', content: crisisWords, client_message_id: 'm-1' }
      expect(await call('POST', messages, crisis)).toMatchObject({
        status: 503,
        body: { details: { tier: 'crisis', reply: protocolReply } },
      })
      await server.restart()
      expect(await call('POST', messages, crisis)).toMatchObject({ status: 200, body: { reply: protocolReply } })
    })

    it('for a minute is waited out by the chats: each goes on where it was, and every message is published once', async () => {
      const chatClock = virtualClock()
      const waited = new Set<string>()
      const chat = intakeClient({
        target: () => ({ url: station.url, key: station.apiKey }),
        clock: chatClock,
        signal: new AbortController().signal,
        tries: Infinity,
        onWaiting: ({ why, reply }) => void waited.add(`${why}, ${reply ?? 'no reply'}`),
      })
      const talk = async (student: number): Promise<number[]> => {
        const { session_id } = await chat.startSession({ user_id: `student-${student}` })
        const places: number[] = []
        for (let number = 1; number <= 8; number++) {
          const content = number === 4 ? crisisWords : `number ${number}`
          const said = { sender: 'user', content, client_message_id: `m-${number}` } as const
          places.push((await chat.send(session_id, said)).sequence)
        }
        return places
      }
      const talking = Promise.all([1, 2, 3, 4, 5].map(talk))
      await vi.waitFor(() => expect(published.length).toBeGreaterThan(8), { timeout: 10_000 })
      await server.stop()
      await vi.waitFor(() => expect(waited).toContain('not ready, no reply'), { timeout: 10_000 })
      for (const gone = chatClock.now() + minutes(1); chatClock.now() < gone; chatClock.advance(seconds(5)))
        await new Promise((resolve) => setImmediate(resolve))
      await server.restart()
      let over = false
      void talking.finally(() => (over = true))
      await vi.waitFor(
        () => {
          chatClock.advance(seconds(5))
          expect(over).toBe(true)
        },
        { timeout: 30_000 },
      )
      expect(await talking).toEqual([1, 2, 3, 4, 5].map(() => [1, 2, 3, 4, 5, 6, 7, 8]))
      await vi.waitFor(
        () => {
          house.clock.advance(seconds(30))
          const once = [...new Set(published)]
          expect(once.filter((id) => id.endsWith(':MESSAGE_ANALYZED'))).toHaveLength(40)
          expect(once.filter((id) => id.includes('CRISIS_DETECTED'))).toHaveLength(5)
        },
        { timeout: 10_000 },
      )
    })

    it('in the middle of many messages loses none that was answered for', async () => {
      const { body } = await call('POST', '/sessions', { user_id: 'student-1' })
      const messages = `/sessions/${String(body.session_id)}/messages`
      const say = async (number: number) => {
        const message = { sender: 'user', content: `number ${number}`, client_message_id: `m-${number}` }
        return (await call('POST', messages, message)).status
      }
      const sending = Promise.all(Array.from({ length: 60 }, (_, number) => say(number)))
      await vi.waitFor(() => expect(published.length).toBeGreaterThan(5), { timeout: 10_000 })
      await server.stop()
      const statuses = await sending
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
      await server.restart()
      // Whoever was not answered sends again; nothing is there twice.
      for (const [number, status] of statuses.entries()) if (status !== 200) expect(await say(number)).toBe(200)
      expect((await call('GET', `/sessions/${String(body.session_id)}`)).body).toMatchObject({ message_count: 60 })
      await vi.waitFor(
        () => {
          house.clock.advance(seconds(30))
          expect(new Set(published.filter((id) => id.endsWith(':MESSAGE_ANALYZED'))).size).toBe(60)
        },
        { timeout: 10_000 },
      )
    })
  },
)
