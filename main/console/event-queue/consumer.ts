import { GetQueueAttributesCommand, type Message, type SQSClient } from '@aws-sdk/client-sqs'
import { Consumer as SqsConsumer } from 'sqs-consumer'
import type { PersonalError } from '../../../shared/errors.ts'
import { seconds } from '../../../shared/time.ts'
import { explainQueueError, isPermissionError } from '../../platform/queue-errors.ts'
import type { Cancel, Clock, Logger } from '../../platform/ports.ts'
import type { Committer } from './committer.ts'

export interface ConnectionState {
  state: 'connecting' | 'connected' | 'disconnected'
  since: number
  error: PersonalError | null
  /** Messages waiting in the queue; null = unknown. */
  waiting: number | null
  /** How long the last received message had waited, milliseconds; null = none received yet. */
  age_ms: number | null
  /** How long the queue keeps messages, days; null = unknown. */
  retention_days: number | null
}

export interface ConsumerOptions {
  sqs: SQSClient
  queueUrl: string
  committer: Committer
  clock: Clock
  logger: Logger
  onState(state: ConnectionState): void
  /** A commit failed: the messages stay in the queue. Null when commits succeed again. */
  onCommitError(error: unknown): void
}

export interface Consumer {
  state(): ConnectionState
  /** Messages are in hand while none has been in this console's for a minute: somebody else's, or what it held when it was killed. */
  heldElsewhere(): boolean
  /** Asks the queue at once, after a sleep: connections of before it may wait long for an answer that never comes. */
  lookNow(): void
  stop(): Promise<void>
}

/**
 * Receivers that run side by side, so that one receives while another commits or deletes. Measured
 * against a disk-backed server on loopback, two busy cores, mean of three rounds: 1, 2, 4 and 6 of them
 * commit 1,130, 1,490, 1,870 and 1,990 events a second, where a bare loop that only receives and deletes
 * manages 820 (one request at a time). A queue further away gains more: each waits for its own answers.
 */
export const receivers = 4
/** Receivers try again every two seconds: without a refusal for this long, receiving works. */
const refusalHolds = seconds(7)
const longestCommitWait = seconds(30)
const askEvery = seconds(5)
/** After a question without an answer, so that a queue that hangs is known long before 30 s. */
const askAgain = seconds(1)
const askTimeout = seconds(3)
/** The queue's figures may be a minute old. */
const idleFor = seconds(60)
/** What a console held that was stopped by force is visible again after two looks. */
const looksHeldElsewhere = 3
const restartLook = 20
/** A crash hides what was in flight this long, so it is short; a slow commit is kept hidden by heartbeats. */
const visibilitySeconds = 6
const heartbeatSeconds = 2

