/** Rows of the messages that came through this station, each with its assessment and its sealed words. */
import type { Assessment } from '../../../shared/assessment.ts'
import type { Envelope } from '../../../shared/events.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'
import type { SessionKey } from './sessions.ts'

/** Who speaks in a chat. */
export type MessageRole = 'student' | 'assistant' | 'system'

/** Why the sender was told no, although the message was analysed and kept. */
export type RefusedAs = 'ended' | 'reused' | 'too large' | 'too many'

/** One message as it is kept. `content` is null for a school that keeps none, once it is not needed. */
export interface StoredMessage extends SessionKey {
  message_id: string
  sequence: number
  role: MessageRole
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

interface MessageRow extends Omit<StoredMessage, 'content' | 'assessment'> {
  content: string | null
  content_key: string | null
  assessment: string | null
}

const columns = `school_id, session_id, message_id, sequence, role, client_message_id, content_digest, said_at,
  content, content_key, refused, tier, score, sentiment, assessment`

export function insertMessage(db: Database, message: StoredMessage): void {
  prepared(
    db,
    `INSERT INTO messages (${columns})
     VALUES (:school_id, :session_id, :message_id, :sequence, :role, :client_message_id, :content_digest, :said_at,
       :content, :content_key, :refused, :tier, :score, :sentiment, :assessment)`,
  ).run({
    ...message,
    content: message.content?.ciphertext ?? null,
    content_key: message.content?.encrypted_key ?? null,
    assessment: message.assessment && JSON.stringify(message.assessment),
  })
}

/** Sequence number of the next message of a session, from 1. */
export function nextSequence(db: Database, key: SessionKey): number {
  const last = prepared(
    db,
    'SELECT MAX(sequence) FROM messages WHERE school_id = :school_id AND session_id = :session_id',
  )
    .pluck()
    .get(keyOf(key)) as number | null
  return (last ?? 0) + 1
}

/** The last `count` messages of a session up to a sequence number, oldest first. */
export function latestMessages(
  db: Database,
  key: SessionKey,
  count: number,
  upTo = Number.MAX_SAFE_INTEGER,
): StoredMessage[] {
  const rows = prepared(
    db,
    `SELECT ${columns} FROM messages WHERE school_id = :school_id AND session_id = :session_id AND sequence <= :upTo
     ORDER BY sequence DESC LIMIT :count`,
  ).all({ ...keyOf(key), upTo, count }) as MessageRow[]
  return rows.map(fromRow).reverse()
}

/** Every message of a session, oldest first. */
export function messagesOf(db: Database, key: SessionKey): StoredMessage[] {
  const rows = prepared(
    db,
    `SELECT ${columns} FROM messages WHERE school_id = :school_id AND session_id = :session_id ORDER BY sequence`,
  ).all(keyOf(key)) as MessageRow[]
  return rows.map(fromRow)
}

/** The message of a session that its sender named so; null when there is none. */
export function findByClientId(db: Database, key: SessionKey, clientMessageId: string): StoredMessage | null {
  const row = prepared(
    db,
    `SELECT ${columns} FROM messages
     WHERE school_id = :school_id AND session_id = :session_id AND client_message_id = :clientMessageId`,
  ).get({ ...keyOf(key), clientMessageId }) as MessageRow | undefined
  return row ? fromRow(row) : null
}

/** Drops the words (not the assessment) of a session's messages up to a sequence number. */
export function forgetContent(db: Database, key: SessionKey, upTo = Number.MAX_SAFE_INTEGER): void {
  prepared(
    db,
    `UPDATE messages SET content = NULL, content_key = NULL
     WHERE school_id = :school_id AND session_id = :session_id AND sequence <= :upTo AND content IS NOT NULL`,
  ).run({ ...keyOf(key), upTo })
}

const keyOf = ({ school_id, session_id }: SessionKey): SessionKey => ({ school_id, session_id })

function fromRow({ content, content_key, assessment, ...rest }: MessageRow): StoredMessage {
  return {
    ...rest,
    content: content !== null && content_key !== null ? { ciphertext: content, encrypted_key: content_key } : null,
    assessment: assessment === null ? null : (JSON.parse(assessment) as Assessment),
  }
}
