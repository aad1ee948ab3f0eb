/** A real queue server outside the console's process, with the queues and the topic of one district console. */
import { CreateTopicCommand, PublishCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

export interface QueueServer {
  endpoint: string
  eventsQueueUrl: string
  acksQueueUrl: string
  topicArn: string
  sqs: SQSClient
  /** What a console needs in its environment to use these queues. */
  env: Record<string, string>
  send(...bodies: string[]): Promise<void>
  publish(body: string): Promise<void>
  /** Takes what is on the acknowledgement queue, without deleting it for longer than `hidden` seconds. */
  acknowledgements(): Promise<Record<string, unknown>[]>
  waiting(): Promise<number>
  pause(): void
  resume(): void
  stop(): Promise<void>
}

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }

/** Starts it on a free port (or the given one); `visibility` in seconds. */
export async function startQueueServer(
  options: { visibility?: number; dataDir?: string; port?: number } = {},
): Promise<QueueServer> {
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      join(import.meta.dirname, 'queue-process.ts'),
      String(options.port ?? 0),
      ...(options.dataDir ? [options.dataDir] : []),
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const endpoint = `http://127.0.0.1:${port}`
  const sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials, useQueueUrlAsEndpoint: false })
  const sns = new SNSClient({ endpoint, region: 'us-east-1', credentials })
  const create = async (name: string) => {
    const Attributes = { VisibilityTimeout: String(options.visibility ?? 5) }
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }))
    return QueueUrl
  }
  const eventsQueueUrl = await create('psyflo-events-console-1')
  const acksQueueUrl = await create('psyflo-acks')
  const { TopicArn: topicArn = '' } = await sns.send(new CreateTopicCommand({ Name: 'psyflo-events' }))
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: eventsQueueUrl, AttributeNames: ['QueueArn'] }),
  )
  await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: 'sqs', Endpoint: Attributes?.QueueArn }))

  return {
    endpoint,
    eventsQueueUrl,
    acksQueueUrl,
    topicArn,
    sqs,
    env: {
      PSYFLO_EVENTS_QUEUE_URL: eventsQueueUrl,
      PSYFLO_ACKS_QUEUE_URL: acksQueueUrl,
      AWS_ENDPOINT_URL_SQS: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    async send(...bodies) {
      if (bodies.length === 1) {
        await sqs.send(new SendMessageCommand({ QueueUrl: eventsQueueUrl, MessageBody: bodies[0] }))
        return
      }
      for (let start = 0; start < bodies.length; start += 10) {
        const Entries = bodies
          .slice(start, start + 10)
          .map((MessageBody, index) => ({ Id: String(index), MessageBody }))
        await sqs.send(new SendMessageBatchCommand({ QueueUrl: eventsQueueUrl, Entries }))
      }
    },
    async publish(body) {
      await sns.send(new PublishCommand({ TopicArn: topicArn, Message: body, Subject: 'CRISIS_ALERT' }))
    },
    async acknowledgements() {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: acksQueueUrl,
          MaxNumberOfMessages: 10,
          WaitTimeSeconds: 1,
          VisibilityTimeout: 0,
        }),
      )
      return Messages.map(({ Body = '{}' }) => JSON.parse(Body) as Record<string, unknown>)
    },
    async waiting() {
      const { Attributes: found = {} } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: eventsQueueUrl,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      )
      return Number(found.ApproximateNumberOfMessages) + Number(found.ApproximateNumberOfMessagesNotVisible)
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      sqs.destroy()
      sns.destroy()
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
