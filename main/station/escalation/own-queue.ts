/** The queue by which the crises of other producers come is this station's alone. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { ConsoleError } from '../../../shared/errors.ts'
import { hours } from '../../../shared/time.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import { tagsOf } from '../../platform/queue-tags.ts'

/** How often it is looked at again, once the station runs. */
const lookEvery = hours(1)

interface OwnQueue {
  sqs: SQSClient
  queueUrl: string
  acksQueueUrl: string
  logger: Logger
}

/**
 * Looks every hour whether the queue has become somebody else’s. `onLook`: told each time whether it has. The answer stops
 * it, and ends when no look is under way.
 */
export function watchOwnQueue(
  options: OwnQueue & { clock: Clock; onLook(taken: boolean): Promise<void> },
): () => Promise<void> {
  const { clock, logger, onLook } = options
  let underWay: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    const isClaimed = await claimedByConsole(options)
    // What cannot be looked at is as it was.
    if (isClaimed === null) return
    if (isClaimed) logger.error({ code: 'queue_taken' }, 'others receive from the station’s queue')
    await onLook(isClaimed)
  }
  let cancel = clock.after(lookEvery, function again() {
    cancel = clock.after(lookEvery, again)
    underWay = underWay.then(look).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : 'unknown'
      logger.error({ error: name }, 'nobody could be told that others receive from the station’s queue')
    })
  })
  return () => {
    cancel()
    return underWay
  }
}

/**
 * Throws ConsoleError `queue_taken` where the queue is that of acknowledgements, or a console has claimed it: whoever
 * receives from it beside another one gets half of the alerts. A console that is off counts, too: its alerts wait there.
 * Where the queue does not answer, or its tags may not be read, nobody is refused, and the log says so.
 */
export async function refuseQueueOfOthers(options: OwnQueue): Promise<void> {
  if (options.queueUrl === options.acksQueueUrl)
    throw taken('PSYFLO_STATION_EVENTS_QUEUE_URL names the acknowledgement queue.')
  if (await claimedByConsole(options))
    throw taken('A console has claimed the queue that PSYFLO_STATION_EVENTS_QUEUE_URL names.')
}

/** Null = that could not be read, and the log says so. */
async function claimedByConsole({ sqs, queueUrl, logger }: OwnQueue): Promise<boolean | null> {
  try {
    return (await tagsOf(sqs, queueUrl).read()).length > 0
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown'
    logger.warn({ error: name }, 'whether a console has claimed the station’s queue of events could not be read')
    return null
  }
}

function taken(happened: string): ConsoleError {
  return new ConsoleError({
    code: 'queue_taken',
    happened: `${happened} Each would get only some of the messages.`,
    safe: 'The station did not start and has taken nothing from the queue.',
    todo: 'Give the station a queue of its own, subscribed to the same topic. If no console receives from this one any more, remove its tags that begin with “psyflo-console:”.',
  })
}
