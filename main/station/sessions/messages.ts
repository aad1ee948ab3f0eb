/** Rows of the messages that came through this intake, each with its decision and its sealed words. */
import type { Assessment } from '../../../shared/assessment.ts'
import type { Marker } from '../../../shared/estimates.ts'
import type { Envelope } from '../../../shared/events.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import type { Database } from '../../store/index.ts'
import type { Role } from './tracking.ts'

/** Why the sender was told no, although the message was analysed and kept. */
export type RefusedAs = 'ended' | 'reused' | 'too large' | 'too many'

/** One message as it is kept. `content` is null for a school that keeps none, once it is not needed. */
export interface StoredMessage {
  message_id: string
  session_id: string
  sequence: number
  role: Role
  client_message_id: string | null
  content_digest: string
  said_at: number
  content: Envelope | null
  refused: RefusedAs | null
  tier: RiskTier
  score: number
  sentiment: number
  assessment: Assessment | null
}

interface MessageRecord extends Omit<StoredMessage, 'content' | 'assessment'> {
  content: string | null
  content_key: string | null
  assessment: string | null
}

export type MessageTable = ReturnType<typeof messageTable>

/** The table of messages; every call runs inside the caller's transaction, if there is one. */
export function messageTable(db: Database) {
  const insert = db.prepare(
    `INSERT INTO intake_messages (message_id, session_id, sequence, role, client_message_id, content_digest, said_at,
       content, content_key, refused, tier, score, sentiment, assessment)
     VALUES (:message_id, :session_id, :sequence, :role, :client_message_id, :content_digest, :said_at,
       :content, :content_key, :refused, :tier, :score, :sentiment, :assessment)`,
  )
  const insertMarker = db.prepare(
    `INSERT OR IGNORE INTO intake_markers (message_id, student_hash, marker_type, confidence, said_at)
     VALUES (?, ?, ?, ?, ?)`,
  )
  const last = db
    .prepare<[string], number | null>('SELECT MAX(sequence) FROM intake_messages WHERE session_id = ?')
    .pluck()
  const latest = db.prepare<[string, number, number], MessageRecord>(
    `SELECT * FROM intake_messages WHERE session_id = ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?`,
  )
  const all = db.prepare<[string], MessageRecord>(
    'SELECT * FROM intake_messages WHERE session_id = ? ORDER BY sequence',
  )
  const byClient = db.prepare<[string, string], MessageRecord>(
    'SELECT * FROM intake_messages WHERE session_id = ? AND client_message_id = ?',
  )
  const forget = db.prepare(
    `UPDATE intake_messages SET content = NULL, content_key = NULL
     WHERE session_id = ? AND sequence <= ? AND content IS NOT NULL`,
  )
  const markers = db.prepare<[string, number, number], Pick<Marker, 'marker_type' | 'confidence'> & { at: number }>(
    `SELECT marker_type, confidence, said_at AS at FROM intake_markers
     WHERE student_hash = ? AND said_at > ? AND said_at <= ? ORDER BY said_at`,
  )

  return {
    /** Sequence number of the next message of a session, from 1. */
    nextSequence: (sessionId: string): number => (last.get(sessionId) ?? 0) + 1,
    add(message: StoredMessage, studentHash: string): void {
      insert.run({
        ...message,
        content: message.content?.ciphertext ?? null,
        content_key: message.content?.encrypted_key ?? null,
        assessment: message.assessment && JSON.stringify(message.assessment),
      })
      if (message.role !== 'student') return
      for (const { marker_type, confidence } of message.assessment?.markers ?? [])
        insertMarker.run(message.message_id, studentHash, marker_type, confidence, message.said_at)
    },
    /** The last `count` messages up to a sequence number, oldest first. */
    latest: (sessionId: string, count: number, upTo = Number.MAX_SAFE_INTEGER): StoredMessage[] =>
      latest.all(sessionId, upTo, count).map(fromRecord).reverse(),
    all: (sessionId: string): StoredMessage[] => all.all(sessionId).map(fromRecord),
    byClientId(sessionId: string, clientMessageId: string | undefined): StoredMessage | null {
      const record = clientMessageId === undefined ? undefined : byClient.get(sessionId, clientMessageId)
      return record ? fromRecord(record) : null
    },
    /** Drops the words (not the decision) of a session's messages up to a sequence number. */
    forgetContent: (sessionId: string, upTo: number): void => void forget.run(sessionId, upTo),
    /** A student's markers said after `from` and not after `to`, oldest first. */
    markersOf: (studentHash: string, from: number, to: number) => markers.all(studentHash, from, to),
  }
}

function fromRecord({ content, content_key, assessment, ...rest }: MessageRecord): StoredMessage {
  return {
    ...rest,
    content: content !== null && content_key !== null ? { ciphertext: content, encrypted_key: content_key } : null,
    assessment: assessment === null ? null : (JSON.parse(assessment) as Assessment),
  }
}
