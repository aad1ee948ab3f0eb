/** Which events open an alert, and what of them it is made of. */
import type { Trigger } from './alerts.ts'
import type { ConsoleEvent, CrisisDetected, MessageAnalyzed } from './events.ts'
import { isPatternCategory, opensAlert } from './risk.ts'

/**
 * What opens an alert: any CRISIS_DETECTED, and an analyzed student message of tier crisis or high; null for all
 * else. `identity`: of the event (main/platform/event-identity.ts); `received_at`: UTC milliseconds; `school`: the
 * one it was settled to be of, '' = unknown.
 */
export function toTrigger(event: ConsoleEvent, identity: string, received_at: number, school: string): Trigger | null {
  if (event.event_type === 'CRISIS_DETECTED') return crisisTrigger(event, identity, received_at, school)
  if (event.event_type !== 'MESSAGE_ANALYZED' || event.role !== 'student') return null
  // Of level and tier the worse counts: a sender may know only one of them.
  const tier = event.level === 'CRISIS' ? 'crisis' : event.tier
  return opensAlert(tier) ? messageTrigger(event, tier, identity, received_at, school) : null
}

function crisisTrigger(event: CrisisDetected, identity: string, received_at: number, school: string): Trigger {
  return {
    ...common(event, identity, received_at, school),
    tier: 'crisis',
    score: event.consensus_score,
    about_other: false,
  }
}

function messageTrigger(
  event: MessageAnalyzed,
  tier: 'high' | 'crisis',
  identity: string,
  received_at: number,
  school: string,
): Trigger {
  return { ...common(event, identity, received_at, school), tier, score: event.score, about_other: event.about_other }
}

function common(event: CrisisDetected | MessageAnalyzed, identity: string, received_at: number, school: string) {
  return {
    id: identity,
    idempotency_key: event.idempotency_key,
    session_id: event.session_id,
    student_hash: event.student_hash,
    school_id: school || null,
    at: event.timestamp,
    received_at,
    categories: [...new Set(event.matched_patterns.filter(isPatternCategory))],
    message_id: event.message_id ?? null,
    occurred_at: event.occurred_at ?? null,
  }
}
