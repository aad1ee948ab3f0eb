/** What a session leaves behind, each time in ONE unit of work: rows, metrics and the events that tell of them. */
import type { Assessment } from '../../../shared/assessment.ts'
import type { SessionSummary } from '../../../shared/events.ts'
import { tierRank, worseTier, type RiskTier } from '../../../shared/risk.ts'
import type { Engine } from '../../analysis/index.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import {
  countMessage,
  enqueue,
  findDrill,
  findSession,
  forgetContent,
  insertMarkers,
  insertMessage,
  insertSession,
  markAnalyzed,
  markEnded,
  type SessionKey,
  type SessionStatus,
  type StoredDrill,
  type StoredMessage,
  type StoredSession,
  type Unit,
} from '../../store/station/index.ts'
import { drillFound } from '../drill-event.ts'
import { notesAndResourcesAfter } from './notes-and-resources.ts'
import { Refusal } from './refusal.ts'
import {
  crisisDetected,
  messageAnalyzed,
  sessionEnded,
  sessionStarted,
  type AnalyzedMessage,
  type SessionEvent,
} from './wire-events.ts'

export interface CommitOptions {
  engine: Engine
  clock: Clock
  randomness: Randomness
  logger: Logger
  /** Whether words are kept beyond the rolling buffer and travel with the events. */
  storeContent: boolean
  /** Messages of the rolling buffer. */
  bufferSize: number
  /** Told of what is published, in the same unit of work; absent = nobody is. */
  onEvents?: ((unit: Unit, session: SessionKey, events: readonly SessionEvent[]) => Promise<void>) | undefined
  /** The crisis of a drill was found, in the unit of work that keeps it; absent = the consoles are told at once. */
  onDrill?: ((unit: Unit, drill: StoredDrill & { session_id: string }) => Promise<void>) | undefined
}

/** How a message came to its decision. */
export interface Decided {
  /** Milliseconds from its arrival to its assessment. */
  latency: number
  /** A model wrote the clinical signal's reason: it may quote the student and does not travel. */
  clinicalIsModel: boolean
}

/** What happens to a session next: a crisis escalates a running one; an ended one stays ended. */
export function statusAfter(status: SessionStatus, tier: RiskTier): SessionStatus {
  return status === 'active' && tierRank(tier) >= tierRank('crisis') ? 'escalated' : status
}

