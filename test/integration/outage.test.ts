/** A station whose real topic cuts or refuses, and the console beside it: who is told, and what comes late. */
import { randomUUID } from 'node:crypto'
import {
  CreateTopicCommand,
  DeleteTopicCommand,
  SubscribeCommand,
  type PublishBatchCommandInput,
  type PublishBatchCommandOutput,
  type SNSClient,
} from '@aws-sdk/client-sns'
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createAnnouncer, type Announcer } from '../../main/console/alerts/index.ts'
import { watchProof, type Proof } from '../../main/console/proof.ts'
import { toTopic } from '../../main/outbox/index.ts'
import { snsClient } from '../../main/platform/aws.ts'
import { alertRows } from '../../main/store/console/index.ts'
import { minutes, seconds } from '../../shared/time.ts'
import { openGate } from '../support/gate.ts'
import { crisisWords, school } from '../support/intake-school.ts'
import { openRecord, type OpenRecord } from '../support/record.ts'
import { chatAt, stationHouse, type StationHouse } from '../support/station.ts'

let house: StationHouse
let record: OpenRecord
let gate: Awaited<ReturnType<typeof openGate>>
let sns: SNSClient
let topicArn: string
let proof: Proof
let announcer: Announcer
let said: string[]

async function makeTopic(direct: SNSClient): Promise<string> {
  const { TopicArn = '' } = await direct.send(new CreateTopicCommand({ Name: 'events' }))
  const { Attributes } = await house.queue.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: house.queue.url, AttributeNames: ['QueueArn'] }),
  )
  await direct.send(
    new SubscribeCommand({
      TopicArn,
      Protocol: 'sqs',
      Endpoint: Attributes?.QueueArn,
      Attributes: { RawMessageDelivery: 'true' },
    }),
  )
  return TopicArn
}
let direct: SNSClient

beforeEach(async () => {
  house = await stationHouse()
  record = openRecord({ school })
  record.clock.set(house.clock.now())
  gate = await openGate(house.queue.endpoint)
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  sns = snsClient({ region: 'us-east-1', endpoint: gate.url, credentials })
  direct = snsClient({ region: 'us-east-1', endpoint: house.queue.endpoint, credentials })
  topicArn = await makeTopic(direct)
  said = []
  const shell = {
    notify: ({ title, until }: { title: string; until?: AbortSignal }) => {
      said.push(title)
      until?.addEventListener('abort', () => said.push(`taken back: ${title}`))
    },
    badge: () => undefined,
    openExternal: () => undefined,
  }
  const { db, changes, clock } = record
  proof = watchProof({ db, changes, clock })
  announcer = createAnnouncer({ db, changes, clock, shell, schoolId: () => school, isHere: () => false })
  announcer.start()
  proof.start()
})
afterEach(async () => {
  announcer.stop()
  proof.stop()
  sns.destroy()
  direct.destroy()
  await house.close()
  await gate.close()
  record.close()
})

const start = (publish = toTopic(sns, topicArn)) =>
  house.start({
    publish,
    confirmations: (confirm) => record.changes.listen(({ confirmed }) => confirm(confirmed)),
    onPublishing: (failing_since) => record.changes.tell({ publishing: { failing_since } }),
  })
