/**
 * The way of a message: find its session → ask the engine → keep message, decision, metrics and
 * events in ONE transaction → answer. Publishing follows from the outbox.
 */
import { createHmac } from 'node:crypto'
import type { Assessment } from '../../../shared/assessment.ts'
import type { SessionSummary } from '../../../shared/events.ts'
import { enqueue } from '../../store/index.ts'
import type { AssessmentPorts, Engine } from '../../analysis/index.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import type { Database } from '../../store/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import { answerTo, type ReceiveResult } from './answer.ts'
import { contextOf, summaryInput } from './context.ts'
import { decide, decideLong, notAssessed, windowLength, withoutEngine } from './decide.ts'
import { hintsAfter } from './hints.ts'
import { messageTable, type RefusedAs, type StoredMessage } from './messages.ts'
import { inOrder } from './in-order.ts'
import { Refusal } from './refusal.ts'
import { sessionTable, type Role, type SessionMetadata, type TrackedSession } from './tracking.ts'
import {
  crisisDetected,
  messageAnalyzed,
  sessionEnded,
  sessionStarted,
  type AnalyzedMessage,
  type SessionEvent,
} from './wire-events.ts'

export interface PipelineOptions {
  /** Open, encrypted, migrated. */
  db: Database
  engine: Engine
  /** Clinical service and risk adapters; absent = the engine's local signals, synchronously. */
  ports?: AssessmentPorts | null
  evidenceKey: EvidenceKey
  clock: Clock
  randomness: Randomness
  logger: Logger
  /** The school's salt. */
  salt: string | Buffer
  /** Whether words are kept beyond the rolling buffer and travel with the events. */
  storeContent: boolean
  /** Messages of the rolling buffer (CONSULTX_BUFFER_SIZE). */
  bufferSize: number
  /** Told after each commit that the outbox has something to send. */
  committed?: () => void
}

/** One message as it arrives. `at` (UTC ms) is for replayed history; else the clock is asked. */
export interface Arrival {
  session_id: string
  role: Role
  content: string
  client_message_id?: string | undefined
  at?: number | undefined
  /** Part of the text was too long to be read at all: what was read may not pass as harmless. */
  incomplete?: boolean | undefined
}

/** What a refused message was found to be; it has been kept and alerted. */
export interface Examined {
  tier: StoredMessage['tier']
  /** The protocol reply when it was a crisis. */
  reply: string | null
}

export type Pipeline = ReturnType<typeof createPipeline>

