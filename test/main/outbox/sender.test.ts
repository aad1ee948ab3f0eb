import { CreateTopicCommand, SubscribeCommand } from '@aws-sdk/client-sns'
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cacheOutbox, countWaiting, enqueue } from '../../../main/store/console/index.ts'
import { snsClient, sqsClient } from '../../../main/platform/aws.ts'
import { startSender, toQueue, toTopic, type Sender } from '../../../main/outbox/index.ts'
import { hours, seconds } from '../../../shared/time.ts'
import { httpServer, json } from '../../support/http-server.ts'
import { recordingLogger } from '../../support/intake-school.ts'
import { openQueue, type OpenQueue } from '../../support/queue.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'

let at: OpenRecord
let queue: OpenQueue
let sender: Sender | null = null
beforeEach(async () => {
  at = openRecord()
  queue = await openQueue()
})
afterEach(async () => {
  await sender?.stop()
  sender = null
  await queue.stop()
  at.close()
})

const put = (id: string, group = 'session-1') =>
  enqueue(at.db, {
    id,
    group,
    event_type: 'ALERT_ACTION',
    body: JSON.stringify({ id }),
    at: at.clock.now(),
  })

type Send = Parameters<typeof startSender>[0]['send']
const start = (send: Send = toQueue(queue.sqs, queue.url), fraction = () => 1) => {
  sender = startSender({
    outbox: cacheOutbox(at.db),
    what: 'acknowledgements',
    inOrder: true,
    send,
    clock: at.clock,
    randomness: { bytes: (count) => Buffer.alloc(count), uuid: () => 'u', fraction },
    logger: recordingLogger().logger,
  })
}
const waiting = () => countWaiting(at.db)
const sent = () => vi.waitFor(() => expect(waiting()).toBe(0), { timeout: 5000, interval: 5 })
const ids = (bodies: Record<string, unknown>[]) => bodies.map(({ id }) => id)

it('sends what waits from before, and what comes, in order', async () => {
  for (const id of ['a', 'b', 'c']) put(id)
  start()
  await sent()
  put('d')
  sender?.wake()
  await sent()
  expect(ids(await queue.take())).toEqual(['a', 'b', 'c', 'd'])
  expect(at.rows('SELECT DISTINCT sent_at, last_error FROM outbox')).toEqual([
    { sent_at: at.clock.now(), last_error: null },
  ])
})

it('the same message put twice is sent once', async () => {
  put('a')
  put('a')
  start()
  await sent()
  expect(ids(await queue.take())).toEqual(['a'])
})

it('sends the oldest first, whatever session it is of', async () => {
  const order: string[] = []
  for (const id of ['c', 'a', 'b']) put(id, `session of ${id}`)
  start((messages) => (order.push(...messages.map(({ id }) => id)), Promise.resolve(new Map())))
  await sent()
  expect(order).toEqual(['c', 'a', 'b'])
})

it('keeps the order within a session where one is refused, and lets the other sessions pass', async () => {
  let refuse = true
  const order: string[] = []
  start((messages) => {
    const refused = messages.filter(({ id }) => refuse && id === 'a1').map(({ id }) => [id, 'Throttled'] as const)
    order.push(...messages.map(({ id }) => id).filter((id) => !refused.some(([other]) => other === id)))
    return Promise.resolve(new Map(refused))
  })
  for (const id of ['a1', 'a2', 'b1', 'a3', 'b2']) put(id, id[0])
  sender?.wake()
  await vi.waitFor(() => expect(order).toEqual(['b1', 'b2']))
  expect(at.rows(`SELECT id, last_error FROM outbox WHERE sent_at IS NULL ORDER BY position`)).toEqual([
    { id: 'a1', last_error: 'Throttled' },
    { id: 'a2', last_error: null },
    { id: 'a3', last_error: null },
  ])
  refuse = false
  at.clock.advance(seconds(1))
  await sent()
  expect(order).toEqual(['b1', 'b2', 'a1', 'a2', 'a3'])
  expect(at.rows('SELECT DISTINCT last_error FROM outbox')).toEqual([{ last_error: null }])
})

