import type { ConsoleEvent, MessageAnalyzed } from '../../../../shared/events.ts'
import { tierRank } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'
import type { Projection } from './index.ts'

/** Sessions, their messages and markers. Every column is a minimum, maximum or sum, so order of arrival does not matter. */
export function conversationProjection(db: Database): Projection {
  const session = db.prepare(
    `INSERT INTO sessions (id, student_hash, school_id, started_at) VALUES (@id, @student_hash, @school_id, @at)
     ON CONFLICT (id) DO UPDATE SET
       started_at = min(started_at, excluded.started_at),
       school_id = CASE WHEN school_id = '' THEN excluded.school_id ELSE school_id END
     WHERE excluded.started_at < started_at OR (school_id = '' AND excluded.school_id <> '')`,
  )
  const metadata = db.prepare('UPDATE sessions SET metadata = ? WHERE id = ?')
  const end = db.prepare(
    'UPDATE sessions SET ended_at = max(coalesce(ended_at, 0), ?), summary = coalesce(?, summary) WHERE id = ?',
  )
  const escalate = db.prepare(
    'UPDATE sessions SET escalated = 1, tier_rank = max(tier_rank, 3) WHERE id = ? AND (escalated = 0 OR tier_rank < 3)',
  )
  const message = db.prepare(
    'INSERT INTO messages (message_id, session_id, sequence, event_seq) VALUES (?, ?, ?, ?) ON CONFLICT (message_id) DO NOTHING',
  )
  const count = db.prepare(
    `UPDATE sessions SET
       last_message_at = max(coalesce(last_message_at, 0), @at),
       message_count = message_count + 1,
       student_turns = student_turns + @student,
       sentiment_sum = sentiment_sum + @sentiment,
       tier_rank = max(tier_rank, @rank)
     WHERE id = @id`,
  )
  const marker = db.prepare(
    `INSERT INTO markers (id, message_id, session_id, sequence, student_hash, at, marker_type, confidence, start_offset, end_offset)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  )

  const addMessage = (event: MessageAnalyzed, seq: number): void => {
    if (message.run(event.message_id, event.session_id, event.sequence, seq).changes === 0) return
    const student = event.role === 'student'
    count.run({
      id: event.session_id,
      at: event.timestamp,
      student: student ? 1 : 0,
      sentiment: student ? event.sentiment : 0,
      rank: student ? tierRank(event.tier) : 0,
    })
    if (!student) return
    event.markers.forEach((found, index) => {
      const { marker_type, confidence, start, end } = found
      const id = `${event.message_id}:${index}`
      marker.run(
        id,
        event.message_id,
        event.session_id,
        event.sequence,
        event.student_hash,
        event.timestamp,
        marker_type,
        confidence,
        start,
        end,
      )
    })
  }

  return {
    tables: ['sessions', 'messages', 'markers'],
    apply({ event, seq }) {
      if (!speaksOfSession(event)) return
      session.run({
        id: event.session_id,
        student_hash: event.student_hash,
        school_id: event.school_id ?? '',
        at: event.timestamp,
      })
      if (event.event_type === 'SESSION_STARTED') metadata.run(JSON.stringify(event.metadata), event.session_id)
      if (event.event_type === 'SESSION_ENDED') {
        end.run(event.timestamp, event.summary ? JSON.stringify(event.summary) : null, event.session_id)
      }
      if (event.event_type === 'CRISIS_DETECTED') escalate.run(event.session_id)
      if (event.event_type === 'MESSAGE_ANALYZED') addMessage(event, seq)
    },
  }
}

type OfSession = Extract<
  ConsoleEvent,
  { event_type: 'SESSION_STARTED' | 'SESSION_ENDED' | 'CRISIS_DETECTED' | 'MESSAGE_ANALYZED' }
>

function speaksOfSession(event: ConsoleEvent): event is OfSession {
  return ['SESSION_STARTED', 'SESSION_ENDED', 'CRISIS_DETECTED', 'MESSAGE_ANALYZED'].includes(event.event_type)
}
