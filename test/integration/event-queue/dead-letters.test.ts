import { createHash } from 'node:crypto'
import { ChangeMessageVisibilityCommand, CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs' // prettier-ignore
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchDeadLetters, type DeadLetterWatch } from '../../../main/console/event-queue/index.ts'
import { sqsClient } from '../../../main/platform/aws.ts'
import { verifyAudit } from '../../../main/store/console/index.ts'
import { httpServer } from '../../support/http-server.ts'
import { silentLogger } from '../../support/logger.ts'
import { openQueue, type OpenQueue } from '../../support/queue.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { analyzed, crisis, noon } from '../../support/wire.ts'

let at: OpenRecord
let queue: OpenQueue
let deadLetters: string
let watch: DeadLetterWatch | null = null
/** A minute passes where a test says so. */
let clock = virtualClock(noon)

beforeEach(async () => {
  at = openRecord()
  queue = await openQueue()
  clock = virtualClock(noon)
  deadLetters = (await queue.sqs.send(new CreateQueueCommand({ QueueName: 'events-dead' }))).QueueUrl ?? ''
})
afterEach(async () => {
  await watch?.stop()
  watch = null
  await queue.stop()
  at.close()
})

async function putAsideAfter(maxReceiveCount: number): Promise<void> {
  const { Attributes } = await queue.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  )
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount })
  await queue.sqs.send(new SetQueueAttributesCommand({ QueueUrl: queue.url, Attributes: { RedrivePolicy } }))
}
const begin = (sqs = queue.sqs, queueUrl = queue.url): DeadLetterWatch =>
  (watch = watchDeadLetters({
    ...{ sqs, queueUrl, committer: at.committer, db: at.db, changes: at.changes, clock, logger: silentLogger },
    ...{ consoleId: 'console-1', onChange: () => undefined },
  }))
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 20 })
const opened = () => at.heard.flatMap(({ alerts }) => alerts).filter((alert) => alert.opened).length
const audited = () => at.rows(`SELECT who, what, why FROM audit WHERE what = 'dead_letters.bring_back'`)

it('a crisis that SQS put aside rings by itself as if it had just come, and is deleted there', async () => {
  await putAsideAfter(2)
  await queue.send(crisis())
  // Received by a console that dies each time, until SQS gives it out no more.
  for (let receive = 1; receive <= 2; receive++) {
    const { Messages = [] } = await queue.sqs.send(new ReceiveMessageCommand({ QueueUrl: queue.url }))
    const [{ ReceiptHandle } = {}] = Messages
    await queue.sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: queue.url, ReceiptHandle, VisibilityTimeout: 0 }),
    )
  }
  await queue.sqs.send(new ReceiveMessageCommand({ QueueUrl: queue.url }))
  expect(await queue.left(deadLetters)).toBe(1)

  begin()
  await until(() => expect(opened()).toBe(1))
  await until(async () => expect(await queue.left(deadLetters)).toBe(0))
  await until(() =>
    expect(watch?.now()).toMatchObject({
      ...{ state: 'known', queue: 'events-dead', waiting: 0, max_receives: 2 },
      ...{ brought_back: 1, last_at: noon, problem: null },
    }),
  )
  expect(audited()).toEqual([{ who: 'system', what: 'dead_letters.bring_back', why: 'messages: 1' }])
})

it('what comes there later is brought back within a minute, in the name of the program, or of a person at once', async () => {
  await putAsideAfter(3)
  begin()
  await until(() => expect(watch?.now()).toMatchObject({ state: 'known', waiting: 0 }))
  for (let index = 0; index < 12; index++) await queue.send(analyzed({ session_id: `s-${index}`, tier: 'high', score: 0.8 }), deadLetters) // prettier-ignore
  clock.advance(60_000)
  await until(() => expect(watch?.now()).toMatchObject({ waiting: 0, brought_back: 12 }))
  expect([at.count('alerts'), opened()]).toEqual([12, 12])
  await queue.send(crisis({ session_id: 'later' }), deadLetters)
  expect(await watch?.bringBack({ id: 'marlow', role: 'COUNSELOR' })).toBe(1)
  expect(audited().at(-1)).toMatchObject({ who: 'marlow', why: 'messages: 1' })
  expect(verifyAudit(at.db).ok).toBe(true)
})

