/** What the sender of a message is told about it. */
import type { DecidedBy, PatternCategory, RiskLevel, RiskTier, SignalName } from '../../../shared/risk.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { MessageRole, StoredMessage } from '../../store/station/index.ts'
import { openContent } from './context.ts'

/** One message of the rolling buffer. `at` is UTC milliseconds; flagged keywords are category names. */
export interface BufferedMessage {
  message_id: string
  sequence: number
  role: MessageRole
  content: string | null
  at: number
  tier: RiskTier
  score: number
  sentiment: number
  flagged_keywords: PatternCategory[]
}

export interface Receipt {
  message_id: string
  session_id: string
  sequence: number
  role: MessageRole
  tier: RiskTier
  level: RiskLevel
  /** Consensus score, 0–1; 0 for messages that are not a student's. */
  score: number
  decided_by: DecidedBy | null
  degraded: SignalName[]
  /** The rolling buffer up to and with this message, oldest first. */
  buffer: BufferedMessage[]
  /** Question understanding; null where none is made. */
  question: null
  /** The fixed protocol text on a crisis: the chat shows it instead of any model's reply. */
  reply: string | null
}

/** `buffer`: the latest messages up to and with this one, oldest first. */
export function receiptOf(
  message: StoredMessage,
  buffer: readonly StoredMessage[],
  key: EvidenceKey,
  reply: string | null,
): Receipt {
  const assessed = message.role === 'student' ? message.assessment : null
  return {
    message_id: message.message_id,
    session_id: message.session_id,
    sequence: message.sequence,
    role: message.role,
    tier: message.tier,
    level: assessed?.level ?? 'SAFE',
    score: message.score,
    decided_by: assessed?.decided_by ?? null,
    degraded: assessed?.degraded ?? [],
    buffer: bufferOf(buffer, key),
    question: null,
    reply,
  }
}

/** Messages as they are shown; what still waits for its decision is not, for a quiet number would say that it is harmless. */
export function bufferOf(messages: readonly StoredMessage[], key: EvidenceKey): BufferedMessage[] {
  return messages
    .filter(({ state }) => state === 'analyzed')
    .map((message) => ({
      message_id: message.message_id,
      sequence: message.sequence,
      role: message.role,
      content: openContent(message, key),
      at: message.said_at,
      tier: message.tier,
      score: message.score,
      sentiment: message.sentiment,
      flagged_keywords: message.assessment?.categories ?? [],
    }))
}
