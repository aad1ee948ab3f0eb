/** A station's ladder on a real database: alerts as they come, a clock that is moved, ways that write down what they were told. */
import { randomUUID } from 'node:crypto'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { Address, Channels, Message, Outcome, OutsideChannel } from '../../main/station/channels/index.ts'
import { createAlertBook, startRunner, takeAnswer, type Runner } from '../../main/station/escalation/index.ts'
import { keepAndQueueOne, relayAction } from '../../main/station/relay/index.ts'
import { createStationClock } from '../../main/station/station-clock.ts'
import type { StationStore } from '../../main/store/station/index.ts'
import { alertsOfSession, insertSecrets, keepAssignments } from '../../main/store/station/index.ts'
import type { ToldAtConsole } from '../../shared/console-messages.ts'
import { eventSchema, type AlertNotified } from '../../shared/events.ts'
import type { Channel } from '../../shared/on-call.ts'
import type { Policy } from '../../shared/policy.ts'
import { minutes } from '../../shared/time.ts'
import { recordingLogger, school } from './intake-school.ts'
import { listed, somePolicy } from './policies.ts'
import { openTestStore, type StoreKind } from './test-stores.ts'
import { virtualClock } from './virtual-clock.ts'
import { analyzed, crisis, hashOf } from './wire.ts'

const everyWay = { sms: '+15550142001', voice: '+15550142001', email: 'person@school.example' }

/** A school with a counselor who is assigned, another one, and an admin; everybody is reached every way. */
export function ladderPolicy(changes: Partial<Policy> = {}): Policy {
  return somePolicy({
    people: [
      listed('assigned', { channels: everyWay }),
      listed('backup', { channels: everyWay }),
      listed('admin', { role: 'ADMIN', channels: everyWay }),
    ],
    ...changes,
  })
}

/** One message as it was sent. */
interface Sent {
  at: number
  id: string
  channel: OutsideChannel
  person: string
  message: Message
}

