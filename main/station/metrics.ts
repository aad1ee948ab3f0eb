/** Figures of a running station in Prometheus text. No label holds an id, a school or a key. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../analysis/index.ts'
import type { Sending } from '../outbox/index.ts'
import type { Clock } from '../platform/ports.ts'
import type { Outcome, OutsideChannel } from './channels/index.ts'
import type { NotFollowed } from './escalation/index.ts'
import type { SchoolIntake } from './intake/index.ts'

/** What waits to be published, and since when the oldest of it does (UTC ms, null = nothing waits). */
export interface Waiting {
  count: number
  oldest: number | null
}

export type StationMetrics = ReturnType<typeof createMetrics>

/** Upper ends of the buckets, in seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const assessmentBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4]

/** The figures of one station; `ofProcess` adds those of its process (memory, event loop, garbage collection). */
export function createMetrics(clock: Clock, { ofProcess }: { ofProcess: boolean }) {
  const registry = new Registry()
  const registers = [registry]
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `psyflo_${name}`, help, labelNames, registers })

  const messages = counter('messages_total', 'Messages answered, by the role of their sender and the tier found.', [
    'role',
    'tier',
  ])
  const published = counter('events_published_total', 'Events that the topic has taken, by type.', ['event_type'])
  const publishFailures = counter('publish_failures_total', 'Events that the topic did not take at one attempt.')
  const relayed = counter('records_relayed_total', 'Actions of consoles given back to all of them.')
  const notRelayed = counter('records_refused_total', 'Messages of the acknowledgement queue that are no action.')
  const unattended = counter(
    'crises_unattended_total',
    'Messages with a crisis, of known keys, that were answered with the protocol and could not be kept.',
  )
  const ofUnknown = counter(
    'crises_of_unknown_callers_total',
    'Messages with a crisis that were answered with the protocol and kept nowhere, as the database was away and their key was none of those known before.',
  )
  const told = counter(
    'crises_told_total',
    'Messages with a crisis that were told of a past: nobody is notified of them.',
  )
  const deliveries = counter(
    'deliveries_total',
    'Texts, calls and mails to people, by the way and what became of it.',
    ['channel', 'outcome'],
  )
  const answers = counter('answers_total', 'Texts that people sent, by what became of them.', ['outcome'])
  const notFollowed = counter(
    'events_not_followed_total',
    'Events of other producers for which no ladder runs, as they cannot be read or are of a school that is not served.',
    ['why'],
  )
  const leftOut = counter(
    'void_records_not_kept_total',
    'Records that change nothing, of sessions with more of them than are kept beside their alerts.',
  )
  const heartbeats = counter('heartbeats_total', 'Heartbeats queued, one per school and minute.')
  const putAside = new Gauge({
    name: 'psyflo_records_put_aside',
    help: 'Messages of consoles in the dead-letter queue of the acknowledgement queue: what people did that was not relayed.',
    registers,
  })
  const requests = new Histogram({
    name: 'psyflo_request_duration_seconds',
    help: 'Time to answer a request, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers,
  })
  const assessments = new Histogram({
    name: 'psyflo_assessment_duration_seconds',
    help: 'Time to assess a message, services included.',
    buckets: assessmentBuckets,
    registers,
  })

  return {
    contentType: registry.contentType,
    /** Everything, as a scraper reads it. */
    text: () => registry.metrics(),
    requestAnswered(method: string, route: string, status: number, milliseconds: number): void {
      requests.observe({ method, route, status }, milliseconds / 1000)
    },
    recordRelayed: (): void => relayed.inc(),
    recordRefused: (): void => notRelayed.inc(),
    recordsPutAside: (waiting: number): void => putAside.set(waiting),
    crisisUnattended: (): void => unattended.inc(),
    crisisOfUnknown: (): void => ofUnknown.inc(),
    delivered: (channel: OutsideChannel, outcome: Outcome['outcome']): void => deliveries.inc({ channel, outcome }),
    answerReceived: (outcome: string): void => answers.inc({ outcome }),
    notFollowed: (why: NotFollowed): void => notFollowed.inc({ why }),
    voidRecordNotKept: (): void => leftOut.inc(),
    heartbeatQueued: (): void => heartbeats.inc(),

    /** Counts what gets through and what does not. */
    countPublished(publish: Sending): Sending {
      return async (messages) => {
        const refused = await publish(messages).catch((error: unknown) => {
          publishFailures.inc(messages.length)
          throw error
        })
        for (const { id, event_type } of messages) if (!refused.has(id)) published.inc({ event_type })
        publishFailures.inc(refused.size)
        return refused
      }
    },

    /** Counts what an intake answers. */
    countMessages(intake: SchoolIntake): SchoolIntake {
      return {
        ...intake,
        async receive(message) {
          const receipt = await intake.receive(message)
          messages.inc({ role: receipt.role, tier: receipt.tier })
          if (message.at !== undefined && receipt.tier === 'crisis') told.inc()
          return receipt
        },
        async assessRefused(message, refusal) {
          const found = await intake.assessRefused(message, refusal)
          if (found) messages.inc({ role: 'student', tier: found.tier })
          return found
        },
      }
    },

    /** Times what an engine decides; whoever replaces what is behind `engine` is timed, too. */
    timeAssessments(engine: Engine): Engine {
      const took = (began: number): void => assessments.observe(Math.max(0, clock.now() - began) / 1000)
      const timed: Pick<Engine, 'assess' | 'assessWith'> = {
        assess(input) {
          const began = clock.now()
          try {
            return engine.assess(input)
          } finally {
            took(began)
          }
        },
        async assessWith(input, ports) {
          const began = clock.now()
          try {
            return await engine.assessWith(input, ports)
          } finally {
            took(began)
          }
        },
      }
      return new Proxy(engine, {
        get: (_, name) => Reflect.get(Object.hasOwn(timed, name) ? timed : engine, name) as unknown,
      })
    },

    /** Reads, whenever it is asked for, whether drills do not come back. */
    watchDrills(failing: () => boolean): void {
      new Gauge({
        name: 'psyflo_alarm_failing',
        help: '1 while drills of the alarm fail, or a console that confirmed them is gone without a word for three intervals.',
        registers,
        collect() {
          this.set(Number(failing()))
        },
      })
    },

    /** Reads these figures whenever they are asked for. What a database does not answer is NaN. */
    watch(read: { waiting(): Waiting | Promise<Waiting>; publishFailing(): boolean }): void {
      const gauge = (name: string, help: string, valueOf: (waiting: Waiting) => number) =>
        new Gauge({
          name: `psyflo_${name}`,
          help,
          registers,
          async collect() {
            try {
              this.set(valueOf(await read.waiting()))
            } catch {
              this.set(NaN)
            }
          },
        })
      gauge('outbox_waiting', 'Events that wait to be published.', ({ count }) => count)
      gauge(
        'outbox_oldest_age_seconds',
        'Age of the oldest event that waits to be published; 0 = none waits.',
        ({ oldest }) => (oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1000),
      )
      new Gauge({
        name: 'psyflo_publish_failing',
        help: '1 while an event has not got through to the topic for more than a minute.',
        registers,
        collect() {
          this.set(Number(read.publishFailing()))
        },
      })
    },
  }
}
