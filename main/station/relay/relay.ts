import { createHash } from 'node:crypto'
import type { Message, SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'
import { wireTime } from '../../../shared/events.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import { enqueue, keepRecord, type StationStore, type Unit } from '../../store/station/index.ts'
import { readMessage } from './read-message.ts'
import { takePutAside } from './put-aside.ts'
import { judged, type Judges } from './judged.ts'
import type { RelayedAction } from './relay-action.ts'

interface Relay {
  stop(): Promise<void>
}

/** Brings what one console acknowledges back to all of them, as an event. */
export function startRelay(options: {
  store: StationStore
  sqs: SQSClient
  acksQueueUrl: string
  clock: Clock
  logger: Logger
  /**
   * Takes in what consoles say beside records, by its `event_type`; false where that is to be believed by nobody.
   * Whether its console signed it is for each to ask.
   */
  messages: Readonly<Record<string, (message: Record<string, unknown>) => Promise<boolean>>>
  /** Why the station does not vouch for what a console sent; null where it does. */
  refusalOf: Judges['refusalOf']
  schoolOf: Judges['schoolOf']
  isKnownPerson: Judges['isKnownPerson']
  /** Follows what is relayed. */
  followed: Followed
  onQueued(): void
  /** Told of each action that was relayed, and of each message that was none. */
  onRelayed(): void
  onRefused(): void
  /** How many messages of consoles SQS has put aside and are there still; null = that cannot be asked here. */
  onPutAside(waiting: number | null): void
}): Relay {
  const { store, sqs, acksQueueUrl, clock, logger, messages, onQueued, onRelayed, onRefused } = options

  let refused = 0
  const refuse = (body: string): void => {
    refused += 1
    onRefused()
    const digest = createHash('sha256').update(body).digest('hex')
    logger.warn({ digest, bytes: Buffer.byteLength(body), refused }, 'what is no action is not relayed')
  }
  /** What a message is as an action; null for what is none, which is seen to here. */
  const actionOf = async ({ Body: body = '' }: Message): Promise<RelayedAction | null> => {
    const said = readMessage(body)
    if (said === null) {
      refuse(body)
      return null
    }
    const type = said['event_type']
    const take = typeof type === 'string' && Object.hasOwn(messages, type) ? messages[type] : undefined
    if (take) {
      if (!(await take(said))) refuse(body)
      return null
    }
    const action = await judged(body, said, clock.now(), options)
    if (!action) refuse(body)
    return action
  }
  const relayAll = async (messages: readonly Message[]): Promise<void> => {
    const actions: RelayedAction[] = []
    for (const message of messages) {
      const action = await actionOf(message)
      if (action) actions.push(action)
    }
    await keepAndQueue(store, actions, clock.now(), options.followed)
    actions.forEach(onRelayed)
    onQueued()
  }
  let stopped = false
  /** Answers with what is seen to, and can be deleted. One message that cannot be taken holds up no other. */
  const take = async (messages: Message[]): Promise<Message[]> => {
    if (messages.length > 1)
      try {
        await relayAll(messages)
        return messages
      } catch {
        // Which one it was is told by taking each alone; what is relayed already is not relayed twice.
      }
    const taken: Message[] = []
    for (const message of messages) {
      if (stopped) break
      try {
        await relayAll([message])
      } catch (error) {
        if (!isUnkeepable(error)) {
          logger.error({ error }, 'an action of a console could not be relayed; it stays in the queue')
          continue
        }
        refuse(message.Body ?? '')
      }
      taken.push(message)
    }
    return taken
  }
  const consumer = Consumer.create({
    sqs,
    queueUrl: acksQueueUrl,
    batchSize: 10,
    waitTimeSeconds: 20,
    strictReturn: true,
    handleMessageBatch: take,
  })
  consumer.on('error', (error) => !stopped && logger.warn({ error }, 'the acknowledgement queue does not answer'))
  consumer.start()
  const stopTaking = takePutAside({ sqs, acksQueueUrl, clock, logger, take, onLook: options.onPutAside })

  return {
    async stop() {
      stopped = true
      await stopTaking()
      await new Promise<void>((resolve) => {
        consumer.once('stopped', () => resolve())
        consumer.stop({ abort: true })
      })
    },
  }
}

/**
 * Whether a value is at fault, and not the database: however often it is tried, it is not kept. It is SQLSTATE classes 22
 * and 23 in PostgreSQL, these codes in SQLite, and whatever is too large or too deep for the program itself.
 */
function isUnkeepable(error: unknown): boolean {
  if (error instanceof RangeError) return true
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    typeof code === 'string' &&
    /^(?:2[23][0-9A-Z]{3}|SQLITE_(?:TOOBIG|MISMATCH|CONSTRAINT_(?:CHECK|NOTNULL|DATATYPE)))$/.test(code)
  )
}

/** Keeps each record once, and in the same transaction gives it its place and hands it on. Answers how many were new. */
export async function keepAndQueue(
  store: StationStore,
  actions: readonly RelayedAction[],
  now: number,
  followed: Followed | null = null,
): Promise<number> {
  await followed?.openFor(actions.map(({ school_id }) => school_id))
  // Sessions and students in one order everywhere: two stations that relay at once never wait for each other in a circle.
  const inOrder = actions.toSorted((a, b) => compare(a.school_id, b.school_id) || compare(a.order, b.order))
  return store.asStation(async (unit) => {
    let kept = 0
    for (const action of inOrder) if (await keepAndQueueOne(unit, action, now, followed)) kept += 1
    return kept
  })
}

/** The same of one record, in a unit of work. Answers whether it is new. */
export async function keepAndQueueOne(
  unit: Unit,
  { event, id, ack_id, school_id, order }: RelayedAction,
  now: number,
  followed: Followed | null,
): Promise<boolean> {
  const { isNew, position } = await keepRecord(unit, { school_id, ack_id, session_id: order, relayed_at: now })
  if (!isNew) return false
  const at = wireTime.safeParse(event['at']).data
  const isAhead = at !== undefined && at > now
  const relayed = {
    ...event,
    ...(position !== null && { position }),
    // Whoever says that they did it later than this covers nothing that comes until then.
    ...(isAhead && { relayed_at: wireTime.encode(now) }),
  }
  const { event_type } = event
  await enqueue(unit, [{ id, school_id, group: id, event_type, body: JSON.stringify(relayed), at: now }])
  await followed?.done(unit, school_id, relayed)
  return true
}

/** Follows what people do, in the unit of work in which it is kept. */
export interface Followed {
  /** Opens what belongs to these schools, before that unit. */
  openFor(schools: readonly string[]): Promise<void>
  /** A record is relayed, with its place in the order. */
  done(unit: Unit, school_id: string, event: Record<string, unknown>): Promise<void>
}

function compare(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
}