it('tries again without end, with doubling waits up to 30 s', async () => {
  const tries: number[] = []
  let answer: () => void = () => undefined
  start(() => {
    tries.push(at.clock.now())
    answer()
    return Promise.reject(new Error('unreachable'))
  })
  put('a')
  sender?.wake()
  for (let times = 0; times < 9; times++) {
    await vi.waitFor(() => expect(at.rows('SELECT attempts FROM outbox')).toEqual([{ attempts: times + 1 }]), {
      interval: 1,
    })
    const next = new Promise<void>((resolve) => (answer = resolve))
    // The timer is set once the failure is written down.
    await new Promise((resolve) => setImmediate(resolve))
    at.clock.advance(seconds(31))
    await next
  }
  expect(tries).toHaveLength(10)
  await vi.waitFor(() => expect(at.rows('SELECT attempts FROM outbox')).toEqual([{ attempts: 10 }]))
  expect(Number(at.rows('SELECT next_attempt_at FROM outbox')[0]?.['next_attempt_at'])).toBe(
    at.clock.now() + seconds(30),
  )
  expect(waiting()).toBe(1)
})

it('waits 1, 2, 4 … seconds, half of it at the least', async () => {
  const waits: unknown[] = []
  start(
    () => Promise.reject(new Error('unreachable')),
    () => 0,
  )
  put('a')
  sender?.wake()
  for (let times = 1; times <= 7; times++) {
    await vi.waitFor(() => expect(at.rows('SELECT attempts FROM outbox')).toEqual([{ attempts: times }]), {
      interval: 1,
    })
    const wait = Number(at.rows('SELECT next_attempt_at FROM outbox')[0]?.['next_attempt_at']) - at.clock.now()
    waits.push(wait)
    await new Promise((resolve) => setImmediate(resolve))
    at.clock.advance(wait)
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000])
})

it('waits whole milliseconds: a database takes no part of one', async () => {
  start(
    () => Promise.reject(new Error('unreachable')),
    () => 0.123_456_7,
  )
  put('a')
  sender?.wake()
  await vi.waitFor(() => expect(at.rows('SELECT attempts FROM outbox')).toEqual([{ attempts: 1 }]))
  expect(at.rows('SELECT next_attempt_at FROM outbox')).toEqual([{ next_attempt_at: at.clock.now() + 562 }])
})

it('says once that nothing gets through, after a minute of it, and since when', async () => {
  let refuse = true
  const { logger, entries } = recordingLogger()
  sender = startSender({
    ...{ outbox: cacheOutbox(at.db), what: 'events', inOrder: true, clock: at.clock, logger },
    randomness: { bytes: (count) => Buffer.alloc(count), uuid: () => 'u', fraction: () => 1 },
    send: () => (refuse ? Promise.reject(new Error('no route')) : Promise.resolve(new Map())),
  })
  const since = at.clock.now()
  put('a')
  sender.wake()
  await vi.waitFor(() => expect(sender?.failingSince()).toBe(since))
  for (let times = 1; times < 9; times++) {
    await vi.waitFor(() => expect(at.rows('SELECT attempts FROM outbox')).toEqual([{ attempts: times }]))
    await new Promise((resolve) => setImmediate(resolve))
    at.clock.advance(seconds(31))
  }
  await vi.waitFor(() => expect(entries.filter(({ level }) => level === 'error')).toHaveLength(1))
  expect(sender.failingSince()).toBe(since)
  refuse = false
  await vi.waitFor(() => {
    at.clock.advance(seconds(31))
    expect(waiting()).toBe(0)
  })
  expect(sender.failingSince()).toBeNull()
})

