/** Two stations on one database share the work and do nothing twice. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Station, StationOptions } from '../../../main/station/index.ts'
import { relayedId } from '../../../shared/action-message.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { crisisWords, school } from '../../support/intake-school.ts'
import { postgresMissing } from '../../support/postgres.ts'
import { chatAt, stationHouse, type StationHouse } from '../../support/station.ts'

let house: StationHouse
afterEach(() => house.close())

/** Takes whatever is published; what was, in order. */
function recordingTopic() {
  const published: string[] = []
  const publish: StationOptions['publish'] = async (messages) => {
    await new Promise((resolve) => setImmediate(resolve))
    published.push(...messages.map(({ id }) => id))
    return new Map()
  }
  return { published, publish }
}
const allSent = async () => expect(await house.rows('SELECT id FROM outbox WHERE sent_at IS NULL')).toEqual([])

describe.skipIf(postgresMissing !== null)(`two stations${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  let topic: ReturnType<typeof recordingTopic>
  beforeEach(async () => {
    house = await stationHouse('PostgreSQL')
    topic = recordingTopic()
  })
  const start = (stationId: string, more: Partial<StationOptions> = {}) =>
    house.start({ stationId, publish: topic.publish, confirmations: null, ...more })
  const say = (station: Station, session_id: string, content: string, client_message_id: string = randomUUID()) =>
    chatAt(station).send(session_id, { sender: 'user', content, client_message_id })

  it('publish each event once, whichever of them took the message', async () => {
    const [one, two] = [await start('station-1'), await start('station-2')]
    const sessions = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        chatAt([one, two][index % 2]!).startSession({ user_id: `student-${index}` }),
      ),
    )
    await Promise.all(
      sessions.flatMap(({ session_id }, index) =>
        [one, two].flatMap((station) =>
          [1, 2, 3].map((number) => say(station, session_id, number === index % 3 ? crisisWords : `number ${number}`)),
        ),
      ),
    )
    await vi.waitFor(allSent)
    const own = topic.published.filter((id) => !id.startsWith('heartbeat'))
    expect(new Set(own).size).toBe(own.length)
    expect(own.filter((id) => id.endsWith(':MESSAGE_ANALYZED'))).toHaveLength(36)
    expect(await house.rows('SELECT id FROM outbox')).toEqual([])
  })

  it('answer each message with all that was said before it, wherever that was', async () => {
    const [one, two] = [await start('station-1'), await start('station-2')]
    const { session_id } = await chatAt(one).startSession({ user_id: 'student-1' })
    const said: string[] = []
    for (const [index, station] of [one, one, two, one, two, two, one].entries()) {
      said.push(`number ${index}`)
      const response = await fetch(`${station.url}/sessions/${session_id}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${station.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ sender: 'user', content: `number ${index}` }),
      })
      const { buffer } = (await response.json()) as { buffer: { content: string }[] }
      expect(buffer.map(({ content }) => content)).toEqual(said)
    }
  })

  it('number the messages of one session without a gap and without a twin', async () => {
    const stations = [await start('station-1'), await start('station-2')] as const
    const { session_id } = await chatAt(stations[0]).startSession({ user_id: 'student-1' })
    const receipts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => say(stations[index % 2] as Station, session_id, `message ${index}`)),
    )
    const sequences = receipts.map(({ sequence }) => sequence).sort((a, b) => a - b)
    expect(sequences).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(await house.rows('SELECT message_count, student_turns FROM sessions')).toEqual([
      { message_count: 20, student_turns: 20 },
    ])
  })

  it('take a message that is sent to both as one', async () => {
    const stations = [await start('station-1'), await start('station-2')] as const
    const { session_id } = await chatAt(stations[0]).startSession({ user_id: 'student-1' })
    const [first, second] = await Promise.all(stations.map((station) => say(station, session_id, crisisWords, 'm-1')))
    expect(second).toEqual(first)
    await vi.waitFor(allSent)
    expect(topic.published.filter((id) => id.endsWith(':CRISIS_DETECTED'))).toHaveLength(1)
  })

  it('finish what a station that died had in its hands, once the claim has run out', async () => {
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    const hands = vi.fn<StationOptions['publish']>(() => held.then(() => new Map()))
    const one = await start('station-1', { publish: hands })
    const { session_id } = await chatAt(one).startSession({ user_id: 'student-1' })
    await vi.waitFor(() => expect(hands).toHaveBeenCalled())
    await say(one, session_id, crisisWords)

    await start('station-2')
    const crisis = () => topic.published.filter((id) => id.endsWith(':CRISIS_DETECTED')).length
    await vi.waitFor(async () => {
      house.clock.advance(seconds(10))
      await new Promise((resolve) => setImmediate(resolve))
      expect(crisis()).toBe(1)
    })
    await vi.waitFor(async () => {
      house.clock.advance(minutes(1))
      await allSent()
    })
    expect(new Set(topic.published).size).toBe(topic.published.length)
    // Only so that this test can end: the first station still waits for its topic.
    letGo()
  })

  it('give every record one place in the order of its session, whoever relays it, and relay it once', async () => {
    await Promise.all([start('station-1'), start('station-2')])
    const send = (ack_id: string, session_id: string) =>
      house.queue.send({ ack_id, event_type: 'ALERT_ACTION', school_id: school, session_id }, house.acksQueueUrl)
    const all = Array.from({ length: 12 }, (_, index) => [`ack-${index}`, `session-${index % 3}`] as const)
    await Promise.all([...all, ...all].map(([ack_id, session_id]) => send(ack_id, session_id)))
    await vi.waitFor(async () => expect(await house.rows('SELECT ack_id FROM records')).toHaveLength(12), {
      timeout: 10_000,
    })
    await vi.waitFor(async () => expect(await house.queue.take(house.acksQueueUrl)).toEqual([]), { timeout: 10_000 })
    for (const session of ['session-0', 'session-1', 'session-2']) {
      const places = await house.rows(`SELECT position FROM records WHERE session_id = '${session}' ORDER BY position`)
      expect(places.map(({ position }) => position)).toEqual([1, 2, 3, 4])
    }
    await vi.waitFor(allSent)
    expect(topic.published.filter((id) => id.startsWith('relay:')).sort()).toEqual(
      all.map(([ack_id]) => relayedId({ school_id: school, ack_id })).sort(),
    )
  })
})
