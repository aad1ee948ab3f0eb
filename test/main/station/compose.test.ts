import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findIntake } from '../../../main/platform/intake-address.ts'
import type { Station, StationOptions } from '../../../main/station/index.ts'
import { parseApiKeys } from '../../../main/station/intake/index.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { engine } from '../../evaluation/engine.ts'
import { ladderPolicy } from '../../support/ladder.ts'
import { crisisWords, otherSchool, protocolReply, school, scriptedEngine } from '../../support/intake-school.ts'
import { somePolicy } from '../../support/policies.ts'
import { onEachStore } from '../../support/test-stores.ts'
import { chatAt, stationHouse, type StationHouse } from '../../support/station.ts'

async function post({ url, apiKey }: Pick<Station, 'url' | 'apiKey'>, path: string, body: unknown) {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
/** A student of this name writes one message; answers the session. */
async function say(station: Pick<Station, 'url' | 'apiKey'>, user_id: string, content: string): Promise<string> {
  const { body } = await post(station, '/sessions', { user_id })
  const id = String(body.session_id)
  expect((await post(station, `/sessions/${id}/messages`, { sender: 'user', content })).status).toBe(200)
  return id
}

onEachStore((kind) => {
  let house: StationHouse
  beforeEach(async () => (house = await stationHouse(kind)))
  afterEach(() => house.close())

  const waitingInQueue = (count: number) =>
    vi.waitFor(async () => expect(await house.queue.left()).toBe(count), { timeout: 5000, interval: 10 })
  /** How many events of a session wait for the console. */
  const unconfirmed = async (session: string) =>
    (await house.rows(`SELECT id FROM outbox WHERE group_id = '${session}'`)).length
  const typesOf = (events: Record<string, unknown>[]) => events.map(({ event_type }) => event_type)

  describe('a station', () => {
    it('publishes what is said over its REST address, and a heartbeat', async () => {
      const station = await house.start()
      const id = await say(station, 'student-1', `I ${crisisWords}`)
      await waitingInQueue(4)
      const events = await house.queue.take()
      expect(typesOf(events).sort()).toEqual(['CRISIS_DETECTED', 'HEARTBEAT', 'MESSAGE_ANALYZED', 'SESSION_STARTED'])
      const student_hash = createHmac('sha256', station.salt).update('student-1').digest('hex')
      for (const event of events.filter(({ event_type }) => event_type !== 'HEARTBEAT'))
        expect(event).toMatchObject({ session_id: id, school_id: school, student_hash })
    })

    it('reads every message by what the school has chosen at that moment, and says so with what it found', async () => {
      const station = await house.start({ assessment: { engine, services: null } })
      await say(station, 'student-1', 'hello')
      const detection = { operating_point: 'more_caution', weights: null, chosen: null } as const
      const change = { school_id: school, by: 'admin-1', version: 0, policy: somePolicy({ detection }) }
      expect(await station.policy.save(change)).toHaveProperty('changed')
      await say(station, 'student-2', 'hello again')
      await waitingInQueue(6)
      const read = (await house.queue.take()).filter(({ event_type }) => event_type === 'MESSAGE_ANALYZED')
      expect(read.map(({ operating_point }) => operating_point).sort()).toEqual(['balanced', 'more_caution'])
      expect(read.map(({ decided_on }) => decided_on)).toEqual(['nothing', 'nothing'])
    })

    it('asks no service about a told past, and warns of nothing in it', async () => {
      const asked = vi.fn(() => Promise.resolve(null))
      const engine = scriptedEngine()
      engine.assessWith = async (input) => (await asked(), engine.assess(input))
      const services = { timer: house.clock }
      const apiKey = 'key-of-the-historian'
      const settings = { keys: parseApiKeys(`${apiKey}::write+backfill`), bufferSize: 20 }
      const { url } = await house.start({ assessment: { engine, services }, settings })
      const chat = chatAt({ url, apiKey })
      const at = house.clock.now() - minutes(600)
      const { session_id } = await chat.startSession({ user_id: 'student-1', at })
      const words = { sender: 'user', content: crisisWords } as const
      const past = await chat.send(session_id, { ...words, client_message_id: 'one', at })
      expect(past).toMatchObject({ tier: 'crisis', reply: protocolReply })
      expect(asked).not.toHaveBeenCalled()
      expect(house.entries.filter(({ level }) => level === 'warn')).toEqual([])
      await chat.send(session_id, { ...words, client_message_id: 'two' })
      expect(asked).toHaveBeenCalledOnce()
      expect(house.entries.filter(({ level }) => level === 'warn')).toHaveLength(1)
    })

    it('beats every minute for every school it serves, under its own id, across restarts', async () => {
      const keys = parseApiKeys(`key-of-another-school:${otherSchool.toUpperCase()}`)
      const first = await house.start({ settings: { keys, bufferSize: 20 } })
      await waitingInQueue(2)
      house.clock.advance(minutes(1))
      await waitingInQueue(4)
      await first.stop()
      const beats = await house.queue.take()
      expect(beats.map(({ school_id }) => school_id).sort()).toEqual([school, school, otherSchool, otherSchool].sort())
      await house.start()
      await vi.waitFor(async () => expect(await house.queue.left()).toBeGreaterThan(0))
      const sources = [...beats, ...(await house.queue.take())].map(({ source }) => source)
      expect(new Set(sources).size).toBe(1)
    })

    it('relays actions and nothing else, and leaves a line about the rest without a word of it', async () => {
      await house.start()
      await waitingInQueue(1)
      const forged = { ack_id: 'h', event_type: 'HEARTBEAT', idempotency_key: 'beat', note: 'MARKED' }
      await house.queue.send(forged, house.acksQueueUrl)
      await house.queue.send({ ack_id: 'a-2', event_type: 'ALERT_ACTION' }, house.acksQueueUrl)
      await waitingInQueue(2)
      const sources = (await house.queue.take()).map(({ event_type, ack_id }) => [event_type, ack_id])
      expect(sources.sort()).toEqual([
        ['ALERT_ACTION', 'a-2'],
        ['HEARTBEAT', undefined],
      ])
      const lines = house.entries.filter(({ level }) => level === 'warn')
      expect(lines).toMatchObject([
        { fields: { refused: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string } },
      ])
      expect(JSON.stringify(lines)).not.toContain('MARKED')
    })

    it('sends its own events also where somebody relayed an action under their key', async () => {
      const station = await house.start()
      const id = await say(station, 'student-1', 'hello')
      await waitingInQueue(3)
      await house.queue.take()
      const key = `${id}:SESSION_ENDED`
      await house.queue.send({ ack_id: 'e', event_type: 'ALERT_ACTION', idempotency_key: key }, house.acksQueueUrl)
      await waitingInQueue(1)
      await house.queue.take()
      expect((await post(station, `/sessions/${id}/end`, {})).status).toBe(200)
      await waitingInQueue(1)
      expect(await house.queue.take()).toMatchObject([{ event_type: 'SESSION_ENDED', idempotency_key: key }])
    })

    it('brings an acknowledgement back to every console, once', async () => {
      await house.start()
      await waitingInQueue(1)
      await house.queue.take()
      const acknowledgement = { ack_id: 'a-1', event_type: 'ALERT_ACKNOWLEDGED', acknowledged_by: 'marlow' }
      await house.queue.send(acknowledgement, house.acksQueueUrl)
      await house.queue.send(acknowledgement, house.acksQueueUrl)
      await waitingInQueue(1)
      expect(await house.queue.take()).toMatchObject([{ event_type: 'ALERT_ACTION', ack_id: 'a-1', by: 'marlow' }])
      await vi.waitFor(async () => expect(await house.queue.take(house.acksQueueUrl)).toEqual([]))
      house.confirm('relay:0::a-1')
      await vi.waitFor(async () =>
        expect(await house.rows(`SELECT id FROM outbox WHERE event_type = 'ALERT_ACTION'`)).toEqual([]),
      )
    })

    it('brings records of two schools back that have the same id, each once', async () => {
      await house.start()
      await waitingInQueue(1)
      await house.queue.take()
      const record = (school_id: string, more = {}) => ({
        ack_id: 'a-1',
        event_type: 'ALERT_ACTION',
        school_id,
        ...more,
      })
      const both = [record('school-1', { idempotency_key: 'k' }), record('school-2', { idempotency_key: 'k' })]
      for (const message of [...both, ...both]) await house.queue.send(message, house.acksQueueUrl)
      await waitingInQueue(2)
      const relayed = (await house.queue.take()).map(({ school_id }) => school_id)
      expect(relayed.sort()).toEqual(['school-1', 'school-2'])
      await vi.waitFor(async () => expect(await house.queue.take(house.acksQueueUrl)).toEqual([]))
      expect(await house.rows('SELECT ack_id FROM records')).toHaveLength(2)
      expect(await house.rows(`SELECT id FROM outbox WHERE event_type = 'ALERT_ACTION'`)).toHaveLength(2)
    })

    it('gives up what it had in hand when it last ended before it takes any message', async () => {
      const engine = scriptedEngine()
      const asked = Promise.withResolvers<void>()
      engine.assessWith = () => {
        asked.resolve()
        return new Promise(() => undefined)
      }
      const first = await house.start({ assessment: { engine, services: { timer: house.clock } } })
      const { session_id } = await chatAt(first).startSession({ user_id: 'student-1' })
      const words = { sender: 'user', content: crisisWords, client_message_id: 'one' } as const
      const told = { failure: 503, reply: protocolReply }
      const undecided = expect(chatAt(first).send(session_id, words)).rejects.toMatchObject(told)
      await asked.promise
      const stopping = first.stop()
      // Longer than a stop waits for what is in hand.
      house.clock.advance(minutes(1))
      await stopping
      await undecided
      const claims = () => house.rows('SELECT state, claimed_until FROM messages')
      expect(await claims()).not.toMatchObject([{ claimed_until: 0 }])

      const squatter = createServer()
      await new Promise<void>((done) => squatter.listen(0, '127.0.0.1', done))
      const { port } = squatter.address() as AddressInfo
      await expect(house.start({ address: { host: '127.0.0.1', port } })).rejects.toThrow('EADDRINUSE')
      squatter.close()
      expect(await claims()).toEqual([{ state: 'accepted', claimed_until: 0 }])
    })

    it('is found by commands of this machine while it runs', async () => {
      const station = await house.start()
      expect(findIntake(house.dir)).toEqual({ url: station.url, key: station.apiKey })
      await station.stop()
      expect(findIntake(house.dir)).toBeNull()
      await expect(fetch(station.url)).rejects.toThrow()
    })
  })

  it('says that nothing can be published once that lasts a minute, and takes messages all the same', async () => {
    const publish = vi.fn(() => Promise.reject(new Error('unreachable')))
    const station = await house.start({ publish })
    const ready = async () =>
      ((await (await fetch(new URL('/ready', station.url))).json()) as { degraded: string[] }).degraded
    await vi.waitFor(async () =>
      expect(await house.rows('SELECT last_error FROM outbox')).toEqual([{ last_error: 'Error' }]),
    )
    expect(await ready()).toEqual([])
    house.clock.advance(minutes(1))
    expect(await ready()).toEqual(['publishing'])
    const figures = await (await fetch(new URL('/metrics', station.url))).text()
    expect(figures).toMatch(/^psyflo_publish_failing 1$/m)
    await say(station, 'student-1', 'hello')
  })

  it('warns at its readiness where nobody could be told of a crisis now, until somebody can', async () => {
    const station = await house.start({ ladder: {} })
    const ready = async () => {
      const response = await fetch(new URL('/ready', station.url))
      return [response.status, ((await response.json()) as { degraded: string[] }).degraded]
    }
    await vi.waitFor(async () => expect(await ready()).toEqual([200, ['nobody can be told of a crisis']]))
    await station.policy.save({ school_id: school, by: 'admin', version: 0, policy: ladderPolicy() })
    house.clock.advance(minutes(1))
    await vi.waitFor(async () => expect(await ready()).toEqual([200, []]))
  })

  it('says so of one event that the topic does not take, though all others get through, until it does', async () => {
    let refuses = true
    const told: (number | null)[] = []
    const station = await house.start({
      publish: (messages) =>
        Promise.resolve(
          new Map(
            messages.flatMap(({ id, event_type }) =>
              refuses && event_type === 'CRISIS_DETECTED' ? [[id, 'InternalError']] : [],
            ),
          ),
        ),
      onPublishing: (since) => void told.push(since),
    })
    const began = house.clock.now()
    await say(station, 'student-1', `I ${crisisWords}`)
    const refused = () => house.rows('SELECT id FROM outbox WHERE last_error IS NOT NULL')
    await vi.waitFor(async () => expect(await refused()).toHaveLength(1))
    const pass = async () => {
      house.clock.advance(seconds(5))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.waitFor(async () => (await pass(), expect(told).toHaveLength(1)), { timeout: 20_000, interval: 5 })
    // Its age counts from the first look at it, and the clock may be ahead of that look here.
    const since = told[0] ?? 0
    expect(since).toBeGreaterThanOrEqual(began)
    expect(house.clock.now() - since).toBeGreaterThanOrEqual(minutes(1))
    refuses = false
    await vi.waitFor(async () => (await pass(), expect(told).toEqual([since, null])), {
      timeout: 20_000,
      interval: 5,
    })
  })

  describe('what the console has committed', () => {
    it('leaves the outbox; all else is published again at the next start, and nothing else is', async () => {
      const first = await house.start()
      const id = await say(first, 'student-1', 'hello')
      await waitingInQueue(3)
      const published = await house.queue.take()
      expect(await unconfirmed(id)).toBe(2)
      const [started, analyzed] = ['SESSION_STARTED', 'MESSAGE_ANALYZED'].map((type) =>
        String(published.find(({ event_type }) => event_type === type)?.idempotency_key),
      )
      house.confirm(started ?? '', 'unknown')
      await vi.waitFor(async () => expect(await unconfirmed(id)).toBe(1))
      await first.stop()
      house.confirm(analyzed ?? '')

      await house.start()
      // The unconfirmed message, the unconfirmed heartbeat, and the heartbeat of this start.
      await waitingInQueue(3)
      const again = await house.queue.take()
      expect(typesOf(again).sort()).toEqual(['HEARTBEAT', 'HEARTBEAT', 'MESSAGE_ANALYZED'])
      expect(again.find(({ event_type }) => event_type === 'MESSAGE_ANALYZED')).toMatchObject({
        idempotency_key: analyzed,
      })
      house.confirm(...again.map(({ idempotency_key }) => String(idempotency_key)))
      await vi.waitFor(async () => expect(await unconfirmed(id)).toBe(0))
      await vi.waitFor(async () => expect(await house.rows('SELECT id FROM outbox')).toEqual([]))
    })

    it('leaves the outbox also where it is committed while the station still starts', async () => {
      const first = await house.start()
      const id = await say(first, 'student-1', 'hello')
      await first.stop()
      let starting = true
      const committedAtOnce: StationOptions['publish'] = (messages) => {
        if (starting) house.confirm(...messages.map((message) => message.id))
        return Promise.resolve(new Map())
      }
      await house.start({ publish: committedAtOnce })
      await vi.waitFor(async () => expect(await unconfirmed(id)).toBe(0))
      starting = false
    })
  })

  describe('the salt of a school', () => {
    it('is made once: a restart knows every student again', async () => {
      const first = await house.start()
      await first.stop()
      const second = await house.start()
      expect(second.salt).toBe(first.salt)
      expect(Buffer.from(first.salt, 'hex')).toHaveLength(32)
    })

    it('of the environment is kept; another one is refused with nothing changed', async () => {
      await (await house.start({ salt: 'salt of the district' })).stop()
      expect((await house.start()).salt).toBe('salt of the district')
      await expect(house.start({ salt: 'another salt' })).rejects.toMatchObject({ code: 'salt' })
      expect(await house.rows('SELECT school_id FROM schools')).toEqual([{ school_id: school }])
      expect(JSON.stringify(await house.rows('SELECT * FROM schools'))).not.toContain('salt of the district')
    })

    it('of the environment is refused where the keys name more than one school', async () => {
      const keys = parseApiKeys(`key-of-another-school:${otherSchool}`)
      const refused = house.start({ salt: 'salt of the district', settings: { keys, bufferSize: 20 } })
      await expect(refused).rejects.toMatchObject({ code: 'salt' })
    })

    it('is another one at another school: the same id is another student there', async () => {
      const keys = parseApiKeys(`key-of-another-school:${otherSchool}`)
      const station = await house.start({ settings: { keys, bufferSize: 20 } })
      await say(station, 'student-1', 'hello')
      await say({ url: station.url, apiKey: 'key-of-another-school' }, 'student-1', 'hello')
      const students = await house.rows('SELECT school_id, student_hash FROM sessions')
      expect(students.map(({ school_id }) => school_id).sort()).toEqual([school, otherSchool].sort())
      expect(new Set(students.map(({ student_hash }) => student_hash)).size).toBe(2)
    })
  })

  it('a station that cannot start leaves nothing running', async () => {
    const station = await house.start()
    const { port } = new URL(station.url)
    const taken = house.start({ address: { host: '127.0.0.1', port: Number(port) } })
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await station.stop()
    expect(existsSync(join(house.dir, 'intake.json'))).toBe(false)
  })
})

it('nothing that is said, and nobody’s id, stands in a file of the station in the clear', async () => {
  const house = await stationHouse()
  const station = await house.start()
  const id = await say(station, 'xx-marked-student', 'xx-marked-words')
  for (const [folder, name] of [house.dir, house.databaseFolder].flatMap((folder) =>
    readdirSync(folder).map((name) => [folder, name] as const),
  )) {
    const file = readFileSync(join(folder, name))
    for (const secret of ['xx-marked-words', 'xx-marked-student', id, station.salt, 'MESSAGE_ANALYZED'])
      expect(file.includes(secret), `${secret} in ${name}`).toBe(false)
  }
  await house.close()
})
