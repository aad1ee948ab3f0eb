import type { Envelope, LoggedEvent, SessionSummary } from '../../../../shared/events.ts'
import type { Marker } from '../../../../shared/estimates.ts'
import type { PatternCategory } from '../../../../shared/risk.ts'
import type { SessionRow, SessionView, TranscriptMessage } from '../../../../shared/views.ts'
import type { EvidenceKey } from '../../../platform/envelope.ts'
import type { Database } from '../../open.ts'
import { joinRoster, labelColumns, labelOf, likePattern, tierAt, type LabelRow } from './labels.ts'

interface StoredSession extends LabelRow {
  id: string
  started_at: number
  ended_at: number | null
  last_message_at: number | null
  escalated: number
  message_count: number
  student_turns: number
  sentiment_sum: number
  tier_rank: number
  metadata: string
  summary: string | null
}

const ofSchool = `sessions.school_id IN (@school, '')`

export function sessionPage(
  db: Database,
  query: { school: string; student_hash?: string; search?: string | undefined; offset: number; limit: number },
): { total: number; offset: number; rows: SessionRow[] } {
  const search = query.search?.trim()
  const where = [ofSchool]
  if (query.student_hash !== undefined) where.push('sessions.student_hash = @student_hash')
  if (search) where.push(`(roster.name LIKE @like ESCAPE '\\' OR sessions.student_hash LIKE @like ESCAPE '\\')`)
  const parameters = {
    school: query.school,
    ...(query.student_hash !== undefined && { student_hash: query.student_hash }),
    ...(search && { like: likePattern(search) }),
  }
  const from = `FROM sessions ${search ? joinRoster('sessions') : ''} WHERE ${where.join(' AND ')}`
  const rows = db
    .prepare(
      `SELECT sessions.*, ${labelColumns} FROM
         (SELECT sessions.id AS page_id ${from} ORDER BY sessions.last_message_at DESC, sessions.id LIMIT @limit OFFSET @offset)
       JOIN sessions ON sessions.id = page_id ${joinRoster('sessions')} ORDER BY sessions.last_message_at DESC, sessions.id`,
    )
    .all({ ...parameters, limit: query.limit, offset: query.offset }) as StoredSession[]
  return {
    total: db.prepare(`SELECT count(*) ${from}`).pluck().get(parameters) as number,
    offset: query.offset,
    rows: rows.map(toSessionRow),
  }
}

export function sessionById(db: Database, school: string, id: string): SessionView | null {
  const row = db
    .prepare(
      `SELECT sessions.*, ${labelColumns} FROM sessions ${joinRoster('sessions')} WHERE sessions.id = @id AND ${ofSchool}`,
    )
    .get({ school, id }) as StoredSession | undefined
  if (!row) return null
  const markers = db
    .prepare(
      `SELECT id, message_id, sequence, at, marker_type, confidence, start_offset AS start, end_offset AS "end" FROM markers
       WHERE session_id = ? ORDER BY sequence, start_offset`,
    )
    .all(id) as (Marker & { id: string; message_id: string; sequence: number; at: number })[]
  const first = db
    .prepare(
      'SELECT events.body FROM messages JOIN events ON events.seq = event_seq WHERE messages.session_id = ? ORDER BY sequence LIMIT 1',
    )
    .pluck()
    .get(id) as string | null | undefined
  return {
    ...toSessionRow(row),
    summary: row.summary ? (JSON.parse(row.summary) as SessionSummary) : null,
    markers,
    metadata: JSON.parse(row.metadata) as SessionView['metadata'],
    transcript_available: first ? 'content' in (JSON.parse(first) as LoggedEvent) : false,
  }
}

/** What the detail of an alert says about its session. */
export function sessionState(
  db: Database,
  id: string,
): { status: SessionRow['status']; last_message_at: number | null } | null {
  const row = db.prepare('SELECT escalated, ended_at, last_message_at FROM sessions WHERE id = ?').get(id) as
    Pick<StoredSession, 'escalated' | 'ended_at' | 'last_message_at'> | undefined
  return row ? { status: statusOf(row), last_message_at: row.last_message_at } : null
}

/** One page of a transcript, with its text opened. The caller has written the audit entry. */
export function transcriptPage(
  db: Database,
  evidenceKey: EvidenceKey,
  { id, offset, limit }: { id: string; offset: number; limit: number },
): { total: number; offset: number; rows: TranscriptMessage[] } {
  const bodies = db
    .prepare(
      'SELECT events.body FROM messages JOIN events ON events.seq = event_seq WHERE messages.session_id = ? ORDER BY sequence, message_id LIMIT ? OFFSET ?',
    )
    .pluck()
    .all(id, limit, offset) as (string | null)[]
  return {
    total: db.prepare('SELECT count(*) FROM messages WHERE session_id = ?').pluck().get(id) as number,
    offset,
    rows: bodies.flatMap((body): TranscriptMessage[] => {
      const event = body === null ? null : (JSON.parse(body) as LoggedEvent)
      if (event?.event_type !== 'MESSAGE_ANALYZED') return []
      return [
        {
          message_id: event.message_id,
          sequence: event.sequence,
          role: event.role,
          at: event.occurred_at ?? event.timestamp,
          text: event.content ? openOrNull(evidenceKey, event.content) : null,
          score: event.score,
          level: event.level,
          tier: event.tier,
          about_other: event.about_other,
          decided_by: event.decided_by ?? null,
          sentiment: event.sentiment,
          signals: event.signals,
          degraded: event.degraded,
          categories: event.matched_patterns as PatternCategory[],
          flagged: event.flagged,
          markers: event.markers,
        },
      ]
    }),
  }
}

function openOrNull(evidenceKey: EvidenceKey, envelope: Envelope): string | null {
  try {
    return evidenceKey.open(envelope)
  } catch {
    return null
  }
}

function statusOf(row: Pick<StoredSession, 'escalated' | 'ended_at'>): SessionRow['status'] {
  return row.ended_at !== null ? 'ended' : row.escalated === 1 ? 'escalated' : 'active'
}

function toSessionRow(row: StoredSession): SessionRow {
  return {
    id: row.id,
    student: labelOf(row),
    status: statusOf(row),
    started_at: row.started_at,
    ended_at: row.ended_at,
    last_message_at: row.last_message_at,
    message_count: row.message_count,
    highest_tier: tierAt(row.tier_rank),
    sentiment_average: row.student_turns > 0 ? row.sentiment_sum / row.student_turns : null,
  }
}
