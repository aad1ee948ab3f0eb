import { createHash } from 'node:crypto'
import type { Message, SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'
import type { Clock, Logger } from '../../platform/ports.ts'
import { enqueue, type Database } from '../../store/station/index.ts'
import { relayAction } from './relay-action.ts'

interface Relay {
  stop(): Promise<void>
}

/** Brings what one console acknowledges back to all of them, as an event. */
export function startRelay(options: {
  db: Database
  sqs: SQSClient
  acksQueueUrl: string
  clock: Clock
  logger: Logger
  onQueued(): void
  /** Told of each action that was relayed, and of each message that was none. */
  onRelayed(): void
  onRefused(): void
}): Relay {
  const { db, sqs, acksQueueUrl, clock, logger, onQueued, onRelayed, onRefused } = options

  let refused = 0
  const relayAll = db.transaction((messages: readonly Message[]) => {
    for (const { Body = '' } of messages) {
      const action = relayAction(Body)
      if (action) {
        enqueue(db, { ...action, group: action.id, at: clock.now() })
        onRelayed()
      } else {
        refused += 1
        onRefused()
        const digest = createHash('sha256').update(Body).digest('hex')
        logger.warn({ digest, bytes: Buffer.byteLength(Body), refused }, 'what is no action is not relayed')
      }
    }
  })
  const consumer = Consumer.create({
    sqs,
    queueUrl: acksQueueUrl,
    batchSize: 10,
    waitTimeSeconds: 20,
    strictReturn: true,
    handleMessageBatch: (messages: Message[]) => {
      relayAll.immediate(messages)
      onQueued()
      return Promise.resolve(messages)
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
