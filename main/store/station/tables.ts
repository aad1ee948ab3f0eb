/** The rows of the station's database, the same on the file and on PostgreSQL. Times are UTC milliseconds. */
import type { Generated, Kysely } from 'kysely'
import type { EnrolmentState } from '../../../shared/enrolment.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import type { MessageRole, RefusedAs } from './messages.ts'
import type { SessionStatus } from './sessions.ts'

export interface StationTables {
  settings: { name: string; value: string }
  schools: {
    school_id: string
    /** Both wrapped: they open with the key store alone. */
    salt: string
    content_key: string
  }
  api_keys: {
    id: string
    school_id: string
    label: string
    digest: string
    /** Separated by `+`. */
    scopes: string
    created_at: number
    revoked_at: Generated<number | null>
  }
  sessions: {
    school_id: string
    session_id: string
    student_hash: string
    status: SessionStatus
    started_at: number
    ended_at: Generated<number | null>
    last_message_at: Generated<number | null>
    metadata: string
    last_sequence: Generated<number>
    message_count: Generated<number>
    student_turns: Generated<number>
    assistant_turns: Generated<number>
    sentiment_sum: Generated<number>
    highest_tier: Generated<RiskTier>
    notes: Generated<string>
    resources: Generated<string>
    summary: Generated<string | null>
    /** 1 = the session of a drill. */
    drill: Generated<number>
  }
  session_counts: { school_id: string; status: SessionStatus; count: number }
  messages: {
    school_id: string
    session_id: string
    message_id: string
    sequence: number
    state: 'accepted' | 'analyzed'
    role: MessageRole
    client_message_id: string | null
    content_digest: string
    said_at: number
    /** 1 = it was told later than it was said. */
    told: number
    content: string | null
    content_key: string | null
    refused: RefusedAs | null
    tier: RiskTier
    score: number
    sentiment: number
    assessment: string | null
    claimed_by: string | null
    claimed_until: number
  }
  markers: {
    school_id: string
    session_id: string
    message_id: string
    marker_type: string
    student_hash: string
    confidence: number
    said_at: number
  }
  outbox: {
    position: Generated<number>
    id: string
    school_id: string
    group_id: string
    event_type: string
    body: string
    created_at: number
    attempts: Generated<number>
    next_attempt_at: number
    sent_at: Generated<number | null>
    last_error: Generated<string | null>
    claimed_by: Generated<string | null>
    claimed_until: Generated<number>
  }
  records: {
    school_id: string
    ack_id: string
    /** Session whose order the record stands in; null where it names none, and then no position. */
    session_id: string | null
    position: number | null
    relayed_at: number
  }
  record_positions: { school_id: string; session_id: string; last: number }
  consoles: {
    school_id: string
    console_id: string
    fingerprint: string
    signing_key: string
    sealing_key: string
    state: EnrolmentState
    announced_at: number
    decided_at: number | null
    decided_by: string | null
    sealed_key_id: string | null
  }
  salt_reads: { position: Generated<number>; school_id: string; read_at: number; read_by: string | null }
  heartbeats: { school_id: string; number: number; last_at: number }
  drills: {
    school_id: string
    number: number
    station_id: string
    session_id: string
    began_at: number
    outcome: Generated<string | null>
    would_tell: Generated<number | null>
  }
  drills_seen: {
    school_id: string
    number: number
    console_id: string
    cached_at: number
    painted_at: number | null
    seen_by: string | null
    received_at: number
  }
  drill_alarms: { school_id: string; since: number; told_at: number }
  policies: {
    school_id: string
    version: number
    event_id: string
    /** The envelope around the policy, as JSON. */
    document: string
    changed_at: number
    changed_by: string
  }
  assignments: {
    school_id: string
    student_hash: string
    person_id: string | null
    assigned_at: number
    assigned_by: string
  }
}

/**
 * One unit of work: everything done with it is kept together or not at all. Nothing but questions to the
 * database may be awaited inside.
 */
export type Unit = Kysely<StationTables>
