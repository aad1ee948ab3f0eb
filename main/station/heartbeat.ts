import type { WireEvent } from '../../shared/events.ts'
import { minutes } from '../../shared/time.ts'
import type { Cancel, Clock, Logger, Randomness } from '../platform/ports.ts'
import { enqueue, type Database } from '../store/station/index.ts'

const heartbeatEvery = minutes(1)

/**
 * Queues a heartbeat for every school, now and every minute: it proves that the whole way from here to
 * the screen works. The answer stops it.
 */
export function startHeartbeat(options: {
  db: Database
  schools: readonly string[]
  stationId: string
  clock: Clock
  randomness: Randomness
  logger: Logger
  onQueued(): void
}): Cancel {
  const { db, schools, stationId, clock, randomness, logger, onQueued } = options

  const queue = (school_id: string): void => {
    const id = `heartbeat:${randomness.uuid()}`
    const event: WireEvent = {
      schema_version: 1,
      event_type: 'HEARTBEAT',
      idempotency_key: id,
      timestamp: new Date(clock.now()).toISOString(),
      school_id,
      source: stationId,
    }
    enqueue(db, {
      id,
      group: `heartbeat:${school_id}`,
      event_type: event.event_type,
      body: JSON.stringify(event),
      at: clock.now(),
    })
  }

  let cancel: Cancel = () => undefined
  const beat = (): void => {
    cancel = clock.after(heartbeatEvery, beat)
    try {
      schools.forEach(queue)
      onQueued()
    } catch (error) {
      // A full disk, say. That nothing proves the alarm then is shown in the strip.
      logger.error({ error }, 'a heartbeat could not be queued')
    }
  }
  beat()
  return () => cancel()
}
