import { PublishBatchCommand, type SNSClient } from '@aws-sdk/client-sns'
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { sendingFailsAfter } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import type { Cancel, Clock, Logger, Randomness } from '../platform/ports.ts'
import type { Outbox, WaitingMessage } from '../store/index.ts'

/** Hands messages over; answers the ids that were refused, with the reason's name. Throws when nothing got through. */
export type Sending = (messages: readonly WaitingMessage[]) => Promise<Map<string, string>>

export interface SenderOptions {
  outbox: Outbox
  /** What it sends, for the log. */
  what: 'acknowledgements' | 'events'
  /** Whether a message that is refused holds back the later ones of its group. */
  inOrder: boolean
  send: Sending
  clock: Clock
  randomness: Randomness
  logger: Logger
  onSent?: (messages: readonly WaitingMessage[]) => void
  /** After how long of failing (milliseconds) that is an error in the log. */
  patience?: number
}

export interface Sender {
  /** There is something new to send. */
  wake(): void
  /** Since when nothing gets through, UTC milliseconds; null while it does, or nothing has been tried. */
  failingSince(): number | null
  /** Ends when what is in hand has been handed over, and that is written down. */
  stop(): Promise<void>
}

const batchSize = 10
/** SQS and SNS take 256 KiB in one batch, attributes included. */
const batchBytes = 240 * 1024
const longestWait = seconds(30)
/** After how long an outbox that could not be worked is tried again: it may be back any moment. */
const outboxWait = seconds(5)

/**
 * Sends the outbox without end: at once, then with doubling waits up to 30 s and jitter, across
 * restarts and days offline.
 */
export function startSender(options: SenderOptions): Sender {
  const { outbox, what, inOrder, clock, randomness, logger, patience = sendingFailsAfter } = options
  let stopped = false
  let running: Promise<void> | null = null
  let again = false
  let allDue = true
  let failing: { since: number; cancel: Cancel } | null = null
  let cancelTimer: Cancel = () => undefined
  let lastWake = -Infinity

  // Whole milliseconds: the database takes no part of one.
  const failedUntil = (attempts: number): number =>
    clock.now() +
    Math.round(Math.min(longestWait, seconds(1) * 2 ** Math.min(attempts, 10)) * (0.5 + randomness.fraction() / 2))

  const sendOnce = async (): Promise<boolean> => {
    const messages = fitting(await outbox.next(clock.now(), batchSize, inOrder))
    if (messages.length === 0) return false
    let refused: Map<string, string>
    try {
      refused = await options.send(messages)
    } catch (error) {
      const { name } = error as Error
      logger.warn({ what, waiting: messages.length, error }, 'could not send; it stays in the outbox')
      refused = new Map(messages.map(({ id }) => [id, name]))
    }
    const sent = messages.filter(({ id }) => !refused.has(id))
    noteOutcome(sent.length > 0)
    if (sent.length > 0)
      await outbox.markSent(
        sent.map(({ position }) => position),
        clock.now(),
      )
    for (const message of messages) {
      const problem = refused.get(message.id)
      if (problem !== undefined) await outbox.markFailed(message.position, failedUntil(message.attempts), problem)
    }
    if (!stopped && (sent.length > 0 || refused.size > 0)) options.onSent?.(messages)
    return sent.length > 0
  }

  const noteOutcome = (throughNow: boolean): void => {
    if (throughNow) {
      failing?.cancel()
      failing = null
      return
    }
    if (failing || stopped) return
    const since = clock.now()
    // A timer: a clock that is set is no time that passes.
    const cancel = clock.after(patience, () =>
      logger.error({ what, since: new Date(since).toISOString() }, 'nothing gets through; it stays in the outbox'),
    )
    failing = { since, cancel }
  }

  const run = async (): Promise<void> => {
    do {
      again = false
      if (allDue) {
        await outbox.tryAtOnce(clock.now())
        allDue = false
      }
      while (!stopped && (await sendOnce())) {
        // as long as something gets through
      }
    } while (again && !stopped)
    const due = stopped ? null : await outbox.nextDue(clock.now())
    running = null
    // Whoever came while this one was ending is not left to the timer.
    if (again) wake()
    else if (due !== null && !stopped)
      cancelTimer = clock.after(Math.min(longestWait, Math.max(due - clock.now(), 100)), wake)
  }

  const wake = (): void => {
    if (stopped) return
    again = true
    if (running) return
    cancelTimer()
    // A clock that was set back puts every next try into the future: then all are due.
    if (clock.now() < lastWake) allDue = true
    lastWake = clock.now()
    running = run().catch((error: unknown) => {
      // A full disk, say: the row stands, and the next round tries again.
      logger.error({ what, error }, 'the outbox could not be worked')
      running = null
      if (!stopped) cancelTimer = clock.after(outboxWait, wake)
    })
  }

  wake()
  return {
    wake,
    failingSince: () => failing?.since ?? null,
    async stop() {
      stopped = true
      cancelTimer()
      failing?.cancel()
      await running
    },
  }
}

/** As many from the front as one batch takes; always one, which the schema keeps below the limit. */
function fitting(messages: readonly WaitingMessage[]): WaitingMessage[] {
  let bytes = 0
  const end = messages.findIndex(({ body }) => (bytes += Buffer.byteLength(body)) > batchBytes)
  return end < 0 ? [...messages] : messages.slice(0, Math.max(1, end))
}

/** Sends to an SQS queue; session = message group where the queue is FIFO. */
export function toQueue(sqs: SQSClient, queueUrl: string): Sending {
  const fifo = queueUrl.endsWith('.fifo')
  return async (messages) => {
    const { Failed } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: messages.map(({ id, group_id, body }, index) => ({
          Id: String(index),
          MessageBody: body,
          ...(fifo && { MessageGroupId: group_id, MessageDeduplicationId: id.slice(0, 128) }),
        })),
      }),
    )
    return refusals(messages, Failed)
  }
}

/** Publishes to an SNS topic with the attributes that subscriptions filter by. */
export function toTopic(sns: SNSClient, topicArn: string): Sending {
  return async (messages) => {
    const { Failed } = await sns.send(
      new PublishBatchCommand({
        TopicArn: topicArn,
        PublishBatchRequestEntries: messages.map(({ event_type, body }, index) => ({
          Id: String(index),
          Message: body,
          ...(event_type === 'CRISIS_DETECTED' && { Subject: 'CRISIS_ALERT' }),
          MessageAttributes: {
            event_type: { DataType: 'String', StringValue: event_type },
            ...(event_type === 'CRISIS_DETECTED' && { priority: { DataType: 'String', StringValue: 'CRITICAL' } }),
          },
        })),
      }),
    )
    return refusals(messages, Failed)
  }
}

function refusals(
  messages: readonly WaitingMessage[],
  failed: { Id?: string | undefined; Code?: string | undefined }[] | undefined,
): Map<string, string> {
  return new Map((failed ?? []).map(({ Id, Code }) => [messages[Number(Id)]?.id ?? '', Code ?? 'refused']))
}
