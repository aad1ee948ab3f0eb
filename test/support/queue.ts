/** A real SQS- and SNS-compatible server in this process, on loopback, in memory. */
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  TagQueueCommand,
} from '@aws-sdk/client-sqs'
import { buildApp } from 'fauxqs'
import { sqsClient } from '../../main/platform/aws.ts'

export async function openQueue(options: { visibility?: number } = {}) {
  const app = buildApp({ logger: false, host: 'localhost', defaultRegion: 'us-east-1' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const endpoint = `http://127.0.0.1:${port}`
  const sqs = sqsClient({ region: 'us-east-1', endpoint, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } })
  const create = async (name: string): Promise<string> => {
    const fifo = name.endsWith('.fifo') && { FifoQueue: 'true' }
    const Attributes = { VisibilityTimeout: String(options.visibility ?? 1), ...fifo }
    return (await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }))).QueueUrl ?? ''
  }
  const url = await create('events')
  return {
    sqs,
    endpoint,
    url,
    create,
    tag: (Tags: Record<string, string>) => sqs.send(new TagQueueCommand({ QueueUrl: url, Tags })),
    remove: (QueueUrl = url) => sqs.send(new DeleteQueueCommand({ QueueUrl })),
    async send(body: unknown, QueueUrl = url) {
      const MessageBody = typeof body === 'string' ? body : JSON.stringify(body)
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }))
    },
    /** Messages that nobody has deleted, seen or unseen. */
    async left(QueueUrl = url): Promise<number> {
      const { Attributes: found = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      )
      return Number(found['ApproximateNumberOfMessages']) + Number(found['ApproximateNumberOfMessagesNotVisible'])
    },
    /** Takes what is there, in order, off the queue. */
    async take(QueueUrl = url): Promise<Record<string, unknown>[]> {
      const taken: Record<string, unknown>[] = []
      for (;;) {
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1 }))
        const [message] = Messages
        if (!message) return taken
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle ?? '' }))
        taken.push(JSON.parse(message.Body ?? '') as Record<string, unknown>)
      }
    },
    async stop() {
      sqs.destroy()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}
export type OpenQueue = Awaited<ReturnType<typeof openQueue>>
