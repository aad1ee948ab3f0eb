import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  receivers,
  startConsumer,
  type ConnectionState,
  type Consumer,
} from '../../../main/console/event-queue/index.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import type { Clock } from '../../../main/platform/ports.ts'
import { legacyCrisis } from '../../support/events.ts'
import { recordingLogger } from '../../support/intake-school.ts'
import { openQueue, type OpenQueue } from '../../support/queue.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { analyzed, crisis, heartbeat, noon } from '../../support/wire.ts'

let at: OpenRecord
let queue: OpenQueue
let consumer: Consumer | null = null
const errors: unknown[] = []
const states: ConnectionState[] = []

beforeEach(async () => {
  at = openRecord()
  queue = await openQueue()
  errors.length = states.length = 0
})
afterEach(async () => {
  await consumer?.stop()
  consumer = null
  await queue.stop()
  at.close()
})

let record = recordingLogger()
const consume = (where: { queueUrl?: string; sqs?: SQSClient; clock?: Clock } = {}) => {
  record = recordingLogger()
  consumer = startConsumer({
    sqs: queue.sqs,
    queueUrl: queue.url,
    committer: at.committer,
    clock: systemClock,
    ...where,
    logger: record.logger,
    onState: (state) => void states.push(state),
    onCommitError: (error) => void errors.push(error),
  })
}
const until = (check: () => void | Promise<void>, timeout = 15_000) => vi.waitFor(check, { timeout, interval: 20 })
/** Neither waiting nor in anybody's hands. */
const empty = () => until(async () => expect(await queue.left()).toBe(0))
const legacy = () => legacyCrisis({ timestamp: new Date(noon).toISOString().replace('Z', '456') })

describe('what is on the queue', () => {
  it('is taken in raw and in notifications, and deleted once it is durable', async () => {
    const raw = legacy()
    const notification = { Type: 'Notification', MessageId: 'm', TopicArn: 't', Message: JSON.stringify(raw) }
    for (const body of [raw, notification, crisis(), heartbeat(), 'no JSON']) await queue.send(body)
    consume()
    await empty()
    expect([at.count('events'), at.count('alerts'), at.count('quarantine')]).toEqual([3, 2, 1])
  })

  it('may come in any disorder, several times over', async () => {
    const events = Array.from({ length: 30 }, (_, index) =>
      analyzed({ session_id: `s-${index % 4}`, tier: 'high', score: 0.8 }),
    )
    for (const event of [...events, ...events].reverse()) await queue.send(event)
    consume()
    await empty()
    expect([at.count('events'), at.count('messages'), at.count('alerts')]).toEqual([30, 30, 4])
  })

  it('is asked for at once after a sleep, as often as before, and that is no outage', async () => {
    const asked = vi.spyOn(queue.sqs, 'send')
    const questions = () => asked.mock.calls.filter(([command]) => command instanceof ReceiveMessageCommand).length
    consume()
    await until(() => expect([consumer?.state().state, questions()]).toEqual(['connected', receivers]))
    for (let time = 1; time <= 3; time++) {
      consumer?.lookNow()
      consumer?.lookNow()
      await until(() => expect(questions()).toBe((time + 1) * receivers))
    }
    await queue.send(legacy())
    // What a question that was taken back has hidden comes back with the next one.
    await empty()
    expect(at.count('alerts')).toBe(1)
    expect(states.map(({ state }) => state)).not.toContain('disconnected')
    consumer?.lookNow()
    await consumer?.stop()
    asked.mockRestore()
  })

  it('is not deleted by a sleep while it cannot be kept, and is kept once after it', async () => {
    at.db.exec(`CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'x'); END;
      CREATE TRIGGER full_too BEFORE INSERT ON quarantine BEGIN SELECT RAISE(ABORT, 'x'); END`)
    await queue.send(legacy())
    consume()
    await until(() => expect(errors.filter((error) => error !== null)).not.toHaveLength(0))
    consumer?.lookNow()
    expect(await queue.left()).toBe(1)
    at.db.exec('DROP TRIGGER full; DROP TRIGGER full_too')
    await empty()
    expect([at.count('events'), at.count('alerts')]).toEqual([1, 1])
  })

  it('stays there while a commit fails, comes back, and is deleted when one succeeds', async () => {
    at.db.exec(`CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'x'); END;
      CREATE TRIGGER full_too BEFORE INSERT ON quarantine BEGIN SELECT RAISE(ABORT, 'x'); END`)
    await queue.send(legacy())
    consume()
    await until(() => expect(errors.filter((error) => error !== null)).not.toHaveLength(0))
    expect(await queue.left()).toBe(1)
    expect(at.count('events')).toBe(0)
    at.db.exec('DROP TRIGGER full; DROP TRIGGER full_too')
    await empty()
    expect([at.count('events'), at.count('alerts'), at.count('quarantine')]).toEqual([1, 1, 0])
    expect(errors.at(-1)).toBeNull()
  })

  it('waits out a full disk', async () => {
    at.db.pragma(`max_page_count = ${String(at.db.pragma('page_count', { simple: true }))}`)
    for (let index = 0; index < 10; index++)
      await queue.send(crisis({ session_id: `s-${index}`, reasoning: 'x'.repeat(20_000) }))
    consume()
    await until(() =>
      expect(errors.some((error) => (error as { code?: string } | null)?.code === 'SQLITE_FULL')).toBe(true),
    )
    expect(await queue.left()).toBeGreaterThan(0)
    expect(at.count('quarantine')).toBe(0)
    at.db.pragma('max_page_count = 1000000')
    await empty()
    expect([at.count('events'), at.count('alerts')]).toEqual([10, 10])
  })
})

