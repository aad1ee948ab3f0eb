/** The queues of a district, made by the lines of the README as they stand there, and what doctor says of them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SNSClient, SetSubscriptionAttributesCommand, ListSubscriptionsByTopicCommand } from '@aws-sdk/client-sns'
import {
  DeleteQueueCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfiguration } from '../../main/configuration/index.ts'
import { checkDelivery } from '../../main/doctor/delivery.ts'
import { startQueueServer, type QueueServer } from '../support/queue-server.ts'
import { testSchool } from '../support/sign-in.ts'

const hasAws = spawnSync('aws', ['--version']).status === 0
/** Older command lines read no endpoint from the environment. */
const atOurServer = 'aws() { command aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }'
/** As the README says for the next console; the server begins with the first one's queue. */
const name = 'psyflo-events-console-2'
let server: QueueServer
let sns: SNSClient
let home: string
let QueueUrl: string
beforeEach(async () => {
  server = await startQueueServer()
  QueueUrl = `${server.endpoint}/000000000000/${name}`
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  sns = new SNSClient({ endpoint: server.endpoint, region: 'us-east-1', credentials })
  home = mkdtempSync(join(tmpdir(), 'district-'))
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
})
afterEach(async () => {
  sns.destroy()
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})

/** The block of the README, with its placeholders filled in. */
function lines(): string {
  const readme = readFileSync(resolve(import.meta.dirname, '..', '..', 'README.md'), 'utf8')
  const [block = ''] = /^aws sqs create-queue[\s\S]*?(?=^```$)/m.exec(readme) ?? []
  return block
    .replaceAll('psyflo-events-console-1', name)
    .replaceAll('REGION', 'us-east-1')
    .replaceAll('ACCOUNT', '000000000000')
    .replaceAll('YOUR-SCHOOL-ID', testSchool)
}

const look = async (school = testSchool) => {
  const env = { ...server.env, PSYFLO_EVENTS_QUEUE_URL: QueueUrl }
  const checks = await checkDelivery(readConfiguration(env, ['--data-dir', home]), server.sqs, school)
  return { dead: checks[0], subscription: checks[1] }
}
const says = (status: string, sentence: string) => ({ status, sentence: expect.stringContaining(sentence) as string })

it.skipIf(!hasAws)(
  'stand as the README makes them, and doctor finds what is changed in them',
  async () => {
    const env = {
      ...{ PATH: process.env['PATH'], HOME: home, AWS_ENDPOINT_URL: server.endpoint },
      ...{ AWS_DEFAULT_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    }
    const script = `${atOurServer}\n${lines()}`
    execFileSync('bash', ['-euo', 'pipefail', '-c', script], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    expect(await look()).toMatchObject({
      dead: says('ok', `after 10 receives, in ${name}-dead`),
      subscription: says('ok', 'lets this school’s events through'),
    })
    expect((await look('99999999-6b1e-4d57-9c2a-8a1d5e6f7a90')).subscription).toMatchObject({ status: 'failed' })

    const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: server.topicArn }))
    const SubscriptionArn = Subscriptions.find(({ Endpoint }) => Endpoint?.endsWith(name))?.SubscriptionArn
    const filtered = async (filter: object, FilterPolicyScope = 'MessageBody') => {
      const set = { FilterPolicyScope, FilterPolicy: JSON.stringify(filter) }
      for (const [AttributeName, AttributeValue] of Object.entries(set))
        await sns.send(new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName, AttributeValue }))
      return (await look()).subscription
    }
    const both = [testSchool, { exists: false }]
    expect(await filtered({ school_id: [testSchool] })).toMatchObject(says('failed', 'crises of older back ends'))
    expect(await filtered({ school_id: both, event_type: ['CRISIS_DETECTED'] })).toMatchObject({ status: 'failed' })
    expect(await filtered({ school_id: both }, 'MessageAttributes')).toMatchObject(says('failed', 'attributes'))
    expect(await filtered({})).toMatchObject(says('ok', 'without a filter'))

    await server.sqs.send(new SendMessageCommand({ QueueUrl: `${QueueUrl}-dead`, MessageBody: 'put aside' }))
    expect((await look()).dead).toMatchObject(says('warning', '1 message is in'))
    await server.sqs.send(new PurgeQueueCommand({ QueueUrl: `${QueueUrl}-dead` }))
    const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${name}-dead`
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 })
    await server.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }))
    expect((await look()).dead).toMatchObject(says('warning', 'puts a message aside after 2 receives'))
    await server.sqs.send(new DeleteQueueCommand({ QueueUrl: `${QueueUrl}-dead` }))
    expect((await look()).dead).toMatchObject(says('warning', 'that queue does not answer'))
  },
  120_000,
)