/** Everything here takes the unit of work that it is a part of. */
export function createCommit(options: CommitOptions) {
  const { engine, clock, randomness, logger, storeContent, bufferSize } = options

  async function openSession(
    unit: Unit,
    session: Pick<StoredSession, 'school_id' | 'session_id' | 'student_hash' | 'started_at' | 'metadata' | 'drill'>,
    backfill: boolean,
  ): Promise<void> {
    await insertSession(unit, session)
    await publish(unit, session, [sessionStarted(session, randomness.uuid(), { at: session.started_at, backfill })])
  }

  async function endSession(
    unit: Unit,
    session: StoredSession,
    told: { at: number; backfill: boolean },
    summary: SessionSummary,
  ): Promise<void> {
    await markEnded(unit, session, told.at, summary)
    if (!storeContent) await forgetContent(unit, session)
    await publish(unit, session, [sessionEnded(session, randomness.uuid(), told, summary)])
  }

  /** Keeps a decided message as the next of its session, which is locked. `before`: what came before it, for notes and resources. */
  async function storeMessage(
    unit: Unit,
    session: StoredSession,
    before: readonly StoredMessage[],
    message: Omit<StoredMessage, 'sequence' | 'state'>,
    decided: Decided,
  ): Promise<StoredMessage> {
    const stored: StoredMessage = { ...message, state: 'analyzed', sequence: session.last_sequence + 1 }
    await insertMessage(unit, stored)
    await followUp(unit, session, before, stored, decided)
    return stored
  }

  /** Keeps what an accepted message was found to be, as if it had been decided at once. */
  async function finishMessage(
    unit: Unit,
    session: StoredSession,
    before: readonly StoredMessage[],
    message: StoredMessage,
    decided: Decided,
  ): Promise<StoredMessage> {
    const stored: StoredMessage = { ...message, state: 'analyzed' }
    await markAnalyzed(unit, stored)
    await followUp(unit, session, before, stored, decided)
    return stored
  }

  async function followUp(
    unit: Unit,
    session: StoredSession,
    before: readonly StoredMessage[],
    message: StoredMessage,
    decided: Decided,
  ): Promise<void> {
    const isStudent = message.role === 'student'
    if (isStudent) await insertMarkers(unit, message, session.student_hash)
    await countMessage(unit, session, {
      status: statusAfter(session.status, message.tier),
      last_sequence: Math.max(session.last_sequence, message.sequence),
      student_turns: Number(isStudent),
      assistant_turns: Number(message.role === 'assistant'),
      sentiment: isStudent ? message.sentiment : 0,
      highest_tier: worseTier(session.highest_tier, message.tier),
      said_at: message.said_at,
      ...notesAndResourcesAfter(engine, logger, session, message.said_at, [...before, message].slice(-bufferSize)),
    })
    if (!storeContent)
      await forgetContent(unit, session, session.status === 'ended' ? message.sequence : message.sequence - bufferSize)
    await publish(unit, session, eventsOf(session, message, decided))
  }

  /** A crisis goes first: it must not wait behind the analysis of its own message. */
  function eventsOf(
    session: StoredSession,
    message: StoredMessage,
    { latency, clinicalIsModel }: Decided,
  ): SessionEvent[] {
    const { role, assessment } = message
    if (role === 'system' || !assessment) return []
    const analyzed: AnalyzedMessage = {
      message_id: message.message_id,
      sequence: message.sequence,
      role,
      assessment,
      occurred_at: message.said_at,
      decided_at: message.said_at + latency,
      // As it was kept, whoever has sent it again since: what was said live stays news.
      backfill: message.told,
      content: storeContent ? message.content : null,
      evidence: role === 'student' && isFlagged(assessment) ? message.content : null,
      latency_ms: latency,
      clinicalIsModel,
    }
    const crisis = assessment.level === 'CRISIS' ? [crisisDetected(session, randomness.uuid(), analyzed)] : []
    return [...crisis, messageAnalyzed(session, randomness.uuid(), analyzed)]
  }

  async function publish(
    unit: Unit,
    session: Pick<StoredSession, 'school_id' | 'session_id' | 'drill'>,
    events: readonly SessionEvent[],
  ): Promise<void> {
    if (session.drill) return publishDrill(unit, session, events)
    await enqueue(
      unit,
      events.map((event) => ({
        id: event.idempotency_key,
        school_id: session.school_id,
        group: session.session_id,
        event_type: event.event_type,
        body: JSON.stringify(event),
        at: clock.now(),
      })),
    )
    await options.onEvents?.(unit, session, events)
  }

  /** Of a drill's session nothing is told but that its crisis was found, as a drill: by the ladder, where one is run. */
  async function publishDrill(unit: Unit, session: SessionKey, events: readonly SessionEvent[]): Promise<void> {
    const crisis = events.some(({ event_type }) => event_type === 'CRISIS_DETECTED')
    const drill = crisis ? await findDrill(unit, session) : null
    if (drill === null) return
    if (options.onDrill) return options.onDrill(unit, { ...drill, session_id: session.session_id })
    await enqueue(unit, [drillFound(drill, randomness.uuid(), clock.now())])
  }

  return { openSession, endSession, storeMessage, finishMessage }
}

/**
 * The session of this key. Throws Refusal `unknown session`. `lock`: nobody else changes it until this unit
 * of work ends.
 */
export async function requireSession(
  unit: Unit,
  key: SessionKey,
  options: { lock?: boolean } = {},
): Promise<StoredSession> {
  const session = await findSession(unit, key, options)
  if (!session) throw new Refusal('unknown session')
  return session
}

function isFlagged({ tier, matches, markers }: Assessment): boolean {
  return tier !== 'ok' || matches.length > 0 || markers.length > 0
}
