/** What SQS has put aside of a queue, because it was received too often without being deleted. */
import { GetQueueAttributesCommand, GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { redrivePolicyOf } from './redrive-policy.ts'

/** The dead-letter queue of a queue. */
export interface PutAside {
  /** ARN of the queue whose messages these are. */
  of: string
  queueUrl: string
  name: string
  /** Messages there, whether or not somebody has them in hand: of other queues, too, where several share it. */
  waiting: number
}

/** Asks SQS; null where it puts nothing aside. Rejects with what SQS answers: a permission that is missing, say. */
export async function putAsideOf(
  sqs: SQSClient,
  queueUrl: string,
  options: { abortSignal?: AbortSignal; requestTimeout?: number } = {},
): Promise<PutAside | null> {
  const { Attributes: own = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn', 'RedrivePolicy'] }),
    options,
  )
  const policy = redrivePolicyOf(own['RedrivePolicy'])
  if (policy === null) return null
  const { name, account } = policy
  const { QueueUrl } = await sqs.send(
    new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account }),
    options,
  )
  if (QueueUrl === undefined) return null
  const { Attributes: there = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
    options,
  )
  const waiting =
    Number(there['ApproximateNumberOfMessages'] ?? 0) + Number(there['ApproximateNumberOfMessagesNotVisible'] ?? 0)
  return { of: own['QueueArn'] ?? '', queueUrl: QueueUrl, name, waiting }
}
