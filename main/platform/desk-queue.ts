import { timingSafeEqual } from 'node:crypto'
import { CreateTopicCommand, SubscribeCommand, UnsubscribeCommand, type SNSClient } from '@aws-sdk/client-sns'
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { days, seconds } from '../../shared/time.ts'
import { snsClient, sqsClient, type AwsAccess } from './aws.ts'
import type { Randomness } from './ports.ts'

/** The desk's own SQS and SNS, in this process, in memory, on loopback. */
export interface DeskQueue {
  access: AwsAccess
  sqs: SQSClient
  sns: SNSClient
  eventsQueueUrl: string
  acksQueueUrl: string
  topicArn: string
  /**
   * Makes a queue for another console, which gets the events whose body fits `wanted`: of each field there, one of the
   * values. It is gone once it was ended.
   */
  subscribe(name: string, wanted: FilterPolicy): Promise<{ queueUrl: string; end(): Promise<void> }>
  stop(): Promise<void>
}

/** As SNS has it, of the body of a message. */
type FilterPolicy = Record<string, (string | { exists: boolean })[]>

/**
 * Starts the queue with credentials made for this run. It refuses every other credential, and every
 * request that a web page could send.
 */
export async function startDeskQueue(randomness: Randomness, schoolId: string): Promise<DeskQueue> {
  const credentials = {
    accessKeyId: `DESK${randomness.bytes(16).toString('hex').toUpperCase()}`,
    secretAccessKey: randomness.bytes(24).toString('hex'),
  }
  const region = 'us-east-1'
  // A district console has no use for it: loaded only here.
  const { buildApp } = await import('fauxqs')
  const app = buildApp({ logger: false, host: '127.0.0.1', defaultRegion: region })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const named = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (request.headers.origin !== undefined || !sameText(named, credentials.accessKeyId)) {
      await reply.code(403).send('{"__type":"InvalidClientTokenId","message":"these credentials are not known here"}')
    }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the desk queue has no port')

  const access: AwsAccess = { region, endpoint: `http://127.0.0.1:${address.port}`, credentials }
  const sqs = sqsClient(access)
  const sns = snsClient(access)
  const acksQueueUrl = await createQueue(sqs, 'psyflo-acks')
  const { TopicArn: topicArn = '' } = await sns.send(new CreateTopicCommand({ Name: 'psyflo-events' }))
  const subscribe: DeskQueue['subscribe'] = async (name, wanted) => {
    const queueUrl = await createQueue(sqs, name)
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
    )
    const { SubscriptionArn } = await sns.send(
      new SubscribeCommand({
        TopicArn: topicArn,
        Protocol: 'sqs',
        Endpoint: Attributes?.QueueArn,
        Attributes: { FilterPolicyScope: 'MessageBody', FilterPolicy: JSON.stringify(wanted) },
      }),
    )
    return {
      queueUrl,
      async end() {
        await sns.send(new UnsubscribeCommand({ SubscriptionArn }))
        await sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl }))
      },
    }
  }
  const { queueUrl: eventsQueueUrl } = await subscribe('psyflo-events', { school_id: [schoolId, { exists: false }] })
  return {
    access,
    sqs,
    sns,
    eventsQueueUrl,
    acksQueueUrl,
    topicArn,
    subscribe,
    async stop() {
      sqs.destroy()
      sns.destroy()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

async function createQueue(sqs: SQSClient, name: string): Promise<string> {
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: { VisibilityTimeout: String(seconds(30) / 1000), MessageRetentionPeriod: String(days(14) / 1000) },
    }),
  )
  if (QueueUrl === undefined) throw new Error('the desk queue gave no address')
  return QueueUrl
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
