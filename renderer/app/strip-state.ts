/** What the strip makes of what it knows: how it looks, and when it says that the alarm was checked. */
import { connectingPatience, drillLasts, proofLasts, saysLateAfter } from '../../shared/thresholds.ts'
import type { StripView } from '../../shared/views.ts'

/** Whether the queue does not answer, or has been asked for so long that it seems not to. */
export function isDisconnected({ connection: { state, since } }: Pick<StripView, 'connection'>, now: number): boolean {
  return state === 'disconnected' || (state === 'connecting' && now - since >= connectingPatience)
}

/**
 * Whether somebody goes on telling people of an alert: as the strip has it, as far as the strip is current. `lost`: the
 * program itself does not answer, or cannot be reached.
 */
export function ladderNow(
  view: Pick<StripView, 'connection' | 'ladder'> | null,
  lost: boolean,
  now: number,
): StripView['ladder'] {
  return view === null || lost || isDisconnected(view, now) ? 'unknown' : view.ladder
}

/**
 * Whether the strip is red: the queue does not answer, heartbeats or drills that used to come have stopped or some
 * never came a moment ago, the queue is shared, dead letters cannot be brought back, nothing can be published, nobody would be told, or a crisis came that could not be read and
 * nobody has dealt with it.
 */
export function isAlarming(view: StripView, now: number): boolean {
  if (isDisconnected(view, now)) return true
  if (view.sharing !== null || view.dead_letters_stuck > 0) return true
  if (typeof view.coverage === 'object' && view.coverage?.rungs.length === 0) return true
  if (view.missing_heartbeats && isWithin(view.missing_heartbeats.noticed_at, drillLasts, now)) return true
  return view.heartbeat_overdue || view.outage !== null || view.quarantined_crises > 0
}

/** Whether nothing proves that the alarm works end to end, or not all of it: silence could be a broken pipe. */
export function isUnproven(view: StripView, now: number): boolean {
  if (view.proven_at === null || !isWithin(view.proven_at, proofLasts, now)) return true
  return view.missing_heartbeats !== null || (view.drill !== null && !isWithin(view.drill.at, drillLasts, now))
}

/**
 * Whether something leaves it open that alerts get through, or that what is done here counts, though the alarm itself is
 * proven. `sendingSince`: since when something has waited to be sent without a break, UTC milliseconds; null = nothing does.
 */
export function isInDoubt(view: StripView, sendingSince: number | null, now: number): boolean {
  // Only a station sends drills, and only one that runs the ladder says by which ways it tells: another may do without.
  if (view.ladder === 'unknown' && (view.drill !== null || view.channels !== null)) return true
  if (view.ladder === 'off' && view.channels !== null) return true
  if (view.ladder === 'station' && view.coverage === 'unknown') return true
  if (view.not_approved || view.unlikely_heartbeat !== null) return true
  if ((view.queue_age_ms ?? 0) > saysLateAfter) return true
  return sendingSince !== null && Math.abs(now - sendingSince) > saysLateAfter
}

/** What is dated ahead came before this machine's clock was set back, and says nothing of now. */
const isWithin = (at: number, lasts: number, now: number): boolean => Math.abs(now - at) <= lasts

/**
 * When the alarm was last checked: by the newest drill, while heartbeats come between drills; else by the newest of
 * either. Null = never.
 */
export function checkedAt(view: Pick<StripView, 'proven_at' | 'drill'>, now: number): number | null {
  const { proven_at, drill } = view
  if (proven_at === null || drill === null) return proven_at
  return isWithin(proven_at, proofLasts, now) ? drill.at : proven_at
}
