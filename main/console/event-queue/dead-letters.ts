/**
 * What SQS has put aside because it was received too often without being stored. An alert among it must not wait for
 * a person: it is brought back by itself, in sight, as if it had just come.
 */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { plainError, type PersonalError } from '../../../shared/errors.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { DeadLetters } from '../../../shared/views.ts'
import { asPersonalError } from '../../platform/personal-error.ts'
import type { Cancel, Clock, Logger } from '../../platform/ports.ts'
import { explainQueueError, isPermissionError } from '../../platform/queue-errors.ts'
import { redrivePolicyOf } from '../../platform/redrive-policy.ts'
import { appendAudit, isDiskError, diskFull, type Database } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import type { Committer } from './committer.ts'

/** One question a minute costs cents a year; a crisis waits no longer. */
const lookEvery = minutes(1)
/** Most messages of one round, so that a queue that fills as fast does not hold it for ever. */
const mostPerRound = 10_000
/** How long a message stays hidden while it is stored here. */
const hiddenFor = seconds(60)
const patience = seconds(10)

export interface DeadLetterWatch {
  now(): DeadLetters
  /**
   * Brings back what is there, now, in the name of a person or of the program; answers with how many messages were.
   * Never rejects: what went wrong is the `problem`.
   */
  bringBack(by?: { id: string; role: string }): Promise<number>
  stop(): Promise<void>
}

export interface DeadLetterOptions {
  sqs: SQSClient
  queueUrl: string
  committer: Committer
  db: Database
  changes: Changes
  clock: Clock
  logger: Logger
  consoleId: string
  /** What `now` answers is another than it was. */
  onChange(): void
}

interface Found {
  queueUrl: string
  name: string
  maxReceives: number | null
}

const theProgram = { id: 'system', role: 'ADMIN' }

