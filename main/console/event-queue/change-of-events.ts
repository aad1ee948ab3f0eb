import { publishedId } from '../../../shared/action-message.ts'
import { isProof, saidOfLadder, type Drill, type LoggedEvent } from '../../../shared/events.ts'
import { drillLasts } from '../../../shared/thresholds.ts'
import type { Change, HeardDrill } from '../changes.ts'

/** What some events from the queue tell beside the rows they alter: that they came, proofs, missing signals. */
export function changeOf(events: readonly LoggedEvent[], now: number): Partial<Change> {
  const proofs = events.flatMap(({ event_type, timestamp }) => (isProof(event_type) ? [Math.min(timestamp, now)] : []))
  const newest = events.findLast(
    (event) => event.event_type === 'MESSAGE_ANALYZED' && event.role === 'student' && !event.backfill,
  )
  const beats = events.flatMap((event) => (event.event_type === 'HEARTBEAT' ? [event] : []))
  const newestBeat = beats.reduce<(typeof beats)[number] | null>(
    (best, beat) => (best === null || Math.min(beat.timestamp, now) >= Math.min(best.timestamp, now) ? beat : best),
    null,
  )
  const drills = events
    .flatMap((event) => (event.event_type === 'DRILL' ? [drillOf(event, now)] : []))
    .filter(({ began_at }) => began_at <= now + drillLasts)
  return {
    heartbeat: newestBeat && {
      at: Math.min(newestBeat.timestamp, now),
      failing_since: newestBeat.publishing_failing_since ?? null,
      ladder_failing_since: newestBeat.ladder_failing_since ?? null,
      ladder: saidOfLadder(newestBeat),
      channels: newestBeat.channels ?? null,
      coverage: newestBeat.coverage ?? null,
    },
    beats: beats.flatMap(({ school_id = '', number, timestamp }) =>
      number === undefined ? [] : [{ school_id, number, at: timestamp, received_at: now }],
    ),
    drill: drills.sort((a, b) => a.at - b.at).at(-1) ?? null,
    confirmed: events.map(publishedId),
    proven_at: proofs.length > 0 ? Math.max(...proofs) : null,
    key_sealed: events.some(({ event_type }) => event_type === 'SCHOOL_KEY_SEALED'),
    policy: events.some(({ event_type }) => event_type === 'POLICY_CHANGED'),
    degraded: newest?.event_type === 'MESSAGE_ANALYZED' ? newest.degraded : null,
  }
}

/** One that does not say when it began did so when it was made. */
const drillOf = (
  { school_id = '', number, timestamp, began_at = timestamp }: Drill,
  received_at: number,
): HeardDrill => ({
  school_id,
  number: number ?? null,
  began_at,
  at: Math.min(began_at, received_at),
})
