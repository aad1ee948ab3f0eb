/** The queue by which the crises of other producers come is this station's alone. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Logger } from '../../platform/ports.ts'
import { tagsOf } from '../../platform/queue-tags.ts'

/**
 * Throws ConsoleError `queue_taken` where the queue is that of acknowledgements, or a console has claimed it: whoever
 * receives from it beside another one gets half of the alerts. A console that is off counts, too: its alerts wait there.
 * Where the queue does not answer, or its tags may not be read, nobody is refused, and the log says so.
 */
export async function refuseQueueOfOthers(options: {
  sqs: SQSClient
  queueUrl: string
  acksQueueUrl: string
  logger: Logger
}): Promise<void> {
  const { sqs, queueUrl, acksQueueUrl, logger } = options
  if (queueUrl === acksQueueUrl) throw taken('PSYFLO_STATION_EVENTS_QUEUE_URL names the acknowledgement queue.')
  let consoles: number
  try {
    consoles = (await tagsOf(sqs, queueUrl).read()).length
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown'
    return logger.warn({ error: name }, 'whether a console has claimed the station’s queue of events could not be read')
  }
  if (consoles > 0) throw taken('A console has claimed the queue that PSYFLO_STATION_EVENTS_QUEUE_URL names.')
}

function taken(happened: string): ConsoleError {
  return new ConsoleError({
    code: 'queue_taken',
    happened: `${happened} Each would get only some of the messages.`,
    safe: 'The station did not start and has taken nothing from the queue.',
    todo: 'Give the station a queue of its own, subscribed to the same topic. If no console receives from this one any more, remove its tags that begin with “psyflo-console:”.',
  })
}
