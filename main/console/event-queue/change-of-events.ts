import { publishedId } from '../../../shared/action-message.ts'
import { isProof, type LoggedEvent } from '../../../shared/events.ts'
import type { Change } from '../changes.ts'

/** What some events from the queue tell beside the rows they alter: that they came, proofs, missing signals. */
export function changeOf(events: readonly LoggedEvent[], now: number): Partial<Change> {
  const proofs = events.flatMap(({ event_type, timestamp }) => (isProof(event_type) ? [Math.min(timestamp, now)] : []))
  const newest = events.findLast(
    (event) => event.event_type === 'MESSAGE_ANALYZED' && event.role === 'student' && !event.backfill,
  )
  const heartbeats = events.flatMap((event) =>
    event.event_type === 'HEARTBEAT'
      ? [{ at: Math.min(event.timestamp, now), failing_since: event.publishing_failing_since ?? null }]
      : [],
  )
  return {
    heartbeat: heartbeats.sort((a, b) => a.at - b.at).at(-1) ?? null,
    confirmed: events.map(publishedId),
    proven_at: proofs.length > 0 ? Math.max(...proofs) : null,
    key_sealed: events.some(({ event_type }) => event_type === 'SCHOOL_KEY_SEALED'),
    policy: events.some(({ event_type }) => event_type === 'POLICY_CHANGED'),
    degraded: newest?.event_type === 'MESSAGE_ANALYZED' ? newest.degraded : null,
  }
}
