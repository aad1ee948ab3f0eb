/**
 * The console at which the people of the demonstration school did what they did. It is one of the school's consoles:
 * with keys of its own that the school approves, and a queue of its own by which it learns of alerts.
 */
import { SendMessageCommand, type Message, type SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'
import { z } from 'zod'
import { actionMessage } from '../../shared/action-message.ts'
import { actionSchema, kindsOfVersion2, reducedAction, type Action } from '../../shared/actions.ts'
import { coverageOf, type Alert } from '../../shared/alerts.ts'
import type { ConsoleAnnounced, PublicKeys } from '../../shared/enrolment.ts'
import { eventSchema, snsNotificationSchema, type AlertActionEvent, type ConsoleEvent } from '../../shared/events.ts'
import { defaultGuide } from '../../shared/guide.ts'
import type { Person } from '../../shared/people.ts'
import { createReduction, type Reduction } from '../../shared/reduction.ts'
import { defaultDueAfter, defaultNextAction } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import { toTrigger } from '../../shared/triggers.ts'
import type { IntakeClient } from '../chat/index.ts'
import { eventIdentity } from '../platform/event-identity.ts'
import type { Cancel, Clock, Logger, Randomness } from '../platform/ports.ts'
import { sealingKey } from '../platform/sealing.ts'
import { fingerprintOf, signingKey, type SigningKey } from '../platform/signing.ts'
import type { DemonstrationAction } from './ports.ts'

/** What a console is known by. */
export interface ConsoleKeys {
  console_id: string
  /** What people compare when they approve it. */
  fingerprint: string
  public: PublicKeys
  signing: SigningKey
}

/** Keys of a new console. It opens no evidence: what is sealed to it is not kept. */
export function makeConsoleKeys(randomness: Randomness): ConsoleKeys {
  const signing = signingKey(randomness.bytes(32))
  const known = { signing_key: signing.publicKey, sealing_key: sealingKey(randomness.bytes(32)).publicKey }
  return { console_id: randomness.uuid(), fingerprint: fingerprintOf(known), public: known, signing }
}

/** The events that this console has use for, as a subscription names them: what raises alerts, and its approval. */
export const eventsOfInterest = (schoolId: string) => ({
  school_id: [schoolId],
  event_type: ['CRISIS_DETECTED', 'MESSAGE_ANALYZED', 'SCHOOL_KEY_SEALED'],
  tier: ['high', 'crisis', { exists: false }],
})

export interface DemonstrationConsoleOptions {
  keys: ConsoleKeys
  schoolId: string
  people: readonly Omit<Person, 'school_id'>[]
  client: Pick<IntakeClient, 'tellRecords'>
  sqs: SQSClient
  eventsQueueUrl: string
  acksQueueUrl: string
  clock: Clock
  randomness: Randomness
  logger: Logger
}

export interface DemonstrationConsole {
  /**
   * Does it to every alert of its session, or about its student, once this console knows of all that the session has
   * raised. Rejects with CallFailed where the station does not take it, and where the events, or the approval of this console, do not come.
   */
  act(action: DemonstrationAction): Promise<void>
  /**
   * Says now of the plans and commitments whose time is still to come that they stand: what is told of a past is watched by no clock.
   * Called once, when all is told.
   */
  renewPlans(): Promise<void>
  /** Ids of the records that the station has taken, or was sent. */
  taken(): readonly string[]
  stop(): Promise<void>
}

/** How long this console waits for what the station has to send it while nothing at all comes. */
const patience = seconds(20)

/** Makes itself known to the school, and listens. */
export async function openDemonstrationConsole(options: DemonstrationConsoleOptions): Promise<DemonstrationConsole> {
  const { keys, people, client, sqs, eventsQueueUrl, clock, randomness, logger } = options
  const sessions = new Map<string, Reduction>()
  /** Messages whose events have come, as `heard` names them. */
  const known = new Set<string>()
  const waiting = new Set<{ look(): void; giveUp(): void }>()
  const taken: string[] = []
  /** The plans and commitments of alerts that nobody has resolved, by the alert's key. */
  const promised = new Map<string, AlertActionEvent[]>()
  let approved = false

  const take = (body: string): void => {
    const read = readEvent(body)
    if (!read) return
    const { event, identity } = read
    if (event.event_type === 'SCHOOL_KEY_SEALED')
      approved ||= event.console_id === keys.console_id && event.fingerprint === keys.fingerprint
    const trigger = toTrigger(event, identity, clock.now(), event.school_id ?? '')
    if (!trigger) return
    const reduction = sessions.get(trigger.session_id) ?? createReduction()
    sessions.set(trigger.session_id, reduction)
    reduction.add([trigger], [])
    if (trigger.message_id !== null) known.add(heard(event.event_type, trigger.message_id))
  }

  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      let cancel: Cancel = () => undefined
      const waiter = {
        look(): void {
          cancel()
          if (!isSo()) {
            cancel = clock.after(patience, () => waiter.giveUp())
            return
          }
          waiting.delete(waiter)
          resolve()
        },
        giveUp(): void {
          cancel()
          waiting.delete(waiter)
          reject(new Error('what the station has to send did not come'))
        },
      }
      waiting.add(waiter)
      waiter.look()
    })

  const consumer = Consumer.create({
    sqs,
    queueUrl: eventsQueueUrl,
    batchSize: 10,
    waitTimeSeconds: 20,
    strictReturn: true,
    handleMessageBatch: async (messages: Message[]) => {
      messages.forEach(({ Body = '' }) => take(Body))
      for (const waiter of [...waiting]) waiter.look()
      return Promise.resolve(messages)
    },
  })
  let stopped = false
  consumer.on('error', (error) => !stopped && logger.warn({ error }, 'the queue of the demonstration does not answer'))
  consumer.start()
  const stop = async (): Promise<void> => {
    if (stopped) return
    stopped = true
    for (const waiter of [...waiting]) waiter.giveUp()
    await new Promise<void>((resolve) => {
      consumer.once('stopped', () => resolve())
      consumer.stop({ abort: true })
    })
  }
  try {
    await announce(options)
  } catch (error) {
    await stop()
    throw error
  }

  return {
    async act(action) {
      const by = people.find(({ id }) => id === action.by)
      if (!by) return
      await until(() => approved)
      await until(() =>
        action.raised.every(({ message_id, tier }) =>
          typesOf[tier].every((type) => known.has(heard(type, message_id))),
        ),
      )
      const reduction = sessions.get(action.session_id) ?? createReduction()
      if (action.kind === 'safety_plan' || action.kind === 'follow_up') {
        const alert = reduction.alerts().at(-1)
        if (!alert) return
        const record = recordAbout(alert, action, by, { ack_id: randomness.uuid(), console_id: keys.console_id })
        // What is kept about a student is no told past: it comes the way that it comes from every console.
        await send(options, keys.signing.sign({ ...record, key_id: keys.fingerprint }))
        taken.push(record.ack_id)
        return
      }
      const done = reduction
        .alerts()
        .filter(({ state }) => state !== 'resolved' && !(action.kind === 'acknowledged' && state === 'acknowledged'))
        .map((alert) => {
          const said = { ack_id: randomness.uuid(), console_id: keys.console_id, at: action.at }
          return actionOn(alert, doingOf(action, by, people), by, said)
        })
      if (done.length === 0) return
      reduction.add([], done.map(reducedAction))
      await client.tellRecords(
        done.map((event) => keys.signing.sign({ ...actionMessage(event), key_id: keys.fingerprint })),
      )
      taken.push(...done.map(({ ack_id }) => ack_id))
      for (const event of done) {
        const { action: kind, alert_key } = event
        if (kind === 'acknowledged' || kind === 'commitment_made')
          promised.set(alert_key, [...(promised.get(alert_key) ?? []), event])
        if (kind === 'resolved') promised.delete(alert_key)
      }
    },
    async renewPlans() {
      const at = clock.now()
      for (const event of [...promised.values()].flat()) {
        if (!('due_at' in event) || event.due_at === undefined || event.due_at <= at) continue
        const ack_id = randomness.uuid()
        const anew = { ...event, ack_id, idempotency_key: ack_id, timestamp: at, at }
        const said =
          event.action === 'commitment_made'
            ? { ...anew, action: 'commitment_moved' as const, commitment: event.ack_id }
            : { ...anew, action: 'corrected' as const }
        await send(options, keys.signing.sign({ ...actionMessage(said), key_id: keys.fingerprint }))
        taken.push(ack_id)
      }
    },
    taken: () => [...taken],
    stop,
  }
}