/** Begins to consume: long poll, ten at a time; commit, then delete. */
export function startConsumer(options: ConsumerOptions): Consumer {
  const { sqs, queueUrl, committer, clock, logger } = options
  let state: ConnectionState = {
    state: 'connecting',
    since: clock.now(),
    error: null,
    waiting: null,
    age_ms: null,
    retention_days: null,
  }
  let stopped = false
  const change = (next: Partial<ConnectionState>): void => {
    const since = next.since ?? (next.state !== undefined && next.state !== state.state ? clock.now() : state.since)
    state = { ...state, ...next, since }
    options.onState(state)
  }
  let lastAnswer: number | null = null
  let inHand = 0
  let lastInHand = clock.now()
  /** Looks in a row at which messages were in other hands. */
  let inOtherHands = 0
  let lastRefusal = -Infinity
  const received = (): void => {
    lastAnswer = clock.now()
    lastRefusal = -Infinity
    if (state.state === 'connected') return
    logger.info({ after_ms: clock.now() - state.since }, 'the events queue answers')
    change({ state: 'connected', error: null })
  }
  /** The queue answers a question; that says nothing while receiving is refused again and again. */
  const answered = (): void => {
    lastAnswer = clock.now()
    if (clock.now() - lastRefusal > refusalHolds) received()
  }
  const failed = (error: unknown): void => {
    // A stop cuts the long polls that are open; that is no news.
    if (stopped) return
    const since = state.state === 'disconnected' ? state.since : (lastAnswer ?? clock.now())
    // Logged once per outage: four receivers that retry for hours would fill any log file.
    if (state.state !== 'disconnected') logger.warn({ error }, 'the events queue does not answer')
    change({
      state: 'disconnected',
      since,
      error: explainQueueError(error, { since, retentionDays: state.retention_days }),
    })
  }

  /**
   * Commits, and where that cannot be (a full disk, say) tries again with growing waits, the messages
   * kept hidden meanwhile. Giving them back would count receives until the queue puts them aside.
   */
  const handle = async (messages: Message[]): Promise<Message[]> => {
    received()
    const sent = Number(messages[0]?.Attributes?.SentTimestamp)
    if (Number.isFinite(sent)) state = { ...state, age_ms: Math.max(0, clock.now() - sent) }
    inHand += messages.length
    try {
      return await commitAll(messages)
    } finally {
      inHand -= messages.length
      lastInHand = clock.now()
    }
  }
  const commitAll = async (messages: Message[]): Promise<Message[]> => {
    const batch = messages.map((message) => ({
      body: message.Body ?? '',
      receiveCount: Number(message.Attributes?.ApproximateReceiveCount ?? 1),
    }))
    for (let wait = seconds(0.5); ; wait = Math.min(wait * 2, longestCommitWait)) {
      try {
        await committer.commit(batch)
        options.onCommitError(null)
        return messages
      } catch (error) {
        options.onCommitError(error)
        if (stopped) throw error
        await new Promise<void>((resolve) => clock.after(wait, resolve))
        if (stopped) throw error
      }
    }
  }

  /** Receivers that have messages in hand: they ask again as soon as these are kept. */
  const busy = new Set<SqsConsumer>()
  /** Receivers whose question was taken back, until they ask anew. */
  const restarting = new Set<SqsConsumer>()
  const restart = (consumer: SqsConsumer): void => {
    if (stopped || busy.has(consumer) || restarting.has(consumer)) return
    restarting.add(consumer)
    consumer.stop({ abort: true })
    const start = (): void => {
      if (stopped) return
      // Started before its last question has ended, it would ask twice from then on.
      if (consumer.status.isPolling) return void clock.after(restartLook, start)
      restarting.delete(consumer)
      consumer.updateOption('pollingWaitTimeMs', 0)
      consumer.start()
    }
    clock.after(restartLook, start)
  }

  const consumers = Array.from({ length: receivers }, (_, index) => {
    // Spread, so that the receivers of many consoles do not come back at one stroke.
    const pause = 1800 + index * 200
    const consumer = SqsConsumer.create({
      sqs,
      queueUrl,
      batchSize: 10,
      waitTimeSeconds: 20,
      visibilityTimeout: visibilitySeconds,
      heartbeatInterval: heartbeatSeconds,
      messageSystemAttributeNames: ['ApproximateReceiveCount', 'SentTimestamp'],
      authenticationErrorTimeout: pause,
      suppressFifoWarning: true,
      strictReturn: true,
      handleMessageBatch: async (messages) => {
        busy.add(consumer)
        try {
          return await handle(messages)
        } finally {
          busy.delete(consumer)
        }
      },
    })
    consumer.on('error', (error) => {
      // Its question was taken back, to be asked anew.
      if (restarting.has(consumer)) return
      lastRefusal = clock.now()
      // A refused connection is no refusal to the consumer: by itself it would come back at once, for ever.
      consumer.updateOption('pollingWaitTimeMs', pause)
      failed(error)
    })
    consumer.on('message_received', () => consumer.updateOption('pollingWaitTimeMs', 0))
    consumer.on('processing_error', () => logger.error({}, 'a batch could not be committed; it stays in the queue'))
    consumer.on('empty', () => {
      consumer.updateOption('pollingWaitTimeMs', 0)
      received()
      // Nothing waits any more: what came late has been caught up with.
      if (state.age_ms !== null) change({ age_ms: null })
    })
    return consumer
  })

  let cancelNext: Cancel = () => undefined
  let failures = 0
  let asking = false
  /** Asks the queue for its figures; a queue that answers nothing for two rounds is disconnected. */
  const ask = async (): Promise<void> => {
    asking = true
    try {
      const { Attributes: found } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: queueUrl,
          AttributeNames: [
            'ApproximateNumberOfMessages',
            'ApproximateNumberOfMessagesNotVisible',
            'MessageRetentionPeriod',
          ],
        }),
        { abortSignal: AbortSignal.timeout(askTimeout) },
      )
      failures = 0
      const isIdle = inHand === 0 && clock.now() - lastInHand >= idleFor
      inOtherHands = isIdle && Number(found?.ApproximateNumberOfMessagesNotVisible ?? 0) > 0 ? inOtherHands + 1 : 0
      const retention = Number(found?.MessageRetentionPeriod)
      answered()
      change({
        waiting: Number(found?.ApproximateNumberOfMessages ?? 0),
        retention_days: Number.isFinite(retention) ? retention / 86_400 : null,
      })
    } catch (error) {
      // A queue that refuses this question still answers; receiving tells the rest.
      if (isPermissionError(error)) return
      failures += 1
      if (failures >= 2 || state.state === 'connecting') failed(error)
    } finally {
      asking = false
      if (!stopped) cancelNext = clock.after(failures === 1 ? askAgain : askEvery, () => void ask())
    }
  }

  consumers.forEach((consumer) => consumer.start())
  void ask()
  return {
    state: () => state,
    heldElsewhere: () => inOtherHands >= looksHeldElsewhere,
    lookNow() {
      consumers.forEach(restart)
      if (asking) return
      cancelNext()
      void ask()
    },
    async stop() {
      stopped = true
      cancelNext()
      await Promise.all(
        consumers.map(
          (consumer) =>
            new Promise<void>((resolve) => {
              if (!consumer.status.isRunning) return resolve()
              consumer.once('stopped', () => resolve())
              consumer.stop({ abort: true })
            }),
        ),
      )
    },
  }
}
