/** From a student's words at the intake to a person who is told, and back by a real queue. */
import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Channels, Message } from '../../../main/station/channels/index.ts'
import type { Station } from '../../../main/station/index.ts'
import { eventSchema, type ConsoleEvent } from '../../../shared/events.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { announcingConsole } from '../../support/announcing-console.ts'
import { legacyCrisis } from '../../support/events.ts'
import { crisisWords, school } from '../../support/intake-school.ts'
import { ladderPolicy } from '../../support/ladder.ts'
import { callAt, chatAt, stationHouse, type StationHouse } from '../../support/station.ts'

let house: StationHouse
beforeEach(async () => void (house = await stationHouse()))
afterEach(() => house.close())

const told: { person: string; channel: string; message: Message }[] = []
const channels: Channels = {
  available: () => ['sms', 'voice'],
  send: async (channel, { person }, message) => {
    told.push({ person, channel, message })
    return { outcome: 'delivered', reference: null }
  },
}
beforeEach(() => void told.splice(0))

const events = async (): Promise<ConsoleEvent[]> =>
  (await house.rows('SELECT body FROM outbox ORDER BY position')).map(({ body }) =>
    eventSchema.parse(JSON.parse(String(body))),
  )
const save = (station: Station) =>
  station.policy.save({ school_id: school, by: 'admin', version: 0, policy: ladderPolicy() })

/** A crisis of a student whom `assigned` looks after; answers the session and what told of it. */
async function crisisAt(station: Station) {
  const { session_id } = await chatAt(station).startSession({ user_id: 'student-1' })
  const started = (await events()).find((event) => event.event_type === 'SESSION_STARTED')
  const student_hash = started && 'student_hash' in started ? String(started.student_hash) : ''
  const assignments = [{ student_hash, person_id: 'assigned' }]
  await station.policy.assign({ school_id: school, by: 'admin', assignments })
  await chatAt(station).send(session_id, { sender: 'user', content: crisisWords, client_message_id: randomUUID() })
  const crisis = (await events()).find((event) => event.event_type === 'CRISIS_DETECTED')
  return { session_id, student_hash, covers: [crisis?.idempotency_key ?? ''] }
}

it('tells the counselor of a crisis, goes on until it is acknowledged on the queue, and then rests', async () => {
  const console = announcingConsole({ school_id: school })
  const { console_id, fingerprint } = console
  const station = await house.start({ ladder: { channels }, ownConsoles: [{ console_id, fingerprint }] })
  await save(station)
  const { session_id, student_hash, covers } = await crisisAt(station)
  await vi.waitFor(() => expect(told.map(({ person, channel }) => [person, channel])).toEqual([['assigned', 'sms']]))
  expect(told[0]?.message).toMatchObject({ kind: 'alert', tier: 'crisis', categories: ['suicidal_ideation'] })
  const said = JSON.stringify([told, house.entries])
  for (const secret of [crisisWords, session_id, student_hash, 'student-1']) expect(said).not.toContain(secret)

  // A console shows it to the counselor.
  const asked = (await events()).find((event) => event.event_type === 'ALERT_NOTIFIED' && event.channel === 'desktop')
  if (asked?.event_type !== 'ALERT_NOTIFIED') throw new Error('no desktop was asked')
  const { delivery_id = '', alert_key = '', to = '' } = asked
  const answer = {
    ...{ schema_version: 1, event_type: 'ALERT_NOTIFIED', channel: 'desktop', outcome: 'delivered' },
    ...{ ack_id: `told:${delivery_id}`, school_id: school, session_id, student_hash, alert_key, delivery_id, to },
    at: new Date(house.clock.now()).toISOString(),
  }
  const { sqs } = house.queue
  const send = (body: object) =>
    sqs.send(new SendMessageCommand({ QueueUrl: house.acksQueueUrl, MessageBody: JSON.stringify(body) }))
  await send(console.announcement())
  await vi.waitFor(
    async () => expect(await house.rows('SELECT state FROM consoles')).toEqual([{ state: 'approved' }]),
    { timeout: seconds(5) },
  )
  const say = (body: object) => send(console.signing.sign({ ...body, console_id, key_id: fingerprint }))
  await say(answer)
  await vi.waitFor(
    async () =>
      expect(await house.rows(`SELECT state FROM deliveries WHERE channel = 'desktop'`)).toEqual([
        { state: 'delivered' },
      ]),
    { timeout: seconds(5) },
  )

  house.clock.advance(minutes(5))
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ person: 'assigned', channel: 'voice' }))
  await say({
    schema_version: 1,
    ack_id: randomUUID(),
    event_type: 'ALERT_ACKNOWLEDGED',
    alert_key: 'any',
    covers,
    ...{ session_id, student_hash, school_id: school },
    acknowledged_by: 'assigned',
    acknowledged_at: new Date(house.clock.now()).toISOString(),
    next_action: 'Contact the student',
    due_at: new Date(house.clock.now() + minutes(15)).toISOString(),
  })
  await vi.waitFor(
    async () =>
      expect(await house.rows('SELECT state, owner FROM alerts')).toEqual([
        { state: 'acknowledged', owner: 'assigned' },
      ]),
    { timeout: seconds(5) },
  )
  const before = told.length
  house.clock.advance(minutes(10))
  expect(await callAt(station, 'GET', '/health')).toMatchObject({ status: 200 })
  expect(told).toHaveLength(before)

  // What was promised is not done: it begins again.
  house.clock.advance(minutes(5))
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ person: 'assigned', channel: 'sms' }))
})