/** Looks at once, and then every minute; brings back whatever is there. */
export function watchDeadLetters(options: DeadLetterOptions): DeadLetterWatch {
  const { sqs, clock, logger } = options
  let view: DeadLetters = {
    state: 'unknown',
    queue: null,
    waiting: null,
    of_others: 0,
    max_receives: null,
    brought_back: 0,
    last_at: null,
    problem: null,
  }
  const stopping = new AbortController()
  const asking = () => ({ abortSignal: AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)]) })
  const change = (next: Partial<DeadLetters>): void => {
    view = { ...view, ...next }
    options.onChange()
  }
  let ownArn = ''

  /** The queue that SQS puts messages of ours on; null where it puts none aside. */
  const find = async (): Promise<Found | null> => {
    const { Attributes: own = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: options.queueUrl, AttributeNames: ['QueueArn', 'RedrivePolicy'] }),
      asking(),
    )
    ownArn = own['QueueArn'] ?? ''
    const policy = redrivePolicyOf(own['RedrivePolicy'])
    if (policy === null) return null
    const { QueueUrl } = await sqs.send(
      new GetQueueUrlCommand({ QueueName: policy.name, QueueOwnerAWSAccountId: policy.account }),
      asking(),
    )
    if (QueueUrl === undefined) return null
    return { queueUrl: QueueUrl, name: policy.name, maxReceives: policy.maxReceives }
  }

  const count = async ({ queueUrl }: Found): Promise<number> => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: queueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
      asking(),
    )
    return (
      Number(Attributes['ApproximateNumberOfMessages'] ?? 0) +
      Number(Attributes['ApproximateNumberOfMessagesNotVisible'] ?? 0)
    )
  }

  /** Stores what one receive gives, as if it came fresh, and deletes it; the rest of other queues is left. */
  const takeSome = async ({ queueUrl }: Found, by: { id: string; role: string }) => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        VisibilityTimeout: hiddenFor / 1000,
        MessageSystemAttributeNames: ['ApproximateReceiveCount', 'DeadLetterQueueSourceArn'],
      }),
      asking(),
    )
    const isOurs = ({ Attributes }: Message): boolean => {
      const source = Attributes?.DeadLetterQueueSourceArn
      return source === undefined || source === ownArn
    }
    const ours = Messages.filter(isOurs)
    if (ours.length > 0) {
      await options.committer.commit(
        ours.map(({ Body = '', Attributes }) => ({
          body: Body,
          receiveCount: Number(Attributes?.ApproximateReceiveCount ?? 1),
        })),
      )
      audit(by, ours.length)
      // One that is not deleted comes again, and changes nothing.
      for (const { ReceiptHandle } of ours)
        await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }), asking())
    }
    return { ours: ours.length, others: Messages.filter((message) => !isOurs(message)) }
  }

  const audit = (by: { id: string; role: string }, messages: number): void => {
    options.changes.commit(() => {
      appendAudit(options.db, {
        at: clock.now(),
        who: by.id,
        role: by.role,
        what: 'dead_letters.bring_back',
        subject: 'events queue',
        why: `messages: ${messages}`,
        console_id: options.consoleId,
      })
    })
  }

  const takeAll = async (found: Found, by: { id: string; role: string }): Promise<number> => {
    const left: Message[] = []
    let taken = 0
    try {
      while (taken + left.length < mostPerRound) {
        const { ours, others } = await takeSome(found, by)
        left.push(...others)
        taken += ours
        if (ours > 0) change({ brought_back: view.brought_back + ours, last_at: clock.now() })
        if (ours + others.length === 0) break
      }
    } finally {
      change({ of_others: left.length })
      for (const { ReceiptHandle } of left)
        await sqs
          .send(
            new ChangeMessageVisibilityCommand({ QueueUrl: found.queueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
            asking(),
          )
          .catch(() => undefined)
    }
    if (taken > 0) logger.warn({ messages: taken }, 'messages were brought back from the dead-letter queue')
    return taken
  }

  const round = async (by: { id: string; role: string }): Promise<number> => {
    let taken = 0
    try {
      const found = await find()
      if (found === null) {
        change({ state: 'none', queue: null, waiting: null, max_receives: null, problem: null })
        return 0
      }
      change({ state: 'known', queue: found.name, max_receives: found.maxReceives })
      const waiting = await count(found)
      change({ waiting })
      if (waiting > 0) {
        taken = await takeAll(found, by)
        change({ waiting: await count(found) })
      }
      change({ problem: null })
    } catch (error) {
      if (!stopping.signal.aborted) change({ problem: explain(error, logger) })
    }
    return taken
  }

  let running: Promise<number> = Promise.resolve(0)
  let cancel: Cancel = () => undefined
  /** One round after the other. */
  const bringBack = (by = theProgram): Promise<number> => (running = running.then(() => round(by)))
  const again = (): void => {
    void bringBack().then(() => {
      if (!stopping.signal.aborted) cancel = clock.after(lookEvery, again)
    })
  }
  again()
  return {
    now: () => view,
    bringBack,
    async stop() {
      stopping.abort()
      cancel()
      await running
    },
  }
}

/** The permissions that bringing messages back takes, on the dead-letter queue. */
const permissions = 'sqs:GetQueueUrl, GetQueueAttributes, ReceiveMessage, ChangeMessageVisibility, and DeleteMessage'

function explain(error: unknown, logger: Logger): PersonalError {
  if (isDiskError(error)) return plainError(diskFull(error))
  if (isPermissionError(error))
    return {
      code: 'dead_letters_permission',
      happened: 'This console is not permitted to bring messages back from the dead-letter queue.',
      safe: 'They stay there for as long as it keeps messages.',
      todo: `Ask for the permissions ${permissions} on the dead-letter queue.`,
    }
  if (isAws(error)) return explainQueueError(error, { what: 'dead-letter queue' })
  return plainError(asPersonalError(error, logger))
}

const isAws = (error: unknown): boolean => error instanceof Error && '$metadata' in error
