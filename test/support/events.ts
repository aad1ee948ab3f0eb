/** Events as senders write them, for tests. */
import { createHash, randomUUID } from 'node:crypto'

/** The minimal event that existing back ends emit, exactly in its form. */
export function legacyCrisis(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const session_id = (changes['session_id'] as string | undefined) ?? randomUUID()
  const timestamp = new Date()
  return {
    event_type: 'CRISIS_DETECTED',
    session_id,
    student_hash: createHash('sha256').update(session_id).digest('hex'),
    consensus_score: 0.93,
    risk_level: 'CRISIS',
    matched_patterns: ['suicidal_intent'],
    reasoning: 'Explicit statement of intent.',
    // UTC, without a zone and with microseconds.
    timestamp: timestamp.toISOString().replace('Z', '456'),
    idempotency_key: `${session_id}-${Math.floor(timestamp.getTime() / 1000)}`,
    ...changes,
  }
}

/** A message of a session whose analysis raises an alert of the high tier. */
export function highMessage(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { session_id, student_hash, timestamp } = legacyCrisis()
  return {
    schema_version: 1,
    event_type: 'MESSAGE_ANALYZED',
    event_id: randomUUID(),
    idempotency_key: randomUUID(),
    message_id: randomUUID(),
    sequence: 1,
    role: 'student',
    session_id,
    student_hash,
    timestamp,
    score: 0.7,
    level: 'CAUTION',
    tier: 'high',
    matched_patterns: ['hopelessness'],
    ...changes,
  }
}
