/** The rows of the station's database, the same on the file and on PostgreSQL. Times are UTC milliseconds. */
import type { Generated, Kysely } from 'kysely'
import type { AlertState } from '../../../shared/alerts.ts'
import type { EnrolmentState } from '../../../shared/enrolment.ts'
import type { Channel } from '../../../shared/on-call.ts'
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
    fired_at: Generated<number | null>
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
  consoles_closed: { school_id: string; console_id: string; number: number; closed_at: number }
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
  alert_sessions: { school_id: string; session_id: string; steps: number; last_step: string }
  alert_steps: {
    school_id: string
    session_id: string
    step_id: string
    kind: 'trigger' | 'action'
    /** 1 = of a told past. */
    told: number
    body: string
  }
  alerts: {
    school_id: string
    alert_key: string
    session_id: string
    student_hash: string
    tier: 'high' | 'crisis'
    state: AlertState
    opened_at: number
    owner: string | null
    due_at: number | null
    number: number
    document: string
    run: string | null
    last_run: string | null
    run_began_at: number | null
    rung: number
    firing: number
    next_at: number | null
    fired_at: number | null
    fired_rung: number | null
  }
  clock_changes: { id: number; noticed_at: number; set_back_by: number }
  alert_numbers: { school_id: string; last: number }
  timers: {
    school_id: string
    alert_key: string
    kind: 'rung' | 'due' | 'drill'
    session_id: string
    run: string
    rung: number
    firing: number
    reason: string | null
    due_at: number
    created_at: number
  }
  tellings: {
    school_id: string
    telling_id: string
    kind: 'alert' | 'hand off' | 'alarm failing'
    person: string
    channel: Exclude<Channel, 'desktop'>
    state: 'waiting' | 'delivered' | 'failed' | 'dropped'
    late_ms: number
    due_at: number
    created_at: number
    claimed_by: string | null
    claimed_until: number
    settled_at: number | null
    code: string | null
    reference: string | null
  }
  tell_windows: {
    school_id: string
    person: string
    channel: string
    told_at: number
    crisis_at: number
    telling_id: string | null
  }
  deliveries: {
    school_id: string
    delivery_id: string
    alert_key: string
    session_id: string
    run: string
    firing: number
    rung: number
    person: string
    channel: Channel
    telling_id: string | null
    state: 'attempted' | 'delivered' | 'failed'
    attempted_at: number
    answer_by: number | null
    settled_at: number | null
    code: string | null
  }
  texts_received: { school_id: string; digest: string; received_at: number }
  test_alerts: {
    school_id: string
    test_id: string
    channel: string
    person: string
    sent_at: number
    settled_at: number | null
    outcome: 'delivered' | 'failed' | null
    code: string | null
  }
}

/**
 * One unit of work: everything done with it is kept together or not at all. Nothing but questions to the
 * database may be awaited inside.
 */
export type Unit = Kysely<StationTables>