it('notices messages in other hands while it has had none for a minute, and not its own', async () => {
  await queue.send(legacy())
  await queue.sqs.send(new ReceiveMessageCommand({ QueueUrl: queue.url, VisibilityTimeout: 60 }))
  // Asks as often as in a minute and a half, in three seconds.
  const hurried = {
    now: () => systemClock.now() * 30,
    after: (delay: number, work: () => void) => systemClock.after(delay / 30, work),
  }
  consume({ clock: hurried })
  expect(consumer?.heldElsewhere()).toBe(false)
  await until(() => expect(consumer?.heldElsewhere()).toBe(true))
  await queue.send(heartbeat())
  await until(() => expect(consumer?.heldElsewhere()).toBe(false))
})

it('says that the queue answers, how much waits, and when it is gone', async () => {
  consume()
  await until(() => expect(consumer?.state()).toMatchObject({ state: 'connected', error: null, waiting: 0 }))
  await queue.remove()
  await until(() =>
    expect(consumer?.state()).toMatchObject({ state: 'disconnected', error: { code: 'queue_missing' } }),
  )
  await queue.create('events')
  await until(() => expect(consumer?.state()).toMatchObject({ state: 'connected', error: null }))
  expect(states.length).toBeLessThan(40)
})

it('asks a queue that refuses every connection no oftener than it must, and tells the log once', async () => {
  let asked = 0
  // Cuts every connection: what a crashed queue looks like from outside, and can be counted.
  const refusing = createServer((request) => {
    if (String(request.headers['x-amz-target']).endsWith('ReceiveMessage')) asked += 1
    request.socket.destroy()
  })
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const endpoint = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`
  const sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' }, useQueueUrlAsEndpoint: false, maxAttempts: 1 }) // prettier-ignore
  consume({ sqs, queueUrl: `${endpoint}/000000000000/events` })
  // Every receiver has come back once after its first refusal.
  await until(() => expect(asked).toBeGreaterThanOrEqual(8))
  expect(asked).toBeLessThan(20)
  expect(record.entries.filter(({ message }) => message.includes('does not answer'))).toHaveLength(1)
  refusing.close()
  sqs.destroy()
})
