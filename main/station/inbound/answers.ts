/**
 * What people answer to the texts of an alert: whose telephone it is, which alert they mean, the record of it, and what
 * they are told in return. Nothing here says whose alert it is.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { namesThatFit } from '../../../shared/action-message.ts'
import type { Alert } from '../../../shared/alerts.ts'
import { coverageOf } from '../../../shared/coverage.ts'
import { alertActionSchema } from '../../../shared/events.ts'
import type { Policy } from '../../../shared/policy.ts'
import { defaultDueAfter, defaultNextAction } from '../../../shared/thresholds.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import {
  alertsToldTo,
  claimText,
  lockRecordOrder,
  toldTimes,
  type AlertRow,
  type SessionKey,
  type StationStore,
  type Unit,
} from '../../store/station/index.ts'
import { answerOf, type Answered } from '../channels/index.ts'
import { readAck } from './ack.ts'
import type { StationSigning } from './signing.ts'

/** A text as its provider handed it over, whose word is believed by now. */
export interface ReceivedText {
  /** What the provider calls it. */
  id: string
  /** The number it came from. */
  from: string
  text: string
  /** When it was sent, as its provider says; UTC milliseconds. */
  at: number
}

export interface AnswersOptions {
  store: StationStore
  stationId: string
  /** The alerts, and what opens their records. */
  book: {
    openFor(schools: readonly string[]): Promise<void>
    alertsOf(unit: Unit, key: SessionKey): Promise<Alert[]>
  }
  /** Gives a record its place and relays it, with what follows from it, in the unit of work. */
  relay(unit: Unit, school_id: string, event: Record<string, unknown>, now: number): Promise<void>
  signing: StationSigning
  schools(): Promise<readonly string[]>
  policyOf(schoolId: string): Promise<Pick<Policy, 'people'>>
  clock: Clock
  logger: Logger
  onQueued(): void
  /** Told of what became of each text, by a name that says nothing of it. */
  onOutcome(outcome: string): void
}

/** What a text came to, and what is to be texted back; null = nothing. */
type Received = { outcome: Answered['kind'] | 'unknown number' | 'again'; answer: string | null }

/** Takes in what people text. Rejects with DatabaseGone: then nothing was taken, and it may come again. */
export type TakeText = (received: ReceivedText) => Promise<Received>

type Person = Policy['people'][number]
interface Sender {
  school_id: string
  person: Person
}
/**
 * An alert of which the sender was told, and when last before they wrote; null = that is on its way. `isSince`: they
 * wrote before anybody began to tell them.
 */
interface Told extends Sender {
  alert: AlertRow
  told_at: number | null
  isSince: boolean
}

