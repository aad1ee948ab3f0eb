/** The events of a session as they stand on the wire (shared/events.ts). */
import type { Assessment } from '../../../shared/assessment.ts'
import type { Envelope, FlaggedSpan, SessionSummary, WireEvent } from '../../../shared/events.ts'
import type { SessionMetadata, StoredSession } from '../../store/station/index.ts'

type EventOf<Type extends WireEvent['event_type']> = Extract<WireEvent, { event_type: Type }>
/** What this side sends. Every event carries an idempotency key of its own. */
export type SessionEvent = EventOf<'SESSION_STARTED' | 'MESSAGE_ANALYZED' | 'CRISIS_DETECTED' | 'SESSION_ENDED'>
type Subject = Pick<StoredSession, 'session_id' | 'student_hash' | 'school_id'>

/** When something was said and when it was decided, UTC milliseconds. */
interface Times {
  occurred_at: number
  decided_at: number
  /** It is told later than it happened, by somebody who may. */
  backfill: boolean
}

/** When something of a session happened (UTC ms), and whether it is told later. */
interface Told {
  at: number
  backfill: boolean
}

export interface AnalyzedMessage extends Times {
  message_id: string
  sequence: number
  role: 'student' | 'assistant'
  assessment: Assessment
  /** The sealed words, where transcripts travel. */
  content: Envelope | null
  /** The sealed words of a flagged student message: spans are offsets into them. */
  evidence: Envelope | null
  latency_ms: number
  /** A model wrote the clinical signal's reason: it may quote the student and does not travel. */
  clinicalIsModel: boolean
}

export function sessionStarted(
  session: Subject & { metadata: SessionMetadata },
  eventId: string,
  { at, backfill }: Told,
): EventOf<'SESSION_STARTED'> {
  return {
    event_type: 'SESSION_STARTED',
    ...common(session, eventId, `${session.session_id}:SESSION_STARTED`, { occurred_at: at, decided_at: at, backfill }),
    metadata: session.metadata,
  }
}

export function sessionEnded(
  session: Subject,
  eventId: string,
  { at, backfill }: Told,
  summary: SessionSummary,
): EventOf<'SESSION_ENDED'> {
  return {
    event_type: 'SESSION_ENDED',
    ...common(session, eventId, `${session.session_id}:SESSION_ENDED`, { occurred_at: at, decided_at: at, backfill }),
    summary,
  }
}

export function messageAnalyzed(
  session: Subject,
  eventId: string,
  message: AnalyzedMessage,
): EventOf<'MESSAGE_ANALYZED'> {
  const { assessment } = message
  return {
    event_type: 'MESSAGE_ANALYZED',
    ...common(session, eventId, `${message.message_id}:MESSAGE_ANALYZED`, message),
    message_id: message.message_id,
    sequence: message.sequence,
    role: message.role,
    score: assessment.score,
    level: assessment.level,
    tier: assessment.tier,
    about_other: assessment.about_other,
    decided_by: assessment.decided_by,
    ...(assessment.decided_on && { decided_on: assessment.decided_on }),
    ...(assessment.operating_point && { operating_point: assessment.operating_point }),
    matched_patterns: assessment.categories,
    signals: assessment.signals,
    degraded: assessment.degraded,
    sentiment: assessment.sentiment,
    markers: assessment.markers.slice(0, 100),
    flagged: flaggedSpans(assessment),
    latency_ms: message.latency_ms,
    ...sealed(message),
  }
}

export function crisisDetected(
  session: Subject,
  eventId: string,
  message: AnalyzedMessage,
): EventOf<'CRISIS_DETECTED'> {
  const { assessment } = message
  return {
    event_type: 'CRISIS_DETECTED',
    ...common(session, eventId, `${message.message_id}:CRISIS_DETECTED`, message),
    message_id: message.message_id,
    consensus_score: assessment.score,
    risk_level: assessment.level,
    tier: assessment.tier,
    decided_by: assessment.decided_by,
    ...(assessment.decided_on && { decided_on: assessment.decided_on }),
    ...(assessment.operating_point && { operating_point: assessment.operating_point }),
    matched_patterns: assessment.categories,
    reasoning: reasoningOf(message),
    signals: assessment.signals,
    degraded: assessment.degraded,
    ...sealed({ content: null, evidence: message.evidence }),
  }
}

/** The engine's own sentences about its signals, which never quote the student. */
function reasoningOf({ assessment, clinicalIsModel }: AnalyzedMessage): string {
  return assessment.reasons
    .filter(({ signal }) => signal !== 'adapter' && !(signal === 'clinical' && clinicalIsModel))
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 20_000)
}

/** Matches that count, as offsets into the original text. */
function flaggedSpans(assessment: Assessment): FlaggedSpan[] {
  return assessment.matches
    .slice(0, 500)
    .map(({ start, end, category, meaning }) => ({ start, end, category, meaning }))
}

function sealed(message: Pick<AnalyzedMessage, 'content' | 'evidence'>): { content?: Envelope; evidence?: Envelope } {
  return {
    ...(message.content ? { content: message.content } : {}),
    ...(message.evidence ? { evidence: message.evidence } : {}),
  }
}

function common(session: Subject, eventId: string, key: string, { occurred_at, decided_at, backfill }: Times) {
  return {
    schema_version: 1,
    event_id: eventId,
    idempotency_key: key,
    timestamp: iso(decided_at),
    occurred_at: iso(occurred_at),
    session_id: session.session_id,
    student_hash: session.student_hash,
    school_id: session.school_id,
    ...(backfill && { backfill: true as const }),
  }
}

const iso = (at: number): string => new Date(at).toISOString()
