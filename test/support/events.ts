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