const pass = async (time: number) => {
  for (let gone = 0; gone < time; gone += seconds(5)) {
    house.clock.advance(seconds(5))
    record.clock.set(house.clock.now())
    // What a look asks of the database is answered before the next one.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
/** What has come on the queue by now, into the console. */
const receive = async () => record.receive(...(await house.queue.take()))

it.each([
  ['cuts every connection', () => Promise.resolve(gate.cut()), () => Promise.resolve(gate.open())],
  [
    'refuses',
    async (): Promise<unknown> => direct.send(new DeleteTopicCommand({ TopicArn: topicArn })),
    () => makeTopic(direct),
  ],
] as const)('a topic that %s is an alert of its own, until what waited has come, late', async (_, breakIt, mend) => {
  const station = await start()
  await vi.waitFor(
    async () => {
      await receive()
      expect(proof.provenAt()).not.toBeNull()
    },
    { timeout: 10_000 },
  )
  await breakIt()
  const { session_id } = await chatAt(station).startSession({ user_id: 'student-1' })
  const began = house.clock.now()
  expect(
    await chatAt(station).send(session_id, { sender: 'user', content: crisisWords, client_message_id: randomUUID() }),
  ).toMatchObject({ tier: 'crisis' })
  await vi.waitFor(
    async () =>
      expect(
        await house.rows(`SELECT id FROM outbox WHERE event_type = 'CRISIS_DETECTED' AND last_error IS NOT NULL`),
      ).toHaveLength(1),
    { timeout: 10_000 },
  )
  expect(said).toEqual([])
  await vi.waitFor(
    async () => {
      await pass(seconds(30))
      expect(said).toEqual(['Alerts are not getting through'])
    },
    { timeout: 10_000 },
  )
  expect(house.clock.now() - began).toBeGreaterThanOrEqual(minutes(1))
  expect(proof.outage()).toMatchObject({ kind: 'publishing' })
  expect(Math.abs((proof.outage()?.since ?? 0) - began)).toBeLessThan(seconds(60))

  await mend()
  await vi.waitFor(
    async () => {
      await pass(seconds(30))
      await receive()
      expect(record.count('alerts')).toBe(1)
      expect(proof.outage()).toBeNull()
    },
    { timeout: 15_000, interval: 100 },
  )
  expect(said).toContain('taken back: Alerts are not getting through')
  expect(said.filter((title) => title === 'Alerts are not getting through')).toHaveLength(1)
  const [row] = alertRows(record.db, school, [String(record.rows('SELECT key FROM alerts')[0]?.['key'])])
  expect(row?.late_by_ms).toBeGreaterThanOrEqual(minutes(1))
  expect(row).toMatchObject({ last_trigger_at: began })
})

/** The topic takes no event of this type: an entry of it is refused, and the others of its batch are published. */
function refuseType(client: SNSClient, type: string): { end(): void } {
  let refuses = true
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'PublishBatchCommand' || !refuses) return next(args)
        const input = args.input as PublishBatchCommandInput
        const entries = input.PublishBatchRequestEntries ?? []
        const isRefused = (entry: (typeof entries)[number]) =>
          entry.MessageAttributes?.['event_type']?.StringValue === type
        const Failed = entries.filter(isRefused).map(({ Id }) => ({ Id, Code: 'InvalidParameter', SenderFault: true }))
        const others = entries.filter((entry) => !isRefused(entry))
        if (others.length === 0) return { response: {}, output: { Failed, $metadata: {} } }
        const answer = await next({ ...args, input: { ...input, PublishBatchRequestEntries: others } })
        const output = answer.output as PublishBatchCommandOutput
        return { ...answer, output: { ...output, Failed: [...(output.Failed ?? []), ...Failed] } }
      },
    { step: 'initialize' },
  )
  return { end: () => void (refuses = false) }
}

it('a crisis that a district’s topic refuses is told by the heartbeats that it takes, and named in the log', async () => {
  const refusing = refuseType(sns, 'CRISIS_DETECTED')
  // Nothing of this console is in the station's process.
  const station = await house.start({ publish: toTopic(sns, topicArn), confirmations: null })
  const { session_id } = await chatAt(station).startSession({ user_id: 'student-1' })
  const began = house.clock.now()
  const words = { sender: 'user', content: crisisWords, client_message_id: randomUUID() } as const
  expect(await chatAt(station).send(session_id, words)).toMatchObject({ tier: 'crisis' })
  const waiting = () =>
    house.rows(`SELECT id FROM outbox WHERE event_type = 'CRISIS_DETECTED' AND last_error = 'InvalidParameter'`)
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 10_000 })
  const passing = { timeout: 15_000, interval: 50 }
  await vi.waitFor(async () => {
    await pass(seconds(30))
    await receive()
    expect(proof.outage()).toEqual({ kind: 'station', since: began })
  }, passing)
  expect(said.filter((title) => title === 'Alerts are not getting through')).toHaveLength(1)
  const [line] = house.entries.filter(({ level }) => level === 'error')
  expect(line?.fields).toMatchObject({
    since: new Date(began).toISOString(),
    refused: [{ event_type: 'CRISIS_DETECTED', code: 'InvalidParameter', events: 1 }],
  })
  expect(JSON.stringify(house.entries)).not.toContain(crisisWords)

  refusing.end()
  await vi.waitFor(async () => {
    await pass(seconds(30))
    await receive()
    expect(await waiting()).toEqual([])
    expect(proof.outage()).toBeNull()
  }, passing)
  expect(said.filter((title) => title === 'Alerts are not getting through')).toHaveLength(1)
})