it('what cannot be read there goes to quarantine, and what came before changes nothing twice', async () => {
  await putAsideAfter(3)
  const event = crisis()
  await at.receive(event)
  await queue.send(event, deadLetters)
  await queue.send('CRISIS_DETECTED but no JSON', deadLetters)
  begin()
  await until(async () => expect(await queue.left(deadLetters)).toBe(0))
  expect([at.count('events'), at.count('alerts'), at.count('quarantine')]).toEqual([1, 1, 1])
  expect(at.heard.map(({ quarantined }) => quarantined.crises).reduce((a, b) => a + b)).toBe(1)
})

it('nothing is deleted there while it cannot be stored here', async () => {
  await putAsideAfter(3)
  await queue.send(crisis(), deadLetters)
  at.db.exec(`CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'x'); END;
    CREATE TRIGGER full_too BEFORE INSERT ON quarantine BEGIN SELECT RAISE(ABORT, 'x'); END`)
  begin()
  await until(() => expect(watch?.now().problem).not.toBeNull())
  expect(await queue.left(deadLetters)).toBe(1)
  expect(watch?.now()).toMatchObject({ waiting: 1, brought_back: 0 })
})

it('says where there is no dead-letter queue', async () => {
  begin()
  await until(() => expect(watch?.now()).toMatchObject({ state: 'none', problem: null }))
})

const says = (body: object, status = 200) => ({ status, body: JSON.stringify(body) })
/** A dead-letter queue as AWS answers for it, which names the queue that each message came from. */
async function aws(answers: Record<string, () => { status: number; body: string }>) {
  const server = await httpServer((response, request) => {
    const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const { status, body } = answers[action]?.() ?? says({})
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
  })
  const sqs = sqsClient({ region: 'us-east-1', endpoint: server.url, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }) // prettier-ignore
  return { ...server, sqs, queueUrl: `${server.url}/1/events` }
}
const arn = (name: string) => `arn:aws:sqs:us-east-1:000000000001:${name}`
const attributes = says({
  Attributes: {
    QueueArn: arn('events'),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn('dead'), maxReceiveCount: 5 }),
    ApproximateNumberOfMessages: '1',
  },
})

it('leaves what came from another console’s queue to that console', async () => {
  let given = false
  const Body = JSON.stringify(crisis())
  const server = await aws({
    GetQueueAttributes: () => attributes,
    GetQueueUrl: () => says({ QueueUrl: 'http://127.0.0.1/1/dead' }),
    ReceiveMessage: () => {
      const Messages = given ? [] : [{ MessageId: '1', ReceiptHandle: 'theirs', Body, MD5OfBody: createHash('md5').update(Body).digest('hex'), Attributes: { DeadLetterQueueSourceArn: arn('another') } }] // prettier-ignore
      given = true
      return says({ Messages })
    },
  })
  begin(server.sqs, server.queueUrl)
  await until(() => expect(watch?.now()).toMatchObject({ of_others: 1, brought_back: 0 }))
  const asked = () => server.asked.map(({ headers }) => String(headers['x-amz-target']).split('.').at(-1))
  await until(() => expect(asked()).toContain('ChangeMessageVisibility'))
  expect(asked()).not.toContain('DeleteMessage')
  expect(at.count('events')).toBe(0)
  await server.stop()
})

it('says plainly which permissions are missing', async () => {
  const server = await aws({
    GetQueueAttributes: () => attributes,
    GetQueueUrl: () => says({ QueueUrl: 'http://127.0.0.1/1/dead' }),
    ReceiveMessage: () => says({ __type: 'com.amazon.coral.service#AccessDeniedException', message: 'no' }, 403),
  })
  begin(server.sqs, server.queueUrl)
  await until(() =>
    expect(watch?.now().problem).toMatchObject({
      code: 'dead_letters_permission',
      todo: expect.stringContaining('sqs:GetQueueUrl') as string,
    }),
  )
  expect(watch?.now().waiting).toBe(1)
  await server.stop()
})
