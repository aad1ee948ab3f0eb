import type { Message, SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'
import type { RelayedEvent } from '../../../shared/action-message.ts'
import type { WireEvent } from '../../../shared/events.ts'
import { minutes } from '../../../shared/time.ts'
import type { Cancel, Clock, Logger, Randomness } from '../../platform/ports.ts'
import type { Database } from '../../store/index.ts'
import { enqueue } from '../../store/index.ts'
import { relayAction } from './relay-action.ts'

export interface Station {
  stop(): Promise<void>
}

const heartbeatEvery = minutes(1)

/**
 * The desk is its own station: what consoles acknowledge comes back to all of them as an event, and a
 * heartbeat every minute proves that the whole way from here to the screen works.
 */
export function startStation(options: {
  db: Database
  sqs: SQSClient
  acksQueueUrl: string
  schoolId: string
  clock: Clock
  randomness: Randomness
  logger: Logger
  onQueued(): void
}): Station {
  const { db, sqs, acksQueueUrl, schoolId, clock, randomness, logger, onQueued } = options
  const publish = (id: string, group: string, event: WireEvent | RelayedEvent): void => {
    enqueue(db, {
      id,
      target: 'events',
      group,
      event_type: event.event_type,
      body: JSON.stringify(event),
      at: clock.now(),
    })
    onQueued()
  }

  const relay = Consumer.create({
    sqs,
    queueUrl: acksQueueUrl,
    batchSize: 10,
    waitTimeSeconds: 20,
    strictReturn: true,
    handleMessageBatch: (messages: Message[]) => {
      for (const { Body = '' } of messages) {
        const action = relayAction(Body)
        if (action) publish(`relay:${action.id}`, `relay:${action.id}`, action.event)
      }
      return Promise.resolve(messages)
    },
  })
  let stopped = false
  relay.on('error', (error) => !stopped && logger.warn({ error }, 'the acknowledgement queue does not answer'))
  relay.on('processing_error', () => logger.error({}, 'an acknowledgement could not be relayed; it stays in the queue'))

  let cancel: Cancel = () => undefined
  const beat = (): void => {
    cancel = clock.after(heartbeatEvery, beat)
    const id = `heartbeat:${randomness.uuid()}`
    try {
      publish(id, 'heartbeat', {
        schema_version: 1,
        event_type: 'HEARTBEAT',
        idempotency_key: id,
        timestamp: new Date(clock.now()).toISOString(),
        school_id: schoolId,
        source: 'desk',
      })
    } catch (error) {
      // A full disk, say. That nothing proves the alarm then is shown in the strip.
      logger.error({ error }, 'a heartbeat could not be queued')
    }
  }

  relay.start()
  beat()
  return {
    async stop() {
      stopped = true
      cancel()
      await new Promise<void>((resolve) => {
        relay.once('stopped', () => resolve())
        relay.stop({ abort: true })
      })
    },
  }
}
