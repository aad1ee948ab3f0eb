import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { ConnectionTest } from '../../shared/views.ts'
import type { Clock } from '../platform/ports.ts'
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
  return { ok: steps.every(({ ok }) => ok), steps }
}
