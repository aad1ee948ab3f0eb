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

/** The permissions on the events queue that this console has not got, and what asking for them did. */
export interface PermissionFindings {
  missing: Permission[]
  /** Messages that the queue gave out where it should have refused: seen again at once, received once more. */
  givenOut: number
}

/**
 * Each permission is asked for what cannot be done (more messages than SQS ever gives, messages that are none):
 * whoever is permitted hears that instead. A server in the place of SQS may give out as many as it can.
 */
export async function askPermissions(sqs: SQSClient, QueueUrl: string, timeout: object): Promise<PermissionFindings> {
  let givenOut = 0
  const asks: Record<Permission, () => Promise<unknown>> = {
    'sqs:ReceiveMessage': async () => {
      const ask = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11, VisibilityTimeout: 0 })
      givenOut = (await sqs.send(ask, timeout)).Messages?.length ?? 0
    },
    'sqs:DeleteMessage': () => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }), timeout),
    'sqs:ChangeMessageVisibility': () =>
      sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }), timeout),
    'sqs:GetQueueAttributes': () =>
      sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }), timeout),
  }
  const refused = await Promise.all(eventsQueuePermissions.map((permission) => isRefused(asks[permission])))
  return { missing: eventsQueuePermissions.filter((_, index) => refused[index]), givenOut }
}

async function isRefused(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return false
  } catch (error) {
    return isPermissionError(error)
  }
}
