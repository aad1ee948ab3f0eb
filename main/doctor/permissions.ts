import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { eventsQueuePermissions, isPermissionError } from '../platform/queue-errors.ts'

type Permission = (typeof eventsQueuePermissions)[number]

/** A receipt of no message. */
const ReceiptHandle = 'psyflo-doctor'

/**
 * The permissions on the events queue that this console has not got. Each is asked for what cannot be done
 * (more messages than SQS ever gives, messages that are none): whoever is permitted hears that instead.
 */
export async function missingPermissions(sqs: SQSClient, QueueUrl: string, timeout: object): Promise<Permission[]> {
  const asks: Record<Permission, () => Promise<unknown>> = {
    'sqs:ReceiveMessage': () =>
      sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11, VisibilityTimeout: 0 }), timeout),
    'sqs:DeleteMessage': () => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }), timeout),
    'sqs:ChangeMessageVisibility': () =>
      sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }), timeout),
    'sqs:GetQueueAttributes': () =>
      sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }), timeout),
  }
  const refused = await Promise.all(eventsQueuePermissions.map((permission) => isRefused(asks[permission])))
  return eventsQueuePermissions.filter((_, index) => refused[index])
}

async function isRefused(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return false
  } catch (error) {
    return isPermissionError(error)
  }
}
