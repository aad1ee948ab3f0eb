import { tierRank } from '../../../../shared/risk.ts'
import { days } from '../../../../shared/time.ts'
import type { Database } from '../../open.ts'
import type { Projection } from './index.ts'

/** Students, their days, and the points of the risk trajectory. */
export function studentProjection(db: Database): Projection {
  const student = db.prepare(
    `INSERT INTO students (student_hash, school_id, last_message_at) VALUES (@hash, @school_id, @at)
     ON CONFLICT (student_hash) DO UPDATE SET
       last_message_at = max(coalesce(last_message_at, 0), excluded.last_message_at),
       school_id = CASE WHEN school_id = '' THEN excluded.school_id ELSE school_id END`,
  )
  const day = db.prepare(
    `INSERT INTO student_days (student_hash, day, messages, tier_rank, score) VALUES (@hash, @day, @messages, @rank, @score)
     ON CONFLICT (student_hash, day) DO UPDATE SET
       messages = messages + excluded.messages,
       tier_rank = max(tier_rank, excluded.tier_rank),
       score = max(score, excluded.score)`,
  )
  // The message's own analysis is the better point: it replaces the crisis event's stand-in. Of two stand-ins the worse stays.
  const messagePoint = db.prepare(
    `INSERT INTO risk_points (id, student_hash, at, score, tier_rank, session_id, message_id, event_seq)
     VALUES (@id, @hash, @at, @score, @rank, @session, @message, @seq)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, score = excluded.score, tier_rank = excluded.tier_rank, event_seq = excluded.event_seq`,
  )
  const crisisPoint = db.prepare(
    `INSERT INTO risk_points (id, student_hash, at, score, tier_rank, session_id, message_id, event_seq)
     VALUES (@id, @hash, @at, @score, @rank, @session, @message, @seq)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, score = excluded.score, event_seq = excluded.event_seq
     WHERE (excluded.score > score OR (excluded.score = score AND excluded.at < at))
       AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.message_id = risk_points.id AND messages.event_seq = risk_points.event_seq)`,
  )
  const clinical = db.prepare(
    'INSERT INTO clinical_scores (id, student_hash, at, phq9_score, gad7_score, items) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  )
  const isMessage = db.prepare(`SELECT 1 FROM messages WHERE message_id = ? AND event_seq = ?`).pluck()

  return {
    tables: ['students', 'student_days', 'risk_points', 'clinical_scores'],
    apply({ event, seq, identity }) {
      if (event.event_type === 'CLINICAL_SCORE_UPDATED') {
        const { student_hash, timestamp, phq9_score = null, gad7_score = null, items } = event
        clinical.run(identity, student_hash, timestamp, phq9_score, gad7_score, JSON.stringify(items))
        return
      }
      const crisis = event.event_type === 'CRISIS_DETECTED'
      if (!crisis && event.event_type !== 'MESSAGE_ANALYZED') return
      // A second analysis of the same message was not taken by the conversation: nor is it here.
      if (!crisis && isMessage.get(event.message_id, seq) === undefined) return
      student.run({ hash: event.student_hash, school_id: event.school_id ?? '', at: event.timestamp })
      if (!crisis && event.role === 'assistant') return
      const rank = crisis ? 3 : tierRank(event.tier)
      const score = crisis ? event.consensus_score : event.score
      const id = event.message_id ?? identity
      const point = {
        id,
        hash: event.student_hash,
        at: event.timestamp,
        score,
        rank,
        session: event.session_id,
        message: event.message_id ?? null,
        seq,
      }
      if (crisis) crisisPoint.run(point)
      else messagePoint.run(point)
      // A crisis event that names its message is no second message.
      const counts = crisis && event.message_id !== undefined ? 0 : 1
      day.run({
        hash: event.student_hash,
        day: Math.floor(event.timestamp / days(1)) * days(1),
        messages: counts,
        rank,
        score,
      })
    },
  }
}
