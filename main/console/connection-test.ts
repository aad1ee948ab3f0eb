import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { plural } from '../../shared/numbers.ts'
import type { ConnectionTest, DeadLetters, QueueSharing } from '../../shared/views.ts'
import type { Clock } from '../platform/ports.ts'
import { anotherConsole, type Claim } from './event-queue/index.ts'
import { explainQueueError, isPermissionError } from '../platform/queue-errors.ts'

/** A queue that says nothing this long does not answer; the client's own retries would take half a minute. */
const patience = 5_000

/** Asks both queues whether they answer this console; each step says what to do when it fails. */
export async function testConnection(options: {
  sqs: SQSClient
  eventsQueueUrl: string
  acksQueueUrl: string | null
  clock: Clock
  receiving: boolean
  /** The claim on the events queue, looked at just now; null = the queue is this program's own. */
  claim: Claim | null
  /** As the strip says it. */
  sharing: QueueSharing | null
  /** Null = the queue is this program's own. */
  deadLetters: DeadLetters | null
}): Promise<ConnectionTest> {
  const { sqs, clock } = options
  const ask = async (
    queue: 'events' | 'acknowledgement',
    queueUrl: string,
  ): Promise<ConnectionTest['steps'][number]> => {
    const name = queue === 'events' ? 'Events queue' : 'Acknowledgement queue'
    const began = clock.now()
    try {
      const { Attributes: found = {} } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: queueUrl,
          AttributeNames: ['ApproximateNumberOfMessages', 'MessageRetentionPeriod'],
        }),
        { abortSignal: AbortSignal.timeout(patience) },
      )
      const keeps = Number(found.MessageRetentionPeriod ?? 0) / 86_400
      return {
        name,
        ok: true,
        detail: `Answered in ${clock.now() - began} ms; ${found.ApproximateNumberOfMessages ?? 0} waiting; keeps messages ${Math.round(keeps * 10) / 10} days.`,
        todo: null,
      }
    } catch (error) {
      // Sending there takes no right to ask: the first acknowledgement tells.
      if (queue === 'acknowledgement' && isPermissionError(error))
        return { name, ok: true, detail: 'It answers, but may not be asked (sqs:GetQueueAttributes).', todo: null }
      const { happened, todo } = explainQueueError(error, { what: `${queue} queue` })
      return { name, ok: false, detail: happened, todo }
    }
  }
  const steps = [await ask('events', options.eventsQueueUrl)]
  if (options.acksQueueUrl === null) {
    steps.push({
      name: 'Acknowledgement queue',
      ok: true,
      detail: 'None is configured: acknowledgements stay on this console.',
      todo: null,
    })
  } else {
    steps.push(await ask('acknowledgement', options.acksQueueUrl))
  }
  steps.push({
    name: 'Receiving',
    ok: options.receiving,
    detail: options.receiving
      ? 'This console is receiving events.'
      : 'This console is not receiving events at the moment.',
    todo: options.receiving ? null : 'Fix the steps above; receiving begins again by itself.',
  })
  if (options.claim !== null) steps.push(soleReceiver(options.claim, options.sharing))
  if (options.deadLetters !== null) steps.push(deadLetterStep(options.deadLetters))
  return { ok: steps.every(({ ok }) => ok), steps }
}

type Step = ConnectionTest['steps'][number]

function soleReceiver(claim: Claim, sharing: QueueSharing | null): Step {
  const name = 'One console on the queue'
  const todo =
    'Stop the other one, or give each console an events queue of its own, subscribed to the same topic (PSYFLO_EVENTS_QUEUE_URL).'
  if (sharing?.kind === 'console')
    return {
      name,
      ok: false,
      detail: `${anotherConsole(sharing.computer)} receives from this queue, too. Each gets some of the alerts.`,
      todo,
    }
  if (sharing !== null)
    return {
      name,
      ok: false,
      detail: 'Messages of this queue do not arrive here: something else seems to receive them.',
      todo,
    }
  if (claim.state === 'held') return { name, ok: true, detail: 'No other console receives from it.', todo: null }
  return {
    name,
    ok: true,
    detail:
      claim.state === 'unknown' && claim.why === 'not permitted'
        ? 'Nothing speaks for another one. It cannot be proven: the queue’s tags may not be read and written here (sqs:ListQueueTags, TagQueue, UntagQueue).'
        : 'Not known yet: the queue’s tags could not be read.',
    todo: null,
  }
}

function deadLetterStep({ state, waiting, problem }: DeadLetters): Step {
  const name = 'Dead-letter queue'
  if (problem !== null) return { name, ok: false, detail: problem.happened, todo: problem.todo }
  const detail = {
    none: 'There is none: SQS puts no message aside.',
    unknown: 'Not asked yet.',
    known: plural(waiting ?? 0, { one: '# message in it.', other: '# messages in it.' }),
  }[state]
  return { name, ok: true, detail, todo: null }
}
