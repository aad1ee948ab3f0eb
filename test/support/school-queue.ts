/** Queues of consoles whose schools share one topic, subscribed as the README says. */
import { SubscribeCommand, type SNSClient } from '@aws-sdk/client-sns'
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const readme = join(resolve(import.meta.dirname, '..', '..'), 'README.md')

/** Subscribes the queue of a school's console with the filter that stands in the README. */
export async function subscribeSchool(
  { sns, sqs }: { sns: SNSClient; sqs: SQSClient },
  { topicArn, queueUrl, school }: { topicArn: string; queueUrl: string; school: string },
): Promise<void> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
  )
  await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: Attributes['QueueArn'],
      Attributes: documentedFilter(school),
    }),
  )
}

function documentedFilter(school: string): Record<string, string> {
  const [, line = ''] = /^aws sns subscribe [^']*--attributes '(.+)'/m.exec(readFileSync(readme, 'utf8')) ?? []
  return JSON.parse(line.replaceAll('YOUR-SCHOOL-ID', school)) as Record<string, string>
}