/** The events by which a station tells of a message of this tier. */
const typesOf = { high: ['MESSAGE_ANALYZED'], crisis: ['MESSAGE_ANALYZED', 'CRISIS_DETECTED'] } as const

const heard = (type: ConsoleEvent['event_type'], messageId: string): string => `${type} ${messageId}`

/** Says what its keys are, as every console does. */
async function announce(options: DemonstrationConsoleOptions): Promise<void> {
  const { keys, schoolId, clock, randomness } = options
  const said: Omit<ConsoleAnnounced, 'signature'> = {
    schema_version: 1,
    ack_id: randomness.uuid(),
    event_type: 'CONSOLE_ANNOUNCED',
    console_id: keys.console_id,
    school_id: schoolId,
    ...keys.public,
    at: new Date(clock.now()).toISOString(),
  }
  await send(options, keys.signing.sign(said))
}

async function send({ sqs, acksQueueUrl }: DemonstrationConsoleOptions, message: unknown): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: acksQueueUrl, MessageBody: JSON.stringify(message) }))
}

/** The event in a message; null where it is none that this version knows. */
function readEvent(body: string): { event: ConsoleEvent; identity: string } | null {
  const outer = parsed(body)
  const notification = snsNotificationSchema.safeParse(outer).data
  const raw = notification ? parsed(notification.Message) : outer
  const event = eventSchema.safeParse(raw).data
  const identity = event ? eventIdentity(event.idempotency_key, raw as Record<string, unknown>) : null
  return event && identity !== null ? { event, identity } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type DoingOnAlert = Exclude<DemonstrationAction, { kind: 'safety_plan' | 'follow_up' }>

/** What was done, as a record says it. */
function doingOf(
  action: DoingOnAlert,
  by: Omit<Person, 'school_id'>,
  people: readonly Omit<Person, 'school_id'>[],
): Action {
  const owner = { owner: by.id, owner_name: by.name }
  switch (action.kind) {
    case 'acknowledged': {
      const { at, next_action = defaultNextAction, due_at = at + defaultDueAfter } = action
      return actionSchema.parse({ action: action.kind, next_action, due_at, ...owner })
    }
    case 'commitment_made': {
      const { next_action, due_at } = action
      return actionSchema.parse({ action: action.kind, next_action, due_at, ...owner })
    }
    case 'handed_off': {
      const to_name = people.find(({ id }) => id === action.to)?.name
      return actionSchema.parse({ ...action, action: action.kind, to_name })
    }
    case 'step_done': {
      const title = defaultGuide.find(({ id }) => id === action.step)?.title
      return actionSchema.parse({ ...action, action: action.kind, title })
    }
    default:
      return actionSchema.parse({ ...action, action: action.kind })
  }
}

/** What somebody did about an alert, covering all of it. */
function actionOn(
  alert: Alert,
  doing: Action,
  by: Omit<Person, 'school_id'>,
  { ack_id, console_id, at }: { ack_id: string; console_id: string; at: number },
): AlertActionEvent {
  return {
    schema_version: kindsOfVersion2.has(doing.action) ? 2 : 1,
    event_type: 'ALERT_ACTION',
    idempotency_key: ack_id,
    ack_id,
    timestamp: at,
    at,
    session_id: alert.session_id,
    student_hash: alert.student_hash,
    school_id: alert.school_id ?? undefined,
    alert_key: alert.key,
    covers: [...new Set(alert.triggers.map(({ idempotency_key }) => idempotency_key))],
    trigger_ids: alert.triggers.map(({ id }) => id),
    covered: coverageOf(alert.triggers),
    console_id,
    by: by.id,
    by_name: by.name,
    ...doing,
  }
}

/** What somebody keeps about the student of an alert, as it stands on the wire. */
function recordAbout(
  alert: Alert,
  action: Extract<DemonstrationAction, { kind: 'safety_plan' | 'follow_up' }>,
  by: Omit<Person, 'school_id'>,
  { ack_id, console_id }: { ack_id: string; console_id: string },
) {
  const { at } = action
  const common = {
    ...{ schema_version: 2 as const, idempotency_key: ack_id, ack_id, timestamp: at, at, console_id },
    ...{ student_hash: alert.student_hash, school_id: alert.school_id ?? undefined },
    ...{ by: by.id, by_name: by.name, role: by.role },
  }
  const owner = { owner: by.id, owner_name: by.name }
  const record =
    action.kind === 'safety_plan'
      ? { ...common, event_type: 'SAFETY_PLAN_SAVED' as const, sections: action.sections }
      : {
          ...{ ...common, ...owner, event_type: 'FOLLOW_UP_SET' as const, follow_up: ack_id, alert_key: alert.key },
          ...{ next_action: action.next_action, due_at: action.due_at },
        }
  return { ...z.encode(eventSchema, record), ack_id }
}