it.each([hours(1), -hours(1)])('says so after a minute also where the clock is set by %i ms meanwhile', async (by) => {
  let set = 0
  const { logger, entries } = recordingLogger()
  const errors = () => entries.filter(({ level }) => level === 'error')
  sender = startSender({
    ...{ outbox: cacheOutbox(at.db), what: 'events', inOrder: true, logger },
    clock: { now: () => at.clock.now() + set, after: (delay, work) => at.clock.after(delay, work) },
    randomness: { bytes: (count) => Buffer.alloc(count), uuid: () => 'u', fraction: () => 1 },
    send: () => Promise.reject(new Error('no route')),
  })
  put('a')
  sender.wake()
  await vi.waitFor(() => expect(at.rows('SELECT attempts FROM outbox')).toEqual([{ attempts: 1 }]))
  set = by
  for (let gone = 0; gone < 50; gone += 10) {
    at.clock.advance(seconds(10))
    sender.wake()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(errors()).toEqual([])
  at.clock.advance(seconds(10))
  expect(errors()).toHaveLength(1)
})

it('sends on once a queue that was missing is there, after days', async () => {
  const url = await queue.create('acks')
  await queue.remove(url)
  start(toQueue(queue.sqs, url))
  for (const id of ['a', 'b']) put(id)
  sender?.wake()
  await vi.waitFor(() => expect(at.rows('SELECT last_error FROM outbox WHERE attempts > 0')).toHaveLength(1))
  at.clock.advance(hours(50))
  expect(await queue.create('acks')).toBe(url)
  at.clock.advance(seconds(30))
  await vi.waitFor(() => {
    at.clock.advance(seconds(30))
    expect(waiting()).toBe(0)
  })
  expect(ids(await queue.take(url))).toEqual(['a', 'b'])
})

it('tries at once after a start, however long the wait was to be', async () => {
  put('a')
  at.db.exec(`UPDATE outbox SET attempts = 9, next_attempt_at = next_attempt_at + ${seconds(29)}`)
  start()
  await sent()
})

it('uses the session as the group of a FIFO queue, and its own id against doubles', async () => {
  const url = await queue.create('acks.fifo')
  start(toQueue(queue.sqs, url))
  for (const id of ['a1', 'b1', 'a2']) put(id, id[0])
  sender?.wake()
  await sent()
  at.db.exec('UPDATE outbox SET sent_at = NULL, next_attempt_at = 0')
  sender?.wake()
  await sent()
  const { Messages = [] } = await queue.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
      MessageSystemAttributeNames: ['MessageGroupId', 'MessageDeduplicationId'],
    }),
  )
  // The server hands out one of each group at a time.
  expect(
    Messages.map(({ Attributes }) => [Attributes?.MessageGroupId, Attributes?.MessageDeduplicationId]).sort(),
  ).toEqual([
    ['a', 'a1'],
    ['b', 'b1'],
  ])
  const taken = ids(await queue.take(url))
  expect(taken.filter((id) => id !== 'b1')).toEqual(['a1', 'a2'])
  expect(taken).toHaveLength(3)
})

it('cuts what is larger than one batch, and sends all of it', async () => {
  for (let index = 0; index < 10; index++)
    enqueue(at.db, {
      id: `m${index}`,
      group: `g${index}`,
      event_type: 'ALERT_ACTION',
      body: JSON.stringify({ id: `m${index}`, note: 'x'.repeat(200_000) }),
      at: 0,
    })
  start()
  await sent()
  expect(ids(await queue.take())).toHaveLength(10)
})

describe('what is handed over', () => {
  const access = { region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
  const message = (id: string, event_type: string) => ({
    ...{ position: 1, id, group_id: 'g', attempts: 0 },
    ...{ event_type, body: JSON.stringify({ id }) },
  })

  it('and refused in part, is refused under its own id', async () => {
    const answer = json({ Successful: [], Failed: [{ Id: '1', Code: 'InvalidMessageContents', SenderFault: true }] })
    const server = await httpServer(answer)
    const sqs = sqsClient({ ...access, endpoint: server.url })
    const messages = ['a', 'b', 'c'].map((id) => message(id, 'ALERT_ACTION'))
    const refused = await toQueue(sqs, `${server.url}/1/acks`)(messages)
    sqs.destroy()
    await server.stop()
    expect([...refused]).toEqual([['b', 'InvalidMessageContents']])
  })

  it('to a topic carries what subscriptions filter by, and a crisis its urgency', async () => {
    const sns = snsClient({ ...access, endpoint: queue.endpoint })
    const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: 'events' }))
    const Endpoint = 'arn:aws:sqs:us-east-1:000000000000:events'
    await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint }))
    const messages = [message('a', 'CRISIS_DETECTED'), message('b', 'MESSAGE_ANALYZED')]
    expect([...(await toTopic(sns, TopicArn)(messages))]).toEqual([])
    sns.destroy()
    const taken = await queue.take()
    expect(taken.map(({ Message, Subject, MessageAttributes }) => [Message, Subject, MessageAttributes])).toEqual([
      [
        '{"id":"a"}',
        'CRISIS_ALERT',
        {
          event_type: { Type: 'String', Value: 'CRISIS_DETECTED' },
          priority: { Type: 'String', Value: 'CRITICAL' },
        },
      ],
      ['{"id":"b"}', undefined, { event_type: { Type: 'String', Value: 'MESSAGE_ANALYZED' } }],
    ])
  })
})

it('goes on with the next wake when the clock was set back by hours', async () => {
  let refuse = true
  const send = toQueue(queue.sqs, queue.url)
  start((messages) => (refuse ? Promise.reject(new Error('no route')) : send(messages)))
  put('a')
  sender?.wake()
  await vi.waitFor(() => expect(at.rows('SELECT attempts FROM outbox')).toEqual([{ attempts: 1 }]))
  at.clock.set(at.clock.now() - hours(3))
  refuse = false
  sender?.wake()
  await sent()
  expect(ids(await queue.take())).toEqual(['a'])
})
