import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { minutes, seconds } from '../../shared/time.ts'
import type { Configuration } from '../configuration/index.ts'
import { sqsClient } from '../platform/aws.ts'
import { lengthText } from '../platform/length-text.ts'
import type { Clock } from '../platform/ports.ts'
import { explainQueueError, isPermissionError } from '../platform/queue-errors.ts'
import { checkActionsPutAside } from './actions-put-aside.ts'
import { askPermissions } from './permissions.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'

const timeout = { requestTimeout: 5000 }
const clockMayDiffer = seconds(30)
const clockMustNotDiffer = minutes(5)
/** SQS keeps messages 14 days at most. */
const longestRetention = 14

/** Both queues as far as they can be asked without taking or sending a message. */
export interface QueueFindings {
  checks: Check[]
  /** An open client of an events queue that answers; null where there is none. The caller destroys it. */
  sqs: SQSClient | null
  /** Messages received and not yet deleted. */
  inFlight: number
}

export async function checkQueues(
  { queue, mode }: Configuration,
  clock: Clock,
  progress: (what: string) => void,
): Promise<QueueFindings> {
  const { eventsQueueUrl, acksQueueUrl } = queue
  if (eventsQueueUrl === null) {
    const none = `No events queue is configured: ${mode === 'desk' ? 'a school’s desk' : 'the demonstration school'} brings its own.`
    return {
      checks: ['Events queue', 'Retention', 'Acknowledgement queue', 'Clock'].map((name) => skipped(name, none)),
      sqs: null,
      inFlight: 0,
    }
  }
  const sqs = sqsClient({ region: queue.region, endpoint: queue.endpoint, credentials: null })
  const clocks = compareClocks(sqs, clock)
  progress('Asking the events queue')
  const events = await checkEvents(sqs, eventsQueueUrl, clock)
  const checks = [
    events.check,
    events.retention,
    await checkAcks(sqs, acksQueueUrl, eventsQueueUrl, clock),
    clocks.check(),
  ]
  if (!events.answers) sqs.destroy()
  return { checks, sqs: events.answers ? sqs : null, inFlight: events.inFlight }
}

async function checkEvents(sqs: SQSClient, queueUrl: string, clock: Clock) {
  const name = 'Events queue'
  const began = clock.now()
  try {
    const { Attributes: found = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: queueUrl,
        AttributeNames: [
          'ApproximateNumberOfMessages',
          'ApproximateNumberOfMessagesNotVisible',
          'MessageRetentionPeriod',
        ],
      }),
      timeout,
    )
    const took = clock.now() - began
    const inFlight = Number(found.ApproximateNumberOfMessagesNotVisible ?? 0)
    const { missing, givenOut } = await askPermissions(sqs, queueUrl, timeout)
    return {
      answers: true,
      inFlight,
      check:
        missing.length > 0
          ? notPermitted(missing)
          : ok(
              name,
              `It exists, accepts these credentials and answered in ${took} ms; ${found.ApproximateNumberOfMessages ?? 0} waiting, ${inFlight} in flight. ${sentenceOf(givenOut)}`,
            ),
      retention: checkRetention(Number(found.MessageRetentionPeriod) / 86_400),
    }
  } catch (error) {
    const { happened, todo } = explainQueueError(error)
    const missing = isPermissionError(error) ? (await askPermissions(sqs, queueUrl, timeout)).missing : []
    const check = missing.length > 0 ? notPermitted(missing) : failed(name, happened, todo)
    return { answers: false, inFlight: 0, check, retention: skipped('Retention', 'The queue could not be asked.') }
  }
}

/** Real SQS gives out nothing to a question for too much. */
function sentenceOf(givenOut: number): string {
  if (givenOut === 0) return 'No messages were taken for this check.'
  return `Asked for more messages than SQS gives, this server gave out ${givenOut} instead of refusing: they are visible again, with a receive count one higher.`
}

function notPermitted(missing: readonly string[]): Check {
  const permissions = new Intl.ListFormat('en-US').format(missing)
  return failed(
    'Events queue',
    `AWS knows these credentials and does not permit them ${permissions} on it${missing.includes('sqs:ReceiveMessage') ? ': no alert arrives here' : ''}.`,
    `Ask for the permission ${permissions} on the events queue.`,
  )
}

function checkRetention(kept: number): Check {
  const name = 'Retention'
  if (!Number.isFinite(kept)) return skipped(name, 'The queue does not say how long it keeps messages.')
  const text = `${Math.round(kept * 10) / 10} days`
  if (kept >= longestRetention) return ok(name, `The queue keeps messages ${text}, the maximum.`)
  return warning(
    name,
    `The queue keeps messages ${text}: older alerts are lost if no console is running, for example over the holidays.`,
    `Set the queue’s MessageRetentionPeriod to ${longestRetention * 86_400} seconds (14 days), or make sure that a console runs at least every ${text}.`,
  )
}

async function checkAcks(sqs: SQSClient, queueUrl: string | null, eventsQueueUrl: string, clock: Clock) {
  const name = 'Acknowledgement queue'
  if (queueUrl === null) return skipped(name, 'None is configured: acknowledgements stay on this console.')
  if (queueUrl === eventsQueueUrl)
    return failed(
      name,
      'It is the events queue: acknowledgements would come back as events that nothing can read.',
      'Give PSYFLO_ACKS_QUEUE_URL a queue of its own.',
    )
  const began = clock.now()
  try {
    await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
      timeout,
    )
    const took = clock.now() - began
    const putAside = await checkActionsPutAside(sqs, queueUrl, timeout)
    return putAside ?? ok(name, `It exists and answered in ${took} ms. Nothing was sent for this check.`)
  } catch (error) {
    if (isPermissionError(error))
      return warning(
        name,
        'It answers, but its details may not be read; whether sending is allowed will show only at the first acknowledgement.',
        'Make sure it allows sqs:SendMessage; with sqs:GetQueueAttributes, doctor can check.',
      )
    const { happened, todo } = explainQueueError(error, { what: 'acknowledgement queue' })
    return failed(name, happened, todo)
  }
}

/** Listens to the Date header of every answer, refusals included. */
function compareClocks(sqs: SQSClient, clock: Clock): { check(): Check } {
  let difference: number | null = null
  sqs.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const headers = (result.response as { headers?: Record<string, string> } | undefined)?.headers ?? {}
      const theirs = Date.parse(headers['date'] ?? '')
      if (Number.isFinite(theirs)) difference = clock.now() - theirs
      return result
    },
    { step: 'deserialize', priority: 'low', name: 'doctorClock' },
  )
  return {
    check() {
      const name = 'Clock'
      if (difference === null) return skipped(name, 'No queue gave its time, so the clock could not be compared.')
      // The header counts whole seconds.
      const apart = Math.max(0, Math.abs(difference) - 1000)
      if (apart <= clockMayDiffer) return ok(name, 'This computer’s clock agrees with the queue’s.')
      const sentence = `This computer’s clock is ${lengthText(apart)} ${difference > 0 ? 'ahead of' : 'behind'} the queue’s: ages and due times are wrong by that much.`
      const todo = 'Let the operating system set the clock (NTP).'
      return apart > clockMustNotDiffer ? failed(name, sentence, todo) : warning(name, sentence, todo)
    },
  }
}
