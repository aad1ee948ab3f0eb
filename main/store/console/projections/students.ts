import { tierRank } from '../../../../shared/risk.ts'
import { days } from '../../../../shared/time.ts'
import type { Database } from '../../open.ts'
import type { Projection } from './projection.ts'

/** Students, their days, and the points of the risk trajectory. */
export function studentProjection(db: Database): Projection {
  const student = db.prepare(
    `INSERT INTO students (school_id, student_hash, last_message_at) VALUES (@school, @hash, @at)
     ON CONFLICT (school_id, student_hash) DO UPDATE SET
       last_message_at = max(coalesce(last_message_at, 0), excluded.last_message_at)`,
  )
  const day = db.prepare(
    `INSERT INTO student_days (school_id, student_hash, day, messages, tier_rank, score)
     VALUES (@school, @hash, @day, @messages, @rank, @score)
     ON CONFLICT (school_id, student_hash, day) DO UPDATE SET
       messages = messages + excluded.messages,
       tier_rank = max(tier_rank, excluded.tier_rank),
       score = max(score, excluded.score)`,
  )
  // The message's own analysis is the better point: it replaces the crisis event's stand-in. Of two stand-ins the worse stays.
  const messagePoint = db.prepare(
    `INSERT INTO risk_points (school_id, session_id, id, student_hash, at, score, tier_rank, message_id, event_seq)
     VALUES (@school, @session, @id, @hash, @at, @score, @rank, @message, @seq)
     ON CONFLICT (school_id, session_id, id) DO UPDATE SET
       at = excluded.at, score = excluded.score, tier_rank = excluded.tier_rank, event_seq = excluded.event_seq`,
  )
  const crisisPoint = db.prepare(
    `INSERT INTO risk_points (school_id, session_id, id, student_hash, at, score, tier_rank, message_id, event_seq)
     VALUES (@school, @session, @id, @hash, @at, @score, @rank, @message, @seq)
     ON CONFLICT (school_id, session_id, id) DO UPDATE SET at = excluded.at, score = excluded.score, event_seq = excluded.event_seq
     WHERE (excluded.score > score OR (excluded.score = score AND excluded.at < at))
       AND NOT EXISTS (
         SELECT 1 FROM messages WHERE messages.school_id = risk_points.school_id AND messages.session_id = risk_points.session_id
           AND messages.message_id = risk_points.id AND messages.event_seq = risk_points.event_seq)`,
  )
  const clinical = db.prepare(
    `INSERT INTO clinical_scores (id, school_id, student_hash, at, phq9_score, gad7_score, items)
     VALUES (@id, @school, @hash, @at, @phq9_score, @gad7_score, @items) ON CONFLICT (id) DO NOTHING`,
  )
  const isMessage = db
    .prepare('SELECT 1 FROM messages WHERE school_id = ? AND session_id = ? AND message_id = ? AND event_seq = ?')
    .pluck()
  const forgottenStudent = ['students', 'student_days', 'clinical_scores'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE school_id = '' AND student_hash = ?`),
  )
  const forgottenSession = db.prepare(`DELETE FROM risk_points WHERE school_id = '' AND session_id = ?`)

  return {
    tables: ['students', 'student_days', 'risk_points', 'clinical_scores'],
    apply({ event, seq, identity, school_id: school }) {
      if (event.event_type === 'CLINICAL_SCORE_UPDATED') {
        const { student_hash: hash, timestamp: at, phq9_score = null, gad7_score = null, items } = event
        clinical.run({ id: identity, school, hash, at, phq9_score, gad7_score, items: JSON.stringify(items) })
        return
      }
      const crisis = event.event_type === 'CRISIS_DETECTED'
      if (!crisis && event.event_type !== 'MESSAGE_ANALYZED') return
      // A second analysis of the same message was not taken by the conversation: nor is it here.
      if (!crisis && isMessage.get(school, event.session_id, event.message_id, seq) === undefined) return
      student.run({ school, hash: event.student_hash, at: event.timestamp })
      if (!crisis && event.role === 'assistant') return
      const rank = crisis ? 3 : tierRank(event.tier)
      const score = crisis ? event.consensus_score : event.score
      const id = event.message_id ?? identity
      const point = {
        school,
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
        school,
        hash: event.student_hash,
        day: Math.floor(event.timestamp / days(1)) * days(1),
        messages: counts,
        rank,
        score,
      })
    },
    forget({ sessions, students }) {
      for (const id of sessions) forgottenSession.run(id)
      for (const hash of students) for (const statement of forgottenStudent) statement.run(hash)
    },
  }
}
