/** The queues of a console: those of the district, or the desk's own. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { Configuration } from '../configuration/index.ts'
import { sqsClient, type AwsAccess } from '../platform/aws.ts'
import type { Stops } from '../platform/stops.ts'

export interface ConsoleQueues {
  /** The desk's own, in this process; nobody else reads them. */
  desk: boolean
  access: AwsAccess
  sqs: SQSClient
  eventsQueueUrl: string
  /** Null = acknowledgements stay on this console. */
  acksQueueUrl: string | null
}

/** Reaches the configured queues; nothing is asked of them yet. Throws where no events queue is configured. */
export function openConfiguredQueues({ queue }: Configuration, stops: Stops): ConsoleQueues {
  if (queue.eventsQueueUrl === null) throw new Error('no events queue is configured')
  const access: AwsAccess = { region: queue.region, endpoint: queue.endpoint, credentials: null }
  const sqs = sqsClient(access)
  stops.push(() => sqs.destroy())
  return { desk: false, access, sqs, eventsQueueUrl: queue.eventsQueueUrl, acksQueueUrl: queue.acksQueueUrl }
}
