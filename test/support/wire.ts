/** Events of our own producers as they stand on the wire, with times that tests choose. */
import { createHash } from 'node:crypto'
import type { WireEvent } from '../../shared/events.ts'

/** Where virtual clocks begin. */
export const noon = Date.UTC(2026, 0, 20, 12)
export const school = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'
export const hashOf = (student: string): string => createHash('sha256').update(student).digest('hex')

type Changes = Record<string, unknown> & { at?: number; session_id?: string }

let numbered = 0

function base(event_type: string, { at = noon, ...changes }: Changes): Record<string, unknown> {
  const session_id = changes.session_id ?? 'session-1'
  return {
    schema_version: 1,
    event_type,
    idempotency_key: `${event_type}-${++numbered}`,
    session_id,
    student_hash: hashOf(session_id),
    school_id: school,
    timestamp: new Date(at).toISOString(),
    ...changes,
  }
}

export function crisis(changes: Changes = {}): WireEvent {
  return base('CRISIS_DETECTED', {
    consensus_score: 0.93,
    risk_level: 'CRISIS',
    matched_patterns: ['suicidal_intent'],
    reasoning: '',
    ...changes,
  }) as WireEvent
}

export function analyzed(changes: Changes = {}): WireEvent {
  return base('MESSAGE_ANALYZED', {
    message_id: `message-${numbered}`,
    sequence: numbered,
    role: 'student',
    score: 0.1,
    level: 'SAFE',
    tier: 'ok',
    ...changes,
  }) as WireEvent
}

export const started = (changes: Changes = {}): WireEvent => base('SESSION_STARTED', changes) as WireEvent
export const ended = (changes: Changes = {}): WireEvent => base('SESSION_ENDED', changes) as WireEvent
export const heartbeat = (changes: Changes = {}): WireEvent => base('HEARTBEAT', changes) as WireEvent

/** Somebody is told of an alert by one way, or a rung of its ladder comes (`event_type` ALERT_ESCALATED). */
export const notified = (changes: Changes & { alert_key: string }): WireEvent =>
  base('ALERT_NOTIFIED', { layer: 1, channel: 'sms', outcome: 'attempted', ...changes }) as WireEvent
