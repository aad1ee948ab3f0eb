/** What comes to the events queue, and what SQS puts aside of it: subscription and redrive policy. */
import { GetSubscriptionAttributesCommand, ListSubscriptionsByTopicCommand, type SNSClient } from '@aws-sdk/client-sns'
import { GetQueueAttributesCommand, GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { z } from 'zod'
import { plural } from '../../shared/numbers.ts'
import type { Configuration } from '../configuration/index.ts'
import { snsClient } from '../platform/aws.ts'
import { isPermissionError } from '../platform/queue-errors.ts'
import { redrivePolicyOf, type RedrivePolicy } from '../platform/redrive-policy.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'

const timeout = { requestTimeout: 5000 }
const deadLetters = 'Dead letters'
const subscription = 'Subscription'
/** A console that is killed, or restarts, gives back what it held: so many receives of a message are nothing unusual. */
const fewestReceives = 5
/** Subscriptions of a topic that are looked through, in pages of 100. */
const mostPages = 20

/** Both checks, of a queue that answers; `school` is the console's, null = not known. Changes nothing. */
export async function checkDelivery(
  { queue }: Configuration,
  sqs: SQSClient | null,
  school: string | null,
): Promise<Check[]> {
  const { eventsQueueUrl: QueueUrl } = queue
  if (sqs === null || QueueUrl === null) {
    const why = QueueUrl === null ? 'No events queue is configured.' : 'The queue could not be asked.'
    return [skipped(deadLetters, why), skipped(subscription, why)]
  }
  const found = await attributesOf(sqs, QueueUrl)
  const retention = Number(found['MessageRetentionPeriod'])
  return [
    await checkDeadLetters(sqs, redrivePolicyOf(found['RedrivePolicy']), retention),
    await checkSubscription(queue, { arn: found['QueueArn'] ?? '', policy: found['Policy'] }, school),
  ]
}

async function attributesOf(sqs: SQSClient, QueueUrl: string): Promise<Record<string, string>> {
  const AttributeNames = ['QueueArn', 'Policy', 'RedrivePolicy', 'MessageRetentionPeriod'] as const
  try {
    const ask = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] })
    return (await sqs.send(ask, timeout)).Attributes ?? {}
  } catch {
    return {}
  }
}

async function checkDeadLetters(sqs: SQSClient, policy: RedrivePolicy | null, retention: number): Promise<Check> {
  if (policy === null)
    return ok(
      deadLetters,
      'The queue has no dead-letter queue: SQS puts no message aside, however often it is received.',
    )
  const { name, account, maxReceives } = policy
  const after = maxReceives === null ? '' : ` after ${plural(maxReceives, { one: '# receive', other: '# receives' })}`
  let waiting: number
  let kept: number
  try {
    const { QueueUrl } = await sqs.send(
      new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account }),
      timeout,
    )
    const { Attributes: found = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'MessageRetentionPeriod'],
      }),
      timeout,
    )
    waiting = Number(found['ApproximateNumberOfMessages'] ?? 0)
    kept = Number(found['MessageRetentionPeriod'])
  } catch (error) {
    return warning(
      deadLetters,
      `SQS puts messages aside${after}, in ${name}, and ${isPermissionError(error) ? 'this console may not look there' : 'that queue does not answer'}: an alert among them is not seen here.`,
      'Allow sqs:GetQueueUrl, GetQueueAttributes, ReceiveMessage, ChangeMessageVisibility, and DeleteMessage on the dead-letter queue; the console then brings messages back by itself.',
    )
  }
  if (waiting > 0)
    return warning(
      deadLetters,
      `${plural(waiting, { one: '# message is', other: '# messages are' })} in the dead-letter queue ${name}; there may be alerts among them.`,
      'Start the console: it brings them back by itself. Settings → Queues & connection says why where it cannot.',
    )
  if (maxReceives !== null && maxReceives < fewestReceives)
    return warning(
      deadLetters,
      `SQS puts a message aside${after}: a console that restarts a few times is enough for that. Messages brought back from there are late.`,
      `Set maxReceiveCount in the queue’s RedrivePolicy to ${fewestReceives} or more.`,
    )
  // A message keeps its age when it is put aside.
  if (kept < retention)
    return warning(
      deadLetters,
      `The dead-letter queue ${name} keeps messages for less time than the events queue, counted from when they were sent: one that is put aside late is lost at once.`,
      `Set the MessageRetentionPeriod of ${name} to 1209600 seconds (14 days).`,
    )
  return ok(
    deadLetters,
    `SQS puts a message aside${after}, in ${name}, which is empty; the console brings back what comes there.`,
  )
}

