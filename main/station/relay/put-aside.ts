/** What people did and SQS has put aside, because it was received too often without being kept: it is taken from there. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { minutes, seconds } from '../../../shared/time.ts'
import type { Cancel, Clock, Logger } from '../../platform/ports.ts'
import { putAsideOf, type PutAside } from '../../platform/put-aside.ts'

const lookEvery = minutes(1)
const patience = seconds(10)
/** How long a message stays hidden while it is kept here, seconds. */
const hiddenFor = 60
/** Most messages of one round. */
const mostPerRound = 10_000

/** Whether a message may be of a console: each of theirs has an id of its own. */
function isOfConsole(body: string): boolean {
  try {
    return typeof (JSON.parse(body) as { ack_id?: unknown } | null)?.ack_id === 'string'
  } catch {
    return false
  }
}

/** Looks at once, and then every minute. The answer stops it, and ends when nothing is under way. */
export function takePutAside(options: {
  sqs: SQSClient
  acksQueueUrl: string
  clock: Clock
  logger: Logger
  /** Takes messages in as if they had just come; answers with those that were, which are then deleted. */
  take(messages: Message[]): Promise<Message[]>
  /** How many are there after a look; null = that cannot be asked here. */
  onLook(waiting: number | null): void
}): () => Promise<void> {
  const { sqs, acksQueueUrl, clock, logger, take, onLook } = options
  const stopping = new AbortController()
  const asking = () => ({ abortSignal: AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)]) })
  let cannotLook = false

  /** Answers with how many of ours were taken, and with those of other queues, which are left. */
  const takeSome = async ({ queueUrl: QueueUrl, of }: PutAside): Promise<{ taken: number; others: Message[] }> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        VisibilityTimeout: hiddenFor,
        MessageSystemAttributeNames: ['DeadLetterQueueSourceArn'],
      }),
      asking(),
    )
    const isOurs = ({ Attributes, Body }: Message): boolean => {
      const source = Attributes?.DeadLetterQueueSourceArn
      // Not every server names it: then what no console can have sent belongs to another queue, and may be an alert.
      return source === undefined ? isOfConsole(Body ?? '') : source === of
    }
    const ours = Messages.filter(isOurs)
    const taken = ours.length > 0 ? await take(ours) : []
    // One that is not deleted comes again, and changes nothing.
    for (const { ReceiptHandle } of taken)
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }), asking())
    return { taken: taken.length, others: Messages.filter((message) => !isOurs(message)) }
  }
  const takeAll = async (found: PutAside): Promise<number> => {
    const left: Message[] = []
    let all = 0
    try {
      while (all + left.length < mostPerRound) {
        const { taken, others } = await takeSome(found)
        all += taken
        left.push(...others)
        if (taken + others.length === 0) break
      }
    } finally {
      for (const { ReceiptHandle } of left)
        await sqs
          .send(
            new ChangeMessageVisibilityCommand({ QueueUrl: found.queueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
            asking(),
          )
          .catch(() => undefined)
    }
    if (all > 0) logger.warn({ messages: all }, 'what people did was taken from the dead-letter queue')
    return left.length
  }
  const look = async (): Promise<void> => {
    let waiting: number | null = null
    try {
      const found = await putAsideOf(sqs, acksQueueUrl, asking())
      waiting = found?.waiting ?? 0
      if (found && found.waiting > 0) {
        const ofOthers = await takeAll(found)
        const after = await putAsideOf(sqs, acksQueueUrl, asking())
        waiting = Math.max(0, (after?.waiting ?? 0) - ofOthers)
      }
      cannotLook = false
    } catch (error) {
      if (stopping.signal.aborted) return
      // Said once: a station that may not look there says so every minute otherwise.
      if (!cannotLook || (waiting ?? 0) > 0)
        logger.warn({ error, waiting }, 'the dead-letter queue of acknowledgements could not be worked')
      cannotLook = true
    }
    onLook(waiting)
  }

  let cancel: Cancel = () => undefined
  let underWay: Promise<void> = Promise.resolve()
  const again = (): void => {
    underWay = look().then(() => {
      if (!stopping.signal.aborted) cancel = clock.after(lookEvery, again)
    })
  }
  again()
  return async () => {
    stopping.abort()
    cancel()
    await underWay
  }
}