export function createAnswers(options: AnswersOptions): TakeText {
  const { store, book, clock, logger, onQueued, onOutcome } = options

  const sendersAt = async (number: string): Promise<Sender[]> => {
    const found: Sender[] = []
    for (const school_id of await options.schools())
      for (const person of (await options.policyOf(school_id)).people)
        if (person.channels.sms === number) found.push({ school_id, person })
    return found
  }

  const toldTo = async (unit: Unit, senders: readonly Sender[], until: number): Promise<Told[]> => {
    const told: Told[] = []
    for (const sender of senders) {
      const of = { school_id: sender.school_id, person: sender.person.id }
      const times = await toldTimes(unit, { ...of, until })
      for (const alert of await alertsToldTo(unit, of)) {
        const { alert_key: key } = alert
        told.push({ ...sender, alert, told_at: times.get(key) ?? null, isSince: !times.has(key) })
      }
    }
    return told.sort(mostUrgentFirst)
  }

  /** Records that somebody takes an alert, and answers how it stands then. */
  const take = async (unit: Unit, chosen: Told, id: string, waiting: number): Promise<Answered> => {
    const { alert, person, school_id } = chosen
    await lockRecordOrder(unit, alert)
    const named = (each: Alert) => each.key === alert.alert_key || each.aliases.includes(alert.alert_key)
    const now = clock.now()
    const before = (await book.alertsOf(unit, alert)).find(named)
    const described = { tier: alert.tier, categories: alert.document.categories, age_ms: now - alert.opened_at }
    if (!before || before.state === 'resolved') return { kind: 'closed', alert: described }
    const yours: Answered = { kind: 'yours', alert: described, waiting }
    if (before.state === 'acknowledged' && before.owner?.id === person.id) return yours
    await options.relay(unit, school_id, recordOf(chosen, before, id, options, now), now)
    if (before.state === 'acknowledged') return { kind: 'held by another', alert: described }
    const after = (await book.alertsOf(unit, alert)).find(named)
    return after?.state === 'open' ? { kind: 'worse since', alert: described } : yours
  }

  const settle = async (received: ReceivedText, senders: readonly Sender[]): Promise<Answered | 'again'> => {
    const digest = createHash('sha256').update(`text ${received.id}`).digest('hex')
    const ack = readAck(received.text)
    await book.openFor(senders.map(({ school_id }) => school_id))
    // Claimed before anything is chosen: handed over once more it would else take what is left, in whatever school.
    return store.asStation(async (unit) => {
      if (!(await claimText(unit, { digest, at: clock.now() }))) return 'again'
      if (ack === null) return { kind: 'not understood' }
      const told = await toldTo(unit, senders, Math.min(received.at, clock.now()))
      const chosen = chosenOf(told, ack.number)
      const isWaiting = ({ alert }: Told) => alert.state === 'open' && alert !== chosen?.alert
      if (chosen) return take(unit, chosen, digest, told.filter(isWaiting).length)
      if (ack.number !== null) return { kind: 'no such number', number: ack.number }
      return { kind: told.some(isWaiting) ? 'told since' : 'nothing to take' }
    })
  }

  return async (received) => {
    const senders = await sendersAt(plainNumber(received.from))
    // Nobody of the directory: whoever it is learns nothing, not even that.
    const result = senders.length === 0 ? 'unknown number' : await settle(received, senders)
    const outcome = typeof result === 'string' ? result : result.kind
    logger.info({ outcome }, 'a text was received')
    onOutcome(outcome)
    if (outcome === 'yours' || outcome === 'held by another' || outcome === 'worse since') onQueued()
    return { outcome, answer: typeof result === 'string' ? null : answerOf(result) }
  }
}

/**
 * Which alert somebody means: without a number one that had reached them when they wrote. A number that two schools gave
 * is that of which they were told last.
 */
function chosenOf(told: readonly Told[], number: number | null): Told | undefined {
  if (number === null) return told.find(({ told_at }) => told_at !== null) ?? told.find(({ isSince }) => !isSince)
  return told.filter(({ alert }) => alert.number === number).toSorted((a, b) => (b.told_at ?? 0) - (a.told_at ?? 0))[0]
}

/** Held by nobody first, then by severity, then the longest waiting. */
function mostUrgentFirst({ alert: a }: Told, { alert: b }: Told): number {
  const rank = ({ state, tier }: AlertRow) => (state === 'open' ? 0 : 2) + (tier === 'crisis' ? 0 : 1)
  return rank(a) - rank(b) || a.opened_at - b.opened_at
}

/**
 * The record of it. It covers what was there when the person was last told, and nothing that came after: that they
 * cannot have seen.
 */
function recordOf(
  { person, told_at, school_id }: Told,
  alert: Alert,
  id: string,
  { signing, stationId }: AnswersOptions,
  now: number,
): Record<string, unknown> {
  const inTime = alert.triggers.filter(({ received_at }) => received_at <= (told_at ?? 0))
  const seen = (inTime.length > 0 ? inTime : alert.triggers.slice(0, 1)).slice(-500)
  return signing.sign(
    z.encode(alertActionSchema, {
      schema_version: 1,
      event_type: 'ALERT_ACTION',
      action: 'acknowledged',
      event_id: id,
      idempotency_key: id,
      ack_id: id,
      timestamp: now,
      at: now,
      session_id: alert.session_id,
      student_hash: alert.student_hash,
      school_id,
      alert_key: alert.key,
      covers: namesThatFit([...new Set(seen.map(({ idempotency_key }) => idempotency_key))].toReversed()),
      trigger_ids: seen.map((trigger) => trigger.id),
      covered: coverageOf(seen),
      console_id: `sms:${stationId}`,
      by: person.id,
      by_name: person.name,
      owner: person.id,
      owner_name: person.name,
      next_action: defaultNextAction,
      due_at: now + defaultDueAfter,
    }),
  )
}

/** A number as the directory has it, however a provider writes it. */
const plainNumber = (number: string): string => number.replace(/[\s().-]/g, '')