const one = z.union([z.string(), z.array(z.string())]).transform((value) => (Array.isArray(value) ? value : [value]))
const policySchema = z.object({
  Statement: z.array(z.object({ Condition: z.record(z.string(), z.record(z.string(), one)).optional() })),
})

/** The topics that the queue's own policy lets send to it; that is where a console can read which ones they are. */
function topicsOf(policy: string | undefined): string[] {
  try {
    const { Statement } = policySchema.parse(JSON.parse(policy ?? ''))
    const named = Statement.flatMap(({ Condition = {} }) =>
      Object.values(Condition).flatMap((operands) =>
        Object.entries(operands).flatMap(([key, values]) => (key.toLowerCase() === 'aws:sourcearn' ? values : [])),
      ),
    )
    return named.filter((arn) => /^arn:[a-z-]+:sns:[a-z0-9-]+:\d*:[A-Za-z0-9_-]+$/.test(arn))
  } catch {
    return []
  }
}

async function checkSubscription(
  { topicEndpoint: endpoint }: Configuration['queue'],
  queue: { arn: string; policy: string | undefined },
  school: string | null,
): Promise<Check> {
  const [topic] = topicsOf(queue.policy)
  if (topic === undefined)
    return skipped(subscription, 'The queue’s policy names no topic, so its subscription could not be looked up.')
  const sns = snsClient({ region: topic.split(':')[3] ?? '', endpoint, credentials: null })
  try {
    const arn = await subscriptionOf(sns, topic, queue.arn)
    if (arn === null)
      return failed(
        subscription,
        'The topic that may send to this queue has no subscription of it: no event arrives here.',
        'Subscribe the queue to the topic (README, “A district console in five lines”).',
      )
    const { Attributes = {} } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn: arn }), timeout)
    return checkFilter(Attributes, school)
  } catch (error) {
    return skipped(
      subscription,
      isPermissionError(error)
        ? 'Its filter may not be read here (sns:ListSubscriptionsByTopic, sns:GetSubscriptionAttributes).'
        : 'The topic could not be asked.',
    )
  } finally {
    sns.destroy()
  }
}

async function subscriptionOf(sns: SNSClient, TopicArn: string, queueArn: string): Promise<string | null> {
  let NextToken: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const found = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn, NextToken }), timeout)
    const own = found.Subscriptions?.find(({ Endpoint }) => Endpoint === queueArn)
    if (own?.SubscriptionArn !== undefined) return own.SubscriptionArn
    NextToken = found.NextToken
    if (NextToken === undefined) return null
  }
  throw new Error('too many subscriptions')
}

const filterSchema = z.record(z.string(), z.unknown())
const todo = 'Set the subscription’s filter as the README says (“A district console in five lines”).'

/** A filter must let through what names this school, and what names none. */
function checkFilter(attributes: Record<string, string>, school: string | null): Check {
  let filter: Record<string, unknown>
  try {
    filter = filterSchema.parse(JSON.parse(attributes['FilterPolicy'] ?? '{}'))
  } catch {
    return failed(subscription, 'The filter of the queue’s subscription cannot be read.', todo)
  }
  const fields = Object.keys(filter)
  if (fields.length === 0)
    return ok(
      subscription,
      'The queue is subscribed without a filter: every school’s events come here, and other schools’ are set aside.',
    )
  if (attributes['FilterPolicyScope'] !== 'MessageBody')
    return failed(
      subscription,
      'The filter of the queue’s subscription looks at attributes instead of the body: no event of the school’s chat passes it.',
      todo,
    )
  const [field, ...more] = fields
  if (field !== 'school_id' || more.length > 0)
    return failed(
      subscription,
      'The filter of the queue’s subscription asks for more than the school: events without those fields do not pass it.',
      todo,
    )
  const wanted = z.array(z.unknown()).catch([]).parse(filter['school_id'])
  if (!wanted.some((each) => (each as { exists?: unknown } | null)?.exists === false))
    return failed(
      subscription,
      'The filter of the queue’s subscription lets nothing through that names no school: crises of older back ends do not arrive here.',
      todo,
    )
  if (school !== null && !wanted.includes(school))
    return failed(
      subscription,
      'The filter of the queue’s subscription does not let this console’s school through: none of its alerts arrive here.',
      todo,
    )
  return ok(
    subscription,
    school === null
      ? 'The queue is subscribed with a filter on the school; which school this console serves is not known.'
      : 'The queue is subscribed with a filter that lets this school’s events through, and those that name no school.',
  )
}
