import { createHash } from 'node:crypto'
import type { ConsoleEvent, MessageAnalyzed } from '../../../../shared/events.ts'
import { tierRank } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'
import type { Projection } from './projection.ts'

/** Sessions, their messages and markers. Every column is a minimum, maximum or sum, so order of arrival does not matter. */
export function conversationProjection(db: Database): Projection {
  const ofSession = 'WHERE school_id = @school AND id = @session'
  const session = db.prepare(
    `INSERT INTO sessions (school_id, id, student_hash, started_at) VALUES (@school, @session, @student_hash, @at)
     ON CONFLICT (school_id, id) DO UPDATE SET started_at = excluded.started_at WHERE excluded.started_at < started_at`,
  )
  const metadata = db.prepare(`UPDATE sessions SET metadata = @metadata ${ofSession}`)
  const end = db.prepare(
    `UPDATE sessions SET ended_at = max(coalesce(ended_at, 0), @at), summary = coalesce(@summary, summary) ${ofSession}`,
  )
  const escalate = db.prepare(
    `UPDATE sessions SET escalated = 1, tier_rank = max(tier_rank, 3) ${ofSession} AND (escalated = 0 OR tier_rank < 3)`,
  )
  const message = db.prepare(
    `INSERT INTO messages (school_id, session_id, message_id, student_hash, sequence, event_seq)
     VALUES (@school, @session, @message_id, @student_hash, @sequence, @event_seq)
     ON CONFLICT (school_id, session_id, message_id) DO NOTHING`,
  )
  const count = db.prepare(
    `UPDATE sessions SET
       last_message_at = max(coalesce(last_message_at, 0), @at),
       message_count = message_count + 1,
       student_turns = student_turns + @student,
       sentiment_sum = sentiment_sum + @sentiment,
       tier_rank = max(tier_rank, @rank)
     ${ofSession}`,
  )
  const marker = db.prepare(
    `INSERT INTO markers (id, school_id, session_id, message_id, sequence, student_hash, at, marker_type, confidence, start_offset, end_offset)
     VALUES (@id, @school, @session, @message_id, @sequence, @student_hash, @at, @marker_type, @confidence, @start, @end)
     ON CONFLICT (id) DO NOTHING`,
  )
  const forgotten = [
    db.prepare(`DELETE FROM sessions WHERE school_id = '' AND id = ?`),
    db.prepare(`DELETE FROM messages WHERE school_id = '' AND session_id = ?`),
    db.prepare(`DELETE FROM markers WHERE school_id = '' AND session_id = ?`),
  ]

  const addMessage = (school: string, event: MessageAnalyzed, event_seq: number): void => {
    const { session_id, message_id, student_hash, sequence, timestamp } = event
    const of = { school, session: session_id, message_id, student_hash, sequence }
    if (message.run({ ...of, event_seq }).changes === 0) return
    const student = event.role === 'student'
    count.run({
      school,
      session: session_id,
      at: timestamp,
      student: student ? 1 : 0,
      sentiment: student ? event.sentiment : 0,
      rank: student ? tierRank(event.tier) : 0,
    })
    if (!student) return
    for (const { marker_type, confidence, start, end } of event.markers) {
      const id = markerId(school, session_id, message_id, marker_type, start)
      marker.run({ ...of, id, at: timestamp, marker_type, confidence, start, end })
    }
  }

  return {
    tables: ['sessions', 'messages', 'markers'],
    apply({ event, seq, school_id: school }) {
      if (!speaksOfSession(event)) return
      const of = { school, session: event.session_id }
      session.run({ ...of, student_hash: event.student_hash, at: event.timestamp })
      if (event.event_type === 'SESSION_STARTED') metadata.run({ ...of, metadata: JSON.stringify(event.metadata) })
      if (event.event_type === 'SESSION_ENDED')
        end.run({ ...of, at: event.timestamp, summary: event.summary ? JSON.stringify(event.summary) : null })
      if (event.event_type === 'CRISIS_DETECTED') escalate.run(of)
      if (event.event_type === 'MESSAGE_ANALYZED') addMessage(school, event, seq)
    },
    forget({ sessions }) {
      for (const id of sessions) for (const statement of forgotten) statement.run(id)
    },
  }
}

/** A marker is known by (school, session, message, type, start), as hex: the same on every console. */
function markerId(...of: [school: string, session: string, message: string, type: string, start: number]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('hex')
}

type OfSession = Extract<
  ConsoleEvent,
  { event_type: 'SESSION_STARTED' | 'SESSION_ENDED' | 'CRISIS_DETECTED' | 'MESSAGE_ANALYZED' }
>

function speaksOfSession(event: ConsoleEvent): event is OfSession {
  return ['SESSION_STARTED', 'SESSION_ENDED', 'CRISIS_DETECTED', 'MESSAGE_ANALYZED'].includes(event.event_type)
}
