import { createHash } from 'node:crypto'
import type { Message, SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'
import type { Clock, Logger } from '../../platform/ports.ts'
import { enqueue, type Database } from '../../store/station/index.ts'
import { readMessage } from './read-message.ts'
import { refusedAction, relayAction } from './relay-action.ts'

interface Relay {
  stop(): Promise<void>
}

interface Said {
  body: string
  /** It pretends to be of a console that was approved. */
  forged: boolean
}

/** Brings what one console acknowledges back to all of them, as an event. */
export function startRelay(options: {
  db: Database
  sqs: SQSClient
  acksQueueUrl: string
  clock: Clock
  logger: Logger
  /** Takes in what consoles say of their keys; false where that is to be believed by nobody. */
  announced(message: Record<string, unknown>): Promise<boolean>
  /** Whether a message of a console that was approved is not signed by it. */
  isForged(message: Record<string, unknown>): Promise<boolean>
  onQueued(): void
}): Relay {
  const { db, sqs, acksQueueUrl, clock, logger, announced, isForged, onQueued } = options

  let refused = 0
  const relayAll = db.transaction((said: readonly Said[]) => {
    for (const { body, forged } of said) {
      const action = forged ? refusedAction(body) : relayAction(body)
      if (action) enqueue(db, { ...action, group: action.id, at: clock.now() })
      else refuse(body)
    }
  })
  const refuse = (body: string): void => {
    refused += 1
    const digest = createHash('sha256').update(body).digest('hex')
    logger.warn({ digest, bytes: Buffer.byteLength(body), refused }, 'what is no action is not relayed')
  }
  const consumer = Consumer.create({
    sqs,
    queueUrl: acksQueueUrl,
    batchSize: 10,
    waitTimeSeconds: 20,
    strictReturn: true,
    handleMessageBatch: async (messages: Message[]) => {
      const actions: Said[] = []
      for (const { Body: body = '' } of messages) {
        const said = readMessage(body)
        if (said?.['event_type'] !== 'CONSOLE_ANNOUNCED')
          actions.push({ body, forged: said !== null && (await isForged(said)) })
        else if (!(await announced(said))) refuse(body)
      }
      relayAll.immediate(actions)
      onQueued()
      return messages
    },
  })
  let stopped = false
  consumer.on('error', (error) => !stopped && logger.warn({ error }, 'the acknowledgement queue does not answer'))
  consumer.on('processing_error', () =>
    logger.error({}, 'acknowledgements could not be relayed; they stay in the queue'),
  )
  consumer.start()

  return {
    async stop() {
      stopped = true
      await new Promise<void>((resolve) => {
        consumer.once('stopped', () => resolve())
        consumer.stop({ abort: true })
      })
    },
  }
}
