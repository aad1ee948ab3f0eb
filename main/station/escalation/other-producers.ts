import type { Message, SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'
import { normalSchoolId } from '../../../shared/school.ts'
import { minutes } from '../../../shared/time.ts'
import { eventIn, readEventBody, type UnreadableBody } from '../../platform/event-body.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import type { StationStore } from '../../store/station/index.ts'
import type { AlertBook } from './book.ts'
import { triggerStep } from './steps.ts'

/** Whoever was told that something cannot be read is not told again within so long: a producer may send nothing else. */
const alarmAgain = minutes(5)

/** Why something that was said of a student opened no ladder here. */
export type NotFollowed = 'unreadable' | 'unreadable crisis' | 'school not served'

/**
 * Follows the crises that other producers publish to the topic, from a queue of this station's own, so that the ladder is
 * theirs too. What this station has published itself comes back by it and is known. What nobody can read consoles set
 * aside; where it speaks of a crisis no ladder runs for it, so that the people of the last rung are told that the alarm
 * does not work. A message leaves the queue once the alert and its timer are kept.
 */
export function followOtherProducers(options: {
  store: StationStore
  book: AlertBook
  sqs: SQSClient
  queueUrl: string
  /** School of events that name none. */
  schoolId: string
  isServed(schoolId: string): Promise<boolean>
  clock: Clock
  logger: Logger
  /** Tells the people of the last rung of a school's ladder that its alarm does not work. */
  alarmFails(schoolId: string): Promise<void>
  /** Something opened no ladder. */
  onNotFollowed(why: NotFollowed): void
  /** Somebody may have to be told. */
  onAlert(): void
}): { stop(): Promise<void> } {
  const { store, book, sqs, queueUrl, isServed, clock, logger, alarmFails, onNotFollowed, onAlert } = options
  const alarmed = new Map<string, number>()
  /** A school in its one form; that of this station where none is named. */
  const schoolIn = (named: unknown): string =>
    normalSchoolId(typeof named === 'string' && named !== '' ? named : options.schoolId)

  const notFollowed = (why: NotFollowed, reason: string): void => {
    onNotFollowed(why)
    logger[why === 'unreadable crisis' ? 'error' : 'warn']({ why, reason }, 'no ladder runs for an event of the topic')
  }

  const passOver = async (body: string, { reason, names_crisis, passing }: UnreadableBody): Promise<void> => {
    if (passing) return
    if (!names_crisis) return notFollowed('unreadable', reason)
    const school_id = schoolIn(eventIn(body)?.['school_id'])
    if (!(await isServed(school_id))) return notFollowed('school not served', reason)
    const now = clock.now()
    const since = now - (alarmed.get(school_id) ?? -Infinity)
    if (since >= alarmAgain || since < 0) {
      await alarmFails(school_id)
      alarmed.set(school_id, now)
    }
    notFollowed('unreadable crisis', reason)
  }

  const follow = async (body: string): Promise<void> => {
    const now = clock.now()
    const reading = readEventBody(body, now)
    if (reading.kind === 'unreadable') return passOver(body, reading)
    const { event, raw } = reading
    const school_id = schoolIn(event.school_id)
    const opened = triggerStep(raw, now, school_id)
    if (opened === null || !('session_id' in event) || event.session_id === undefined) return
    if (!(await isServed(school_id))) return notFollowed('school not served', 'belongs to another school')
    const key = { school_id, session_id: event.session_id }
    await book.openFor([school_id])
    await store.asStation((unit) => book.saidElsewhere(unit, key, raw))
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