it('says in a heartbeat of its own who would be told, as soon as the directory is saved', async () => {
  const station = await house.start({ ladder: { channels } })
  const versions = async () =>
    (await events()).flatMap((event) => (event.event_type === 'HEARTBEAT' ? [event.coverage?.policy_version] : []))
  await vi.waitFor(async () => expect(await versions()).toEqual([0]))
  await save(station)
  await vi.waitFor(async () => expect(await versions()).toEqual([0, 1]))
})

it('goes on after a restart with whatever was due meanwhile, late', async () => {
  const station = await house.start({ ladder: { channels } })
  await save(station)
  await crisisAt(station)
  await vi.waitFor(() => expect(told).toHaveLength(1))
  await station.stop()
  house.clock.advance(minutes(7))
  await house.start({ ladder: { channels } })
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ channel: 'voice', message: { late_ms: minutes(2) } }))
})

it('tells nobody where no ladder is run, and makes good what was never told once one is', async () => {
  const station = await house.start()
  await save(station)
  await crisisAt(station)
  house.clock.advance(minutes(6))
  expect(told).toEqual([])
  expect(await house.rows('SELECT alert_key FROM timers')).toEqual([])
  await station.stop()
  await house.start({ ladder: { channels } })
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ channel: 'voice', message: { kind: 'alert' } }))
  expect(house.entries.filter(({ level }) => level === 'error')).toEqual([])
})

it('runs the ladder for a crisis of another producer, once however often it comes, and none of its own twice', async () => {
  const { sqs } = house.queue
  const { QueueUrl: eventsQueueUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: 'events-of-the-station' }),
  )
  const station = await house.start({ ladder: { channels }, eventsQueueUrl })
  await save(station)
  const { session_id: _, ...own } = await crisisAt(station)
  await vi.waitFor(() => expect(told).toHaveLength(1))
  const published = (await events()).find((event) => event.event_type === 'CRISIS_DETECTED')
  const [row] = await house.rows(`SELECT body FROM outbox WHERE event_type = 'CRISIS_DETECTED'`)
  expect(published).toMatchObject({ student_hash: own.student_hash })
  const timestamp = new Date(house.clock.now()).toISOString()
  const legacy = JSON.stringify(legacyCrisis({ timestamp }))
  const send = (body: string) => sqs.send(new SendMessageCommand({ QueueUrl: eventsQueueUrl, MessageBody: body }))
  const notification = JSON.stringify({ Type: 'Notification', Message: legacy })
  for (const body of [String(row?.['body']), 'rubbish', '[]', legacy, notification, legacy]) await send(body)
  const other = JSON.stringify({ ...legacyCrisis({ timestamp }), school_id: '00000000-2222-4333-8444-555555555555' })
  await send(other)
  await vi.waitFor(async () => expect(await house.rows('SELECT state FROM alerts')).toHaveLength(2), {
    timeout: seconds(10),
  })
  await vi.waitFor(
    async () => {
      const { Attributes: left } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: eventsQueueUrl,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      )
      expect(left).toMatchObject({ ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' })
    },
    { timeout: seconds(10) },
  )
  expect(await house.rows('SELECT state FROM alerts')).toHaveLength(2)
  expect(await house.rows(`SELECT kind FROM timers WHERE kind = 'rung'`)).toHaveLength(2)
})

it('does not start on a queue that a console has claimed, nor on that of acknowledgements', async () => {
  const { sqs, url: eventsQueueUrl, tag } = house.queue
  await expect(house.start({ ladder: { channels }, eventsQueueUrl: house.acksQueueUrl })).rejects.toMatchObject({
    code: 'queue_taken',
  })
  await tag({ 'psyflo-console:console-1': 'receiving abc0 1 office-1' })
  await sqs.send(new SendMessageCommand({ QueueUrl: eventsQueueUrl, MessageBody: JSON.stringify(legacyCrisis()) }))
  await expect(house.start({ ladder: { channels }, eventsQueueUrl })).rejects.toMatchObject({ code: 'queue_taken' })
  expect(await house.queue.left()).toBe(1)
})
