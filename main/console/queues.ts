/** The queues of this console: its own in this process, or those of the district. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { toQueue, toTopic, type Sending } from '../outbox/index.ts'
import type { Configuration } from '../configuration/index.ts'
import type { Stop } from './startup.ts'
import { sqsClient, type AwsAccess } from '../platform/aws.ts'
import { startDeskQueue } from '../platform/desk-queue.ts'
import type { Ports } from '../platform/ports.ts'

export interface Queues {
  desk: boolean
  access: AwsAccess
  sqs: SQSClient
  eventsQueueUrl: string
  acksQueueUrl: string | null
  /** Where this program publishes events: its topic, or straight to the queue where it has none. */
  publish: Sending
}

/** Starts the desk's queue, or reaches the configured ones; nothing is asked of them yet. */
export async function openQueues(
  { queue, demo }: Configuration,
  { randomness }: Ports,
  schoolId: string,
  stops: Stop[],
): Promise<Queues> {
  // Invented alarms never meet real ones: a demonstration leaves a configured queue alone.
  if (demo || queue.eventsQueueUrl === null) {
    const desk = await startDeskQueue(randomness, schoolId)
    stops.push(() => desk.stop())
    const { access, sqs, eventsQueueUrl, acksQueueUrl } = desk
    return { desk: true, access, sqs, eventsQueueUrl, acksQueueUrl, publish: toTopic(desk.sns, desk.topicArn) }
  }
  const access: AwsAccess = { region: queue.region, endpoint: queue.endpoint, credentials: null }
  const sqs = sqsClient(access)
  stops.push(() => sqs.destroy())
  return {
    desk: false,
    access,
    sqs,
    eventsQueueUrl: queue.eventsQueueUrl,
    acksQueueUrl: queue.acksQueueUrl,
    publish: toQueue(sqs, queue.eventsQueueUrl),
  }
}
