import type { Message, SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'
import { snsNotificationSchema } from '../../../shared/events.ts'
import { normalSchoolId } from '../../../shared/school.ts'
import type { Logger } from '../../platform/ports.ts'
import type { StationStore } from '../../store/station/index.ts'
import type { AlertBook } from './book.ts'
import { inSchool } from './in-school.ts'

/**
 * Follows the crises that other producers publish to the topic, from a queue of this station's own, so that the ladder is
 * theirs too. What this station has published itself comes back by it and is known; consoles set aside what nobody can
 * read. A message leaves the queue once the alert and its timer are kept.
 */
export function followOtherProducers(options: {
  store: StationStore
  book: AlertBook
  sqs: SQSClient
  queueUrl: string
  /** School of events that name none. */
  schoolId: string
  isServed(schoolId: string): Promise<boolean>
  logger: Logger
  /** Somebody may have to be told. */
  onAlert(): void
}): { stop(): Promise<void> } {
  const { store, book, sqs, queueUrl, isServed, logger, onAlert } = options

  const follow = async (body: string): Promise<void> => {
    const event = eventIn(body)
    const session_id = event?.['session_id']
    if (event === null || typeof session_id !== 'string') return
    const named = event['school_id']
    const school_id = normalSchoolId(typeof named === 'string' && named !== '' ? named : options.schoolId)
    if (!(await isServed(school_id))) return
    await book.openFor([school_id])
    await inSchool(store, school_id, (unit) => book.said(unit, { school_id, session_id }, [event]))
  }
  const consumer = Consumer.create({
    sqs,
    queueUrl,
    batchSize: 10,
    waitTimeSeconds: 20,
    strictReturn: true,
    handleMessageBatch: async (messages: Message[]) => {
      const taken: Message[] = []
      for (const message of messages) {
        try {
          await follow(message.Body ?? '')
          taken.push(message)
        } catch (error) {
          // It stays in the queue; the others of its batch are not held up by it.
          logger.error({ error }, 'a crisis of another producer could not be kept; it comes again')
        }
      }
      onAlert()
      return taken
    },
  })
  let stopped = false
  consumer.on('error', (error) => !stopped && logger.warn({ error }, 'the station’s queue of events does not answer'))
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

/** The event in a body, with or without the envelope of a notification; null where there is none. */
function eventIn(body: string): Record<string, unknown> | null {
  const value = parsed(body)
  const notification = snsNotificationSchema.safeParse(value).data
  const event = notification ? parsed(notification.Message) : value
  return typeof event === 'object' && event !== null && !Array.isArray(event)
    ? (event as Record<string, unknown>)
    : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
