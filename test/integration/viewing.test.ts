/** Two consoles of one school and its station, each on a database of its own, over a real topic and real queues. */
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startConsumer } from '../../main/console/event-queue/index.ts'
import { createViewing, type Viewing } from '../../main/console/viewing/index.ts'
import { createPassing, toQueue, toTopic } from '../../main/outbox/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { Alert } from '../../shared/alerts.ts'
import { seconds } from '../../shared/time.ts'
import { silentLogger } from '../support/logger.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../support/record.ts'
import { stationHouse, type StationHouse } from '../support/station.ts'
import { crisis, noon, school } from '../support/wire.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const clock = virtualClock(noon)
let house: StationHouse
let publishToAll: ReturnType<typeof toTopic>
let consoles: AtConsole[]

interface AtConsole {
  record: OpenRecord
  viewing: Viewing
  alert: Alert
  announcement: object
  fingerprint: string
  stop(): Promise<void>
}

/** A console with a queue of its own on the topic. */
async function openAt(consoleId: string, sns: SNSClient, TopicArn: string): Promise<AtConsole> {
  const { sqs } = house.queue
  const queueUrl = await house.queue.create(consoleId)
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
  )
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: Attributes['QueueArn'] }))
  const record = openRecord()
  const { keys } = record
  const send = toQueue(sqs, house.acksQueueUrl)
  const passing = createPassing({ send, clock, logger: silentLogger, isHeldUp: () => false })
  const viewing = createViewing({
    ...{ changes: record.changes, clock, randomness: systemRandomness, consoleId, schoolId: () => school },
    find: (key) => record.lifecycle.find(key),
    say: (subject, event) =>
      passing.say(subject, {
        event_type: event.event_type,
        body: JSON.stringify(keys.signing.sign({ ...event, key_id: keys.fingerprint })),
      }),
  })
  const consumer = startConsumer({
    ...{ sqs, queueUrl, committer: record.committer, clock: systemClock, logger: silentLogger },
    ...{ onState: () => undefined, onCommitError: () => undefined },
  })
  await record.receive(crisis({ session_id: 's', idempotency_key: 'the crisis' }))
  const key = String(record.rows('SELECT key FROM alerts')[0]?.['key'])
  return {
    record,
    viewing,
    alert: record.lifecycle.find(key) as Alert,
    fingerprint: keys.fingerprint,
    announcement: keys.signing.sign({
      ...{ schema_version: 1, ack_id: systemRandomness.uuid(), event_type: 'CONSOLE_ANNOUNCED' },
      ...{ console_id: consoleId, school_id: school, ...keys.public, at: new Date(noon).toISOString() },
    }),
    async stop() {
      viewing.stop()
      await passing.stop()
      await consumer.stop()
      record.close()
    },
  }
}

beforeEach(async () => {
  house = await stationHouse()
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  const sns = new SNSClient({ endpoint: house.queue.endpoint, region: 'us-east-1', credentials })
  const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: 'events' }))
  publishToAll = toTopic(sns, TopicArn)
  consoles = [await openAt('console-a', sns, TopicArn), await openAt('console-b', sns, TopicArn)]
})
afterEach(async () => {
  await Promise.all(consoles.map((console) => console.stop()))
  await house.close()
})

const startStation = (approved: readonly AtConsole[]) =>
  house.start({
    schoolId: school,
    publish: publishToAll,
    confirmations: null,
    ports: { ...house.ports, clock },
    ownConsoles: approved.map(({ fingerprint }) => ({
      console_id: consoles[0]?.fingerprint === fingerprint ? 'console-a' : 'console-b',
      fingerprint,
    })),
  })
const announce = async (console: AtConsole) => {
  const MessageBody = JSON.stringify(console.announcement)
  await house.queue.sqs.send(new SendMessageCommand({ QueueUrl: house.acksQueueUrl, MessageBody }))
  await vi.waitFor(async () => {
    const kept = await house.rows('SELECT fingerprint FROM consoles')
    expect(kept.map(({ fingerprint }) => fingerprint)).toContain(console.fingerprint)
  }, 10_000)
}
const stored = () => house.rows('SELECT event_type FROM outbox')

it('is seen at the other console at once, and gone as soon as they leave; nobody keeps it', async () => {
  const [a, b] = consoles as [AtConsole, AtConsole]
  await startStation([a, b])
  await announce(a)
  await vi.waitFor(async () =>
    expect((await house.rows('SELECT state FROM consoles')).map(({ state }) => state)).toEqual(['approved']),
  )
  const began = performance.now()
  const leave = a.viewing.look(a.alert, osei)
  await vi.waitFor(() => expect(b.viewing.others(marlow)).toEqual([{ key: b.alert.key, names: [osei.name] }]), {
    timeout: seconds(10),
    interval: 10,
  })
  expect(performance.now() - began).toBeLessThan(seconds(2))
  expect(a.viewing.others(marlow)).toEqual([{ key: a.alert.key, names: [osei.name] }])

  clock.advance(seconds(20))
  leave()
  await vi.waitFor(() => expect(b.viewing.others(marlow)).toEqual([]), { timeout: seconds(10), interval: 10 })
  for (const { record } of consoles) {
    expect(record.rows(`SELECT 1 FROM events WHERE event_type = 'ALERT_VIEWED'`)).toEqual([])
    expect(record.count('quarantine')).toBe(0)
    expect(record.count('outbox')).toBe(0)
  }
  expect((await stored()).filter(({ event_type }) => event_type === 'ALERT_VIEWED')).toEqual([])
  expect(await house.rows('SELECT 1 FROM records')).toEqual([])
}, 30_000)

it('of a console that nobody approved, others hear nothing', async () => {
  const [a, b] = consoles as [AtConsole, AtConsole]
  await startStation([b])
  await announce(a)
  await announce(b)
  a.viewing.look(a.alert, osei)
  // What b says afterwards has come the whole way; the queue is one, and a's word stood before it.
  b.viewing.look(b.alert, marlow)
  await vi.waitFor(() => expect(a.viewing.others(osei)).toEqual([{ key: a.alert.key, names: [marlow.name] }]), 10_000)
  expect(b.viewing.others(marlow)).toEqual([])
}, 30_000)
