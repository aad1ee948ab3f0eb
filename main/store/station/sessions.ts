/** Rows of the sessions that run through this station, and their metrics. */
import type { SessionSummary } from '../../../shared/events.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

export type SessionStatus = 'active' | 'ended' | 'escalated'
export interface SessionMetadata {
  locale?: string | undefined
  channel?: string | undefined
  device?: string | undefined
}
export type Resource = SessionSummary['suggested_resources'][number]

/** Which session: ids are a school's own. */
export interface SessionKey {
  school_id: string
  session_id: string
}

/** One session. Times are UTC milliseconds; `sentiment_average` is over student turns, null without any. */
export interface StoredSession extends SessionKey {
  student_hash: string
  status: SessionStatus
  started_at: number
  ended_at: number | null
  last_message_at: number | null
  metadata: SessionMetadata
  message_count: number
  student_turns: number
  assistant_turns: number
  sentiment_average: number | null
  highest_tier: RiskTier
  notes: string[]
  suggested_resources: Resource[]
}

interface SessionRow extends Omit<StoredSession, 'metadata' | 'notes' | 'suggested_resources' | 'sentiment_average'> {
  metadata: string
  notes: string
  resources: string
  sentiment_sum: number
}

const columns = `school_id, session_id, student_hash, status, started_at, ended_at, last_message_at, metadata,
  message_count, student_turns, assistant_turns, sentiment_sum, highest_tier, notes, resources`

export function insertSession(
  db: Database,
  session: Pick<StoredSession, 'school_id' | 'session_id' | 'student_hash' | 'started_at' | 'metadata'>,
): void {
  prepared(
    db,
    `INSERT INTO sessions (school_id, session_id, student_hash, status, started_at, metadata)
     VALUES (:school_id, :session_id, :student_hash, 'active', :started_at, :metadata)`,
  ).run({ ...session, metadata: JSON.stringify(session.metadata) })
}

export function findSession(db: Database, key: SessionKey): StoredSession | null {
  const row = prepared(
    db,
    `SELECT ${columns} FROM sessions WHERE school_id = :school_id AND session_id = :session_id`,
  ).get(keyOf(key)) as SessionRow | undefined
  return row ? fromRow(row) : null
}

/** What one more message changes of its session. */
export interface MessageCounted {
  status: SessionStatus
  student_turns: number
  assistant_turns: number
  /** Of a student's message, else 0. */
  sentiment: number
  highest_tier: RiskTier
  notes: readonly string[]
  suggested_resources: readonly Resource[]
  said_at: number
}

/** Counts one message into the metrics of its session. */
export function countMessage(
  db: Database,
  key: SessionKey,
  { notes, suggested_resources, ...counted }: MessageCounted,
): void {
  prepared(
    db,
    `UPDATE sessions SET status = :status, message_count = message_count + 1,
       student_turns = student_turns + :student_turns, assistant_turns = assistant_turns + :assistant_turns,
       sentiment_sum = sentiment_sum + :sentiment, highest_tier = :highest_tier, notes = :notes,
       resources = :resources, last_message_at = MAX(COALESCE(last_message_at, 0), :said_at)
     WHERE school_id = :school_id AND session_id = :session_id`,
  ).run({
    ...counted,
    ...keyOf(key),
    notes: JSON.stringify(notes),
    resources: JSON.stringify(suggested_resources),
  })
}

export function markEnded(db: Database, key: SessionKey, endedAt: number, summary: SessionSummary): void {
  prepared(
    db,
    `UPDATE sessions SET status = 'ended', ended_at = :ended_at, summary = :summary
     WHERE school_id = :school_id AND session_id = :session_id`,
  ).run({ ...keyOf(key), ended_at: endedAt, summary: JSON.stringify(summary) })
}

/** The summary kept when the session ended; null before. */
export function findSummary(db: Database, key: SessionKey): SessionSummary | null {
  const summary = prepared(db, 'SELECT summary FROM sessions WHERE school_id = :school_id AND session_id = :session_id')
    .pluck()
    .get(keyOf(key)) as string | null | undefined
  return summary ? (JSON.parse(summary) as SessionSummary) : null
}

export interface SessionFilter {
  school_id: string
  status?: SessionStatus | undefined
  student_hash?: string | undefined
}

export function countSessions(db: Database, filter: SessionFilter): number {
  return prepared(db, `SELECT COUNT(*) FROM sessions WHERE ${conditions(filter)}`)
    .pluck()
    .get(filter) as number
}

/** A page of a school's sessions, newest first. */
export function listSessions(
  db: Database,
  filter: SessionFilter,
  { limit, offset }: { limit: number; offset: number },
): StoredSession[] {
  const rows = prepared(
    db,
    `SELECT ${columns} FROM sessions WHERE ${conditions(filter)}
     ORDER BY started_at DESC, session_id LIMIT :limit OFFSET :offset`,
  ).all({ ...filter, limit, offset }) as SessionRow[]
  return rows.map(fromRow)
}

/** Only what is asked for stands in the statement: “anything or this” would pass by every index. */
function conditions({ status, student_hash }: SessionFilter): string {
  return [
    'school_id = :school_id',
    ...(status === undefined ? [] : ['status = :status']),
    ...(student_hash === undefined ? [] : ['student_hash = :student_hash']),
  ].join(' AND ')
}

/** Whether a school has any session here. */
export function hasSessions(db: Database, schoolId: string): boolean {
  return prepared(db, 'SELECT 1 FROM sessions WHERE school_id = ? LIMIT 1').get(schoolId) !== undefined
}

const keyOf = ({ school_id, session_id }: SessionKey): SessionKey => ({ school_id, session_id })

function fromRow({ metadata, notes, resources, sentiment_sum, ...rest }: SessionRow): StoredSession {
  return {
    ...rest,
    metadata: JSON.parse(metadata) as SessionMetadata,
    notes: JSON.parse(notes) as string[],
    suggested_resources: JSON.parse(resources) as Resource[],
    sentiment_average: rest.student_turns === 0 ? null : sentiment_sum / rest.student_turns,
  }
}
