/** Rows of the sessions that run through this intake, and their metrics. */
import type { Database } from '../../store/index.ts'
import { tierRank, worseTier, type RiskTier } from '../../../shared/risk.ts'
import type { SessionSummary } from '../../../shared/events.ts'

export type SessionStatus = 'active' | 'ended' | 'escalated'
export type Role = 'student' | 'assistant' | 'system'
export interface SessionMetadata {
  locale?: string | undefined
  channel?: string | undefined
  device?: string | undefined
}
export type Resource = SessionSummary['suggested_resources'][number]

/** One session. Times are UTC milliseconds; `sentiment_average` is over student turns, null without any. */
export interface TrackedSession {
  session_id: string
  student_hash: string
  school_id: string | null
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

export interface SessionFilter {
  school_id: string | null
  status?: SessionStatus | undefined
  student_hash?: string | undefined
  limit: number
  offset: number
}

interface SessionRecord extends Omit<
  TrackedSession,
  'metadata' | 'notes' | 'suggested_resources' | 'sentiment_average'
> {
  metadata: string
  notes: string
  resources: string
  sentiment_sum: number
  summary: string | null
}

export type SessionTable = ReturnType<typeof sessionTable>

/** What happens to a session next: a crisis escalates a running one; an ended one stays ended. */
export function statusAfter(status: SessionStatus, tier: RiskTier): SessionStatus {
  return status === 'active' && tierRank(tier) >= tierRank('crisis') ? 'escalated' : status
}

/** The table of sessions; every call runs inside the caller's transaction, if there is one. */
export function sessionTable(db: Database) {
  const insert = db.prepare(
    `INSERT INTO intake_sessions (session_id, student_hash, school_id, status, started_at, metadata)
     VALUES (:session_id, :student_hash, :school_id, 'active', :started_at, :metadata)`,
  )
  const select = db.prepare<[string], SessionRecord>('SELECT * FROM intake_sessions WHERE session_id = ?')
  const count = db.prepare(
    `UPDATE intake_sessions SET status = :status, message_count = message_count + 1,
       student_turns = student_turns + :student, assistant_turns = assistant_turns + :assistant,
       sentiment_sum = sentiment_sum + :sentiment, highest_tier = :highest_tier, notes = :notes,
       resources = :resources, last_message_at = MAX(COALESCE(last_message_at, 0), :at)
     WHERE session_id = :session_id`,
  )
  const end = db.prepare(
    `UPDATE intake_sessions SET status = 'ended', ended_at = :ended_at, summary = :summary WHERE session_id = :session_id`,
  )
  const where = `school_id IS :school_id AND (:status IS NULL OR status = :status)
    AND (:student_hash IS NULL OR student_hash = :student_hash)`
  const page = db.prepare<[object], SessionRecord>(
    `SELECT * FROM intake_sessions WHERE ${where} ORDER BY started_at DESC, session_id LIMIT :limit OFFSET :offset`,
  )
  const total = db.prepare<[object], { total: number }>(`SELECT COUNT(*) AS total FROM intake_sessions WHERE ${where}`)

  return {
    open(session: Pick<TrackedSession, 'session_id' | 'student_hash' | 'school_id' | 'started_at' | 'metadata'>): void {
      insert.run({ ...session, metadata: JSON.stringify(session.metadata) })
    },
    find(sessionId: string): TrackedSession | null {
      const record = select.get(sessionId)
      return record ? fromRecord(record) : null
    },
    /** Counts one message into the session's metrics. */
    count(
      session: TrackedSession,
      message: { role: Role; tier: RiskTier; sentiment: number; at: number },
      hints: { notes: string[]; suggested_resources: Resource[] },
    ): void {
      const student = message.role === 'student'
      count.run({
        session_id: session.session_id,
        status: statusAfter(session.status, message.tier),
        student: Number(student),
        assistant: Number(message.role === 'assistant'),
        sentiment: student ? message.sentiment : 0,
        highest_tier: worseTier(session.highest_tier, message.tier),
        notes: JSON.stringify(hints.notes),
        resources: JSON.stringify(hints.suggested_resources),
        at: message.at,
      })
    },
    end(sessionId: string, endedAt: number, summary: SessionSummary): void {
      end.run({ session_id: sessionId, ended_at: endedAt, summary: JSON.stringify(summary) })
    },
    /** The summary kept when the session ended; null before. */
    summaryOf(sessionId: string): SessionSummary | null {
      const summary = select.get(sessionId)?.summary
      return summary ? (JSON.parse(summary) as SessionSummary) : null
    },
    page(filter: SessionFilter): { total: number; sessions: TrackedSession[] } {
      const { limit, offset, school_id, status = null, student_hash = null } = filter
      const named = { school_id, status, student_hash }
      return {
        total: total.get(named)?.total ?? 0,
        sessions: page.all({ ...named, limit, offset }).map(fromRecord),
      }
    },
  }
}

function fromRecord(record: SessionRecord): TrackedSession {
  const { metadata, notes, resources, sentiment_sum, summary: _summary, ...rest } = record
  return {
    ...rest,
    metadata: JSON.parse(metadata) as SessionMetadata,
    notes: JSON.parse(notes) as string[],
    suggested_resources: JSON.parse(resources) as Resource[],
    sentiment_average: rest.student_turns === 0 ? null : sentiment_sum / rest.student_turns,
  }
}
