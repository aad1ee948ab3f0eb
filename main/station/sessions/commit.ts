/** What a session leaves behind, each time in ONE transaction: rows, metrics and the events that tell of them. */
import type { Assessment } from '../../../shared/assessment.ts'
import type { SessionSummary } from '../../../shared/events.ts'
import { tierRank, worseTier, type RiskTier } from '../../../shared/risk.ts'
import type { Engine } from '../../analysis/index.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import {
  countMessage,
  enqueue,
  findSession,
  forgetContent,
  insertMarkers,
  insertMessage,
  insertSession,
  latestMessages,
  markEnded,
  nextSequence,
  type Database,
  type SessionKey,
  type SessionStatus,
  type StoredMessage,
  type StoredSession,
} from '../../store/station/index.ts'
import { nameOfError } from './error-name.ts'
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
  db: Database
  engine: Engine
  clock: Clock
  randomness: Randomness
  logger: Logger
  /** Whether words are kept beyond the rolling buffer and travel with the events. */
  storeContent: boolean
  /** Messages of the rolling buffer. */
  bufferSize: number
  /** Told after each commit that the outbox has something to send. */
  onQueued: () => void
}

/** A message with its assessment, before the session has given it a number. */
export interface AssessedMessage {
  message: Omit<StoredMessage, 'sequence'>
  /** Milliseconds from its arrival to its assessment. */
  latency: number
  /** A model wrote the clinical signal's reason: it may quote the student and does not travel. */
  clinicalIsModel: boolean
  /** What the chat shows instead of anything else; null when it is no crisis. */
  reply: string | null
}

/** What happens to a session next: a crisis escalates a running one; an ended one stays ended. */
export function statusAfter(status: SessionStatus, tier: RiskTier): SessionStatus {
  return status === 'active' && tierRank(tier) >= tierRank('crisis') ? 'escalated' : status
}

/** Every call throws Refusal `not stored` when nothing could be written, and then nothing was. */
export function createCommit(options: CommitOptions) {
  const { db, engine, clock, randomness, logger, storeContent, bufferSize } = options

  function openSession(
    session: Pick<StoredSession, 'school_id' | 'session_id' | 'student_hash' | 'started_at' | 'metadata'>,
  ): void {
    inOneTransaction(() => {
      insertSession(db, session)
      publish(session.session_id, [sessionStarted(session, randomness.uuid(), session.started_at)])
    })
  }

  function endSession(session: StoredSession, endedAt: number, summary: SessionSummary): void {
    inOneTransaction(() => {
      markEnded(db, session, endedAt, summary)
      if (!storeContent) forgetContent(db, session)
      publish(session.session_id, [sessionEnded(session, randomness.uuid(), endedAt, summary)])
    })
  }

  function storeMessage(assessed: AssessedMessage): StoredMessage {
    return inOneTransaction(() => {
      const session = requireSession(db, assessed.message)
      const message: StoredMessage = { ...assessed.message, sequence: nextSequence(db, session) }
      insertMessage(db, message)
      if (message.role === 'student') insertMarkers(db, message, session.student_hash)
      countInto(session, message)
      if (!storeContent)
        forgetContent(db, session, session.status === 'ended' ? message.sequence : message.sequence - bufferSize)
      publish(session.session_id, eventsOf(session, message, assessed))
      return message
    }, assessed.reply)
  }

  function countInto(session: StoredSession, message: StoredMessage): void {
    const isStudent = message.role === 'student'
    countMessage(db, session, {
      status: statusAfter(session.status, message.tier),
      student_turns: Number(isStudent),
      assistant_turns: Number(message.role === 'assistant'),
      sentiment: isStudent ? message.sentiment : 0,
      highest_tier: worseTier(session.highest_tier, message.tier),
      said_at: message.said_at,
      ...notesAndResourcesAfter(engine, logger, session, message.said_at, latestMessages(db, session, bufferSize)),
    })
  }

  /** A crisis goes first: it must not wait behind the analysis of its own message. */
  function eventsOf(
    session: StoredSession,
    message: StoredMessage,
    { latency, clinicalIsModel }: AssessedMessage,
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
      content: storeContent ? message.content : null,
      evidence: role === 'student' && isFlagged(assessment) ? message.content : null,
      latency_ms: latency,
      clinicalIsModel,
    }
    const crisis = assessment.level === 'CRISIS' ? [crisisDetected(session, randomness.uuid(), analyzed)] : []
    return [...crisis, messageAnalyzed(session, randomness.uuid(), analyzed)]
  }

  function publish(sessionId: string, events: readonly SessionEvent[]): void {
    for (const event of events) {
      enqueue(db, {
        id: event.idempotency_key,
        group: sessionId,
        event_type: event.event_type,
        body: JSON.stringify(event),
        at: clock.now(),
      })
    }
  }

  function inOneTransaction<T>(work: () => T, reply: string | null = null): T {
    let result: T
    try {
      result = db.transaction(work).immediate()
    } catch (error) {
      if (error instanceof Refusal) throw error
      logger.error({ code: codeOf(error), crisis: reply !== null }, 'not stored')
      throw new Refusal('not stored', reply, { cause: error })
    }
    options.onQueued()
    return result
  }

  return { openSession, endSession, storeMessage }
}

/** The session of this key. Throws Refusal `unknown session`. */
export function requireSession(db: Database, key: SessionKey): StoredSession {
  const session = findSession(db, key)
  if (!session) throw new Refusal('unknown session')
  return session
}

function isFlagged({ tier, matches, markers }: Assessment): boolean {
  return tier !== 'ok' || matches.length > 0 || markers.length > 0
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? nameOfError(error)
}