export async function ladderHouse(kind: StoreKind = 'file', given: { policy?: Policy; start?: number } = {}) {
  const database = await openTestStore(kind)
  const { store } = database
  await store.asSchool(school, (unit) => insertSecrets(unit, school, { salt: 'wrapped', content_key: 'wrapped' }))
  // Nothing here is told as done to anybody.
  store.waitForDisk(false)
  const clock = virtualClock(given.start)
  const { logger, entries } = recordingLogger()
  const sent: Sent[] = []
  const house = { policy: given.policy ?? ladderPolicy(), unreadable: new Set<string>() }
  let ways: OutsideChannel[] = ['sms', 'voice', 'email', 'other']
  let outcomeOf: (sent: Sent) => Outcome | Promise<Outcome> = () => ({ outcome: 'delivered', reference: null })
  const channels: Channels = {
    available: () => ways,
    async send(channel: OutsideChannel, to: Address, message: Message, id: string) {
      const each = { at: clock.now(), id, channel, person: to.person, message }
      sent.push(each)
      return outcomeOf(each)
    },
  }
  const policyOf = (schoolId: string) =>
    house.unreadable.has(schoolId) ? Promise.reject(new Error('no policy')) : Promise.resolve(house.policy)
  /** A station on this database, whose clock is the house’s. `ahead`: how far its machine’s clock is off, milliseconds. */
  const station = (stationId = 'station-1', opened: StationStore = store, ladder = true, ahead = () => 0) => {
    const on: StationStore = { ...opened, now: () => Promise.resolve(opened.shared ? clock.now() : null) }
    const machine = { now: () => clock.now() + ahead(), after: clock.after }
    const stationClock = createStationClock({ store: on, clock: machine, logger })
    const book = createAlertBook({ clock: stationClock, keyOf: () => Promise.resolve(null), ladder })
    const relay: Parameters<typeof startRunner>[0]['relay'] = async (unit, _school, event, now) => {
      const action = relayAction(JSON.stringify(event))
      if (action) await keepAndQueueOne(unit, action, now, book)
    }
    const options = { store: on, stationId, book, channels, policyOf, relay, link: null, clock: stationClock, logger }
    return {
      book,
      clock: stationClock,
      relay,
      start: (): Runner => startRunner({ ...options, randomness: systemRandomness, onQueued: () => undefined }),
    }
  }
  let own = station()
  const runners = new Set<Runner>()
  const start = (which = own): Runner => {
    const runner = which.start()
    runners.add(runner)
    return runner
  }
  const stop = async (runner: Runner): Promise<void> => {
    runners.delete(runner)
    await runner.stop()
  }
  const idle = async (): Promise<void> => {
    for (const runner of runners) await runner.idle()
  }
  const covers = new Map<string, string[]>()
  const session = (session_id: string) => ({ school_id: school, session_id })
  /** What the next moment is at which something is due. */
  const nextDue = async (): Promise<number> => {
    const [row] = await database.rows(`SELECT min(at) AS at FROM (
      SELECT min(due_at) AS at FROM timers UNION ALL
      SELECT min(due_at) FROM tellings WHERE state = 'waiting' AND claimed_until < ${clock.now()} UNION ALL
      SELECT min(claimed_until) FROM tellings WHERE state = 'waiting' AND claimed_until >= ${clock.now()} UNION ALL
      SELECT min(answer_by) FROM deliveries WHERE state = 'attempted') AS moments`)
    return Number(row?.['at'] ?? Infinity)
  }
  const events = async () =>
    (await database.rows('SELECT body FROM outbox ORDER BY position')).map(({ body }) =>
      eventSchema.parse(JSON.parse(String(body))),
    )
  const ladderEvents = async (): Promise<AlertNotified[]> =>
    (await events()).filter(
      (event): event is AlertNotified =>
        event.event_type === 'ALERT_ESCALATED' || event.event_type === 'ALERT_NOTIFIED',
    )
  const began = clock.now()

  const say = async (session_id: string, event: object, by = own): Promise<void> => {
    const { idempotency_key } = event as { idempotency_key: string }
    covers.set(session_id, [...(covers.get(session_id) ?? []), idempotency_key])
    await store.asSchool(school, (unit) => by.book.said(unit, session(session_id), [event]))
    for (const runner of runners) runner.wake()
    await idle()
  }

  return {
    ...database,
    house,
    clock,
    logger,
    entries,
    sent,
    station,
    start,
    stop,
    idle,
    events,
    ladderEvents,
    nextDue,
    own: () => own,
    /** The station forgets what it held in memory. */
    forget: () => void (own = station()),
    setWays: (some: OutsideChannel[]) => void (ways = some),
    setOutcome: (of: typeof outcomeOf) => void (outcomeOf = of),
    /** Something in a session opens an alert, or joins one. */
    crisis: (session_id = 'session-1', changes: Record<string, unknown> = {}, by = own) =>
      say(session_id, crisis({ session_id, school_id: school, at: clock.now(), ...changes }), by),
    high: (session_id = 'session-1', changes: Record<string, unknown> = {}) =>
      say(
        session_id,
        analyzed({
          session_id,
          school_id: school,
          at: clock.now(),
          score: 0.7,
          level: 'CAUTION',
          tier: 'high',
          ...changes,
        }),
      ),
    /** A person does something about everything that was said in a session so far; answers the record's id. */
    async act(session_id: string, action: string, fields: Record<string, unknown> = {}, by = own): Promise<string> {
      const at = new Date(clock.now()).toISOString()
      const ack_id = randomUUID()
      const event = {
        schema_version: 2,
        event_type: 'ALERT_ACTION',
        idempotency_key: ack_id,
        timestamp: at,
        ...session(session_id),
        student_hash: hashOf(session_id),
        ack_id,
        alert_key: 'any',
        covers: covers.get(session_id) ?? ['none'],
        covered: { tier: 'crisis', categories: [], score: 1 },
        console_id: 'console-1',
        by: 'assigned',
        at,
        action,
        ...fields,
      }
      await store.asStation((unit) => by.relay(unit, school, event, clock.now()))
      for (const runner of runners) runner.wake()
      await idle()
      return ack_id
    },
    acknowledge(session_id = 'session-1', fields: Record<string, unknown> = {}) {
      const due_at = new Date(clock.now() + minutes(15)).toISOString()
      return this.act(session_id, 'acknowledged', { next_action: 'Contact the student', due_at, ...fields })
    },
    /** Somebody looks after the student of a session. */
    assign: (session_id: string, person_id: string | null) =>
      store.asSchool(school, (unit) =>
        keepAssignments(unit, {
          school_id: school,
          assignments: [{ student_hash: hashOf(session_id), person_id }],
          by: 'admin',
          at: clock.now(),
        }),
      ),
    /** Time passes while every station runs: what is due is done when it is due. */
    async pass(ms: number): Promise<void> {
      const end = clock.now() + ms
      for (;;) {
        const due = await nextDue()
        const next = Math.min(Math.max(due, clock.now() + 1), end)
        clock.set(next)
        for (const runner of runners) runner.wake()
        await idle()
        if (next >= end) return
      }
    },
    /** A console answers for every desktop that has been asked and not answered. */
    async answerDesktops(): Promise<void> {
      for (const row of await database.rows(
        `SELECT delivery_id, session_id, alert_key, person FROM deliveries WHERE channel = 'desktop' AND state = 'attempted'`,
      )) {
        const said: ToldAtConsole = {
          ...{ schema_version: 1, event_type: 'ALERT_NOTIFIED', channel: 'desktop', outcome: 'delivered' },
          ...{
            ack_id: `told:${String(row['delivery_id'])}`,
            console_id: 'console-1',
            key_id: 'key',
            signature: 'signed',
          },
          ...{ school_id: school, student_hash: hashOf(String(row['session_id'])), to: String(row['person']) },
          session_id: String(row['session_id']),
          alert_key: String(row['alert_key']),
          delivery_id: String(row['delivery_id']),
          at: new Date(clock.now()).toISOString(),
        }
        if (!(await takeAnswer({ store, clock }, said))) throw new Error('the answer of a console was not taken')
      }
    },
    alerts: (session_id = 'session-1') => store.asSchool(school, (unit) => alertsOfSession(unit, session(session_id))),
    /** Rungs that were reached, as consoles were told: seconds since the beginning, rung, why. */
    async rungs() {
      return (await ladderEvents())
        .filter(({ event_type }) => event_type === 'ALERT_ESCALATED')
        .map(({ timestamp, rung, outcome, late, reason }) => [
          (timestamp - began) / 1000,
          rung,
          outcome,
          ...(late ? ['late'] : []),
          ...(reason ? [reason] : []),
        ])
    },
    /** Messages that left: seconds since the beginning, whom, how, kind. */
    told: () => sent.map(({ at, person, channel, message }) => [(at - began) / 1000, person, channel, message.kind]),
    async deliveries(): Promise<{ person: string; channel: Channel; state: string; code: string | null }[]> {
      return (await database.rows(
        'SELECT person, channel, state, code FROM deliveries ORDER BY attempted_at, person, channel',
      )) as never
    },
    async close() {
      for (const runner of runners) await runner.stop()
      await database.close()
    },
  }
}

export type LadderHouse = Awaited<ReturnType<typeof ladderHouse>>