export function createPipeline(options: PipelineOptions) {
  const { db, engine, evidenceKey, clock, randomness, logger, storeContent, bufferSize } = options
  const sessions = sessionTable(db)
  const messages = messageTable(db)
  const decider = { engine, ports: options.ports ?? null, logger }
  const oneAtATime = inOrder()

  function start(session: {
    student_hash: string
    school_id: string | null
    metadata: SessionMetadata
    at?: number | undefined
  }) {
    const opened = { ...session, session_id: randomness.uuid(), started_at: Math.round(session.at ?? clock.now()) }
    inOneTransaction(() => {
      sessions.open(opened)
      publish(opened.session_id, [sessionStarted(opened, randomness.uuid(), opened.started_at)])
    })
    return { session_id: opened.session_id }
  }

  /**
   * Receives one message of a session. The same `client_message_id` gives the same answer and no
   * second event. Throws Refusal `unknown session`, `ended`, `too large`, `reused` or `not stored`.
   */
  function receive(arrival: Arrival): Promise<ReceiveResult> {
    return oneAtATime(arrival.session_id, async () => {
      const session = known(arrival.session_id)
      const earlier = earlierOf(arrival)
      if (earlier?.same) return answerAgain(earlier.message)
      const refusal = refusalOf(session, arrival, earlier !== null)
      if (refusal) throw new Refusal(refusal, (await keepIfFlagged(session, arrival, refusal))?.reply ?? null)
      return answer(await assessAndKeep(session, arrival))
    })
  }

  /** Reads a message that will be refused whatever it says; kept and alerted when any danger is in it. */
  function examine(arrival: Arrival, refusal: RefusedAs): Promise<Examined | null> {
    return oneAtATime(arrival.session_id, async () => {
      const session = known(arrival.session_id)
      const earlier = earlierOf(arrival)
      if (earlier?.same) return { tier: earlier.message.tier, reply: replyTo(earlier.message.tier) }
      return keepIfFlagged(session, arrival, earlier ? 'reused' : session.status === 'ended' ? 'ended' : refusal)
    })
  }

  function end(sessionId: string, at?: number): SessionSummary {
    const session = known(sessionId)
    const kept = sessions.summaryOf(sessionId)
    if (kept) return kept
    const endedAt = Math.round(at ?? clock.now())
    const summary = summarise(session, endedAt)
    inOneTransaction(() => {
      sessions.end(sessionId, endedAt, summary)
      if (!storeContent) messages.forgetContent(sessionId, Number.MAX_SAFE_INTEGER)
      publish(sessionId, [sessionEnded(session, randomness.uuid(), endedAt, summary)])
    })
    return summary
  }

  async function assessAndKeep(session: TrackedSession, arrival: Arrival): Promise<StoredMessage> {
    const arrivedAt = clock.now()
    const at = Math.round(arrival.at ?? arrivedAt)
    return keep(arrival, arrival.content, {
      at,
      arrivedAt,
      assessment: await assess(session, arrival, at),
      refused: null,
    })
  }

  async function assess(session: TrackedSession, { role, content }: Arrival, at: number): Promise<Assessment | null> {
    if (role === 'student') return decide(decider, { text: content, ...context(session, at) })
    if (role === 'system') return null
    return notAssessed(sentimentOf(content, at))
  }

  async function keepIfFlagged(
    session: TrackedSession,
    arrival: Arrival,
    refused: RefusedAs,
  ): Promise<Examined | null> {
    if (arrival.role !== 'student') return null
    const arrivedAt = clock.now()
    const at = Math.round(arrival.at ?? arrivedAt)
    const around = context(session, at)
    const worst = await decideLong(decider, arrival.content, (text) => ({ text, ...around }))
    const assessment = arrival.incomplete && worst.assessment.tier === 'ok' ? withoutEngine() : worst.assessment
    if (assessment.tier === 'ok') return null
    keep(arrival, worst.text, { at, arrivedAt, assessment, refused })
    return { tier: assessment.tier, reply: replyTo(assessment.tier) }
  }

  /** The one transaction: message, decision, metrics, events. */
  function keep(
    arrival: Arrival,
    text: string,
    decision: { at: number; arrivedAt: number; assessment: Assessment | null; refused: RefusedAs | null },
  ): StoredMessage {
    const { assessment, at, refused } = decision
    const latency = Math.max(0, clock.now() - decision.arrivedAt)
    const message: StoredMessage = {
      message_id: randomness.uuid(),
      session_id: arrival.session_id,
      sequence: 0,
      role: arrival.role,
      // An id that another message bears already cannot be borne twice; the words are kept all the same.
      client_message_id: earlierOf(arrival) ? null : (arrival.client_message_id ?? null),
      content_digest: digestOf(arrival.content),
      said_at: at,
      content: evidenceKey.seal(text),
      refused,
      tier: assessment?.tier ?? 'ok',
      score: assessment?.score ?? 0,
      sentiment: assessment?.sentiment ?? 0,
      assessment,
    }
    inOneTransaction(() => {
      const session = known(arrival.session_id)
      message.sequence = messages.nextSequence(arrival.session_id)
      messages.add(message, session.student_hash)
      const window = messages.latest(arrival.session_id, bufferSize)
      sessions.count(session, { ...message, at }, hintsAfter(engine, logger, session, at, window))
      if (!storeContent)
        messages.forgetContent(
          arrival.session_id,
          session.status === 'ended' ? message.sequence : message.sequence - bufferSize,
        )
      publish(arrival.session_id, eventsOf(session, message, latency))
    }, replyTo(message.tier))
    if (message.tier === 'crisis')
      logger.warn({ categories: assessment?.categories ?? [], decided_by: assessment?.decided_by }, 'crisis detected')
    return message
  }

  /** A crisis goes first: it must not wait behind the analysis of its own message. */
  function eventsOf(session: TrackedSession, message: StoredMessage, latency: number): SessionEvent[] {
    const { role, assessment } = message
    if (role === 'system' || !assessment) return []
    const flagged = assessment.tier !== 'ok' || assessment.matches.length > 0 || assessment.markers.length > 0
    const analyzed: AnalyzedMessage = {
      message_id: message.message_id,
      sequence: message.sequence,
      role,
      assessment,
      occurred_at: message.said_at,
      decided_at: message.said_at + latency,
      content: storeContent ? message.content : null,
      evidence: role === 'student' && flagged ? message.content : null,
      latency_ms: latency,
      clinicalIsModel: decider.ports?.clinical !== undefined,
    }
    const crisis = assessment.level === 'CRISIS' ? [crisisDetected(session, randomness.uuid(), analyzed)] : []
    return [...crisis, messageAnalyzed(session, randomness.uuid(), analyzed)]
  }

  function publish(sessionId: string, events: readonly SessionEvent[]): void {
    for (const event of events) {
      enqueue(db, {
        id: event.idempotency_key,
        target: 'events',
        group: sessionId,
        event_type: event.event_type,
        body: JSON.stringify(event),
        at: clock.now(),
      })
    }
  }

  /** Throws Refusal `not stored`, with the protocol reply when a crisis could not be kept. */
  function inOneTransaction(work: () => void, reply: string | null = null): void {
    try {
      db.transaction(work).immediate()
    } catch (error) {
      if (error instanceof Refusal) throw error
      logger.error({ code: codeOf(error), crisis: reply !== null }, 'not stored')
      throw new Refusal('not stored', reply, { cause: error })
    }
    options.committed?.()
  }

  function earlierOf(arrival: Arrival): { message: StoredMessage; same: boolean } | null {
    const message = messages.byClientId(arrival.session_id, arrival.client_message_id)
    return message && { message, same: message.content_digest === digestOf(arrival.content) }
  }

  function answerAgain(message: StoredMessage): ReceiveResult {
    // A message kept while the sender sent too many is simply accepted when it is sent again.
    if (message.refused === null || message.refused === 'too many') return answer(message)
    throw new Refusal(message.refused, replyTo(message.tier))
  }

  function summarise(session: TrackedSession, endedAt: number): SessionSummary {
    return engine.summarize(summaryInput(session, endedAt, messages.all(session.session_id)))
  }

  function sentimentOf(text: string, at: number): number {
    try {
      return engine.assess({ text, at, recent: [], history: [], previous: [] }).sentiment
    } catch {
      return 0
    }
  }

  function known(sessionId: string): TrackedSession {
    const session = sessions.find(sessionId)
    if (!session) throw new Refusal('unknown session')
    return session
  }

  const context = (session: TrackedSession, at: number) => contextOf(session, at, messages, evidenceKey, bufferSize)
  const answer = (message: StoredMessage) => answerTo(message, messages, evidenceKey, bufferSize, replyTo(message.tier))
  const replyTo = (tier: StoredMessage['tier']): string | null => (tier === 'crisis' ? engine.protocolReply : null)
  // Keyed, because short messages could be guessed from a plain digest.
  const digestOf = (content: string) => createHmac('sha256', options.salt).update(content, 'utf8').digest('hex')

  return { start, receive, examine, end, summarise, sessions, messages }
}

function refusalOf(session: TrackedSession, arrival: Arrival, reused: boolean): RefusedAs | null {
  if (session.status === 'ended') return 'ended'
  if (arrival.content.length > windowLength || arrival.incomplete) return 'too large'
  return reused ? 'reused' : null
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? (error instanceof Error ? error.name : 'unknown')
}
