import type { Envelope, LoggedEvent, SessionSummary } from '../../../../shared/events.ts'
import type { Marker } from '../../../../shared/estimates.ts'
import type { PatternCategory } from '../../../../shared/risk.ts'
import type { SessionRow, SessionView, TranscriptMessage, Unopened } from '../../../../shared/views.ts'
import type { EvidenceKey } from '../../../platform/envelope.ts'
import type { Database } from '../../open.ts'
import { joinRoster, labelColumns, labelOf, likePattern, ofSchool, tierAt, type LabelRow } from './labels.ts'

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

/** Sessions, newest first: of everybody in the reader's school, or of one student whom the reader may see. */
export function sessionPage(
  db: Database,
  query: {
    school: string
    of?: { school_id: string; student_hash: string }
    search?: string | undefined
    offset: number
    limit: number
  },
): { total: number; offset: number; rows: SessionRow[] } {
  const search = query.search?.trim()
  const where = query.of
    ? ['sessions.school_id = @of_school AND sessions.student_hash = @student_hash']
    : [ofSchool('sessions', query.school)]
  if (search) where.push(`(roster.name LIKE @like ESCAPE '\\' OR sessions.student_hash LIKE @like ESCAPE '\\')`)
  const parameters = {
    school: query.school,
    ...(query.of && { of_school: query.of.school_id, student_hash: query.of.student_hash }),
    ...(search && { like: likePattern(search) }),
  }
  // By name, and the page before its rows: left to itself, SQLite reads every session of the school.
  const index = query.of ? 'sessions_by_student' : 'sessions_by_time'
  const from = `FROM sessions INDEXED BY ${index} ${search ? joinRoster('sessions') : ''} WHERE ${where.join(' AND ')}`
  const rows = db
    .prepare(
      `SELECT sessions.*, ${labelColumns} FROM
         (SELECT sessions.school_id AS page_school, sessions.id AS page_id ${from}
          ORDER BY sessions.last_message_at DESC, sessions.id, sessions.school_id LIMIT @limit OFFSET @offset)
       CROSS JOIN sessions ON sessions.school_id = page_school AND sessions.id = page_id ${joinRoster('sessions')}
       ORDER BY sessions.last_message_at DESC, sessions.id, sessions.school_id`,
    )
    .all({ ...parameters, limit: query.limit, offset: query.offset }) as StoredSession[]
  return {
    total: db.prepare(`SELECT count(*) ${from}`).pluck().get(parameters) as number,
    offset: query.offset,
    rows: rows.map(toSessionRow),
  }
}

/**
 * The session of this id in the reader's school; null when there is none. A console without a school, which
 * cannot tell two schools' sessions of one id apart, is shown neither.
 */
export function sessionById(db: Database, school: string, id: string): SessionView | null {
  const found = db
    .prepare(
      `SELECT sessions.*, ${labelColumns} FROM sessions ${joinRoster('sessions')}
       WHERE sessions.id = @id AND ${ofSchool('sessions', school)} ORDER BY sessions.school_id DESC LIMIT 2`,
    )
    .all({ school, id }) as StoredSession[]
  const row = found[0]
  if (!row || (school === '' && found.length > 1)) return null
  const of = { school_id: row.school_id, session_id: id }
  const markers = db
    .prepare(
      `SELECT id, message_id, sequence, at, marker_type, confidence, start_offset AS start, end_offset AS "end" FROM markers
       WHERE school_id = @school_id AND session_id = @session_id ORDER BY sequence, start_offset`,
    )
    .all(of) as (Marker & { id: string; message_id: string; sequence: number; at: number })[]
  const first = db
    .prepare(
      `SELECT events.body FROM messages JOIN events ON events.seq = event_seq
       WHERE messages.school_id = @school_id AND messages.session_id = @session_id ORDER BY sequence LIMIT 1`,
    )
    .pluck()
    .get(of) as string | null | undefined
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
  of: { school_id: string; session_id: string },
): { status: SessionRow['status']; last_message_at: number | null } | null {
  const row = db
    .prepare(
      'SELECT escalated, ended_at, last_message_at FROM sessions WHERE school_id = @school_id AND id = @session_id',
    )
    .get(of) as Pick<StoredSession, 'escalated' | 'ended_at' | 'last_message_at'> | undefined
  return row ? { status: statusOf(row), last_message_at: row.last_message_at } : null
}

/** One page of a transcript, with its text opened. `unopened`: why what does not open does not. The caller has written the audit entry. */
export function transcriptPage(
  db: Database,
  evidenceKey: EvidenceKey,
  {
    offset,
    limit,
    unopened,
    ...of
  }: { school_id: string; session_id: string; offset: number; limit: number; unopened: Unopened },
): { total: number; offset: number; rows: TranscriptMessage[] } {
  const bodies = db
    .prepare(
      `SELECT events.body FROM messages JOIN events ON events.seq = event_seq
       WHERE messages.school_id = @school_id AND messages.session_id = @session_id
       ORDER BY sequence, message_id LIMIT @limit OFFSET @offset`,
    )
    .pluck()
    .all({ ...of, limit, offset }) as (string | null)[]
  return {
    total: db
      .prepare('SELECT count(*) FROM messages WHERE school_id = @school_id AND session_id = @session_id')
      .pluck()
      .get(of) as number,
    offset,
    rows: bodies.flatMap((body): TranscriptMessage[] => {
      const event = body === null ? null : (JSON.parse(body) as LoggedEvent)
      if (event?.event_type !== 'MESSAGE_ANALYZED') return []
      const text = event.content ? openOrNull(evidenceKey, event.content) : null
      return [
        {
          message_id: event.message_id,
          sequence: event.sequence,
          role: event.role,
          at: event.occurred_at ?? event.timestamp,
          text,
          unopened: text === null && event.content ? unopened : null,
          score: event.score,
          level: event.level,
          tier: event.tier,
          about_other: event.about_other,
          decided_by: event.decided_by ?? null,
          decided_on: event.decided_on ?? null,
          operating_point: event.operating_point ?? null,
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
