import { eventSchema } from '../../../shared/events.ts'
import { alertViewedLasts, clockSkew } from '../../../shared/thresholds.ts'
import type { Passing } from '../../outbox/index.ts'
import type { Clock } from '../../platform/ports.ts'

/**
 * Takes in who looks at an alert, and hands it to every console of the school in passing. False where it is none, or
 * not of a console that this school approved; what says nothing of now any more is dropped without a word.
 */
export function relayViewed(options: {
  clock: Clock
  passing: Pick<Passing, 'say'>
  /** Whether an approved console of its school signed it. */
  isApproved(message: Record<string, unknown>): Promise<boolean>
}): (message: Record<string, unknown>) => Promise<boolean> {
  const { clock, passing, isApproved } = options
  return async (message) => {
    const event = eventSchema.safeParse(message).data
    if (event?.event_type !== 'ALERT_VIEWED' || event.school_id === undefined) return false
    if (!(await isApproved(message))) return false
    const { timestamp, until, alert_key, by, console_id, school_id } = event
    if (Math.abs(clock.now() - timestamp) > clockSkew || until - timestamp > 2 * alertViewedLasts) return true
    const { occurred_at: _, ...said } = event
    const times = { timestamp: new Date(timestamp).toISOString(), until: new Date(until).toISOString() }
    const subject = JSON.stringify([school_id, alert_key, by, console_id])
    passing.say(subject, { event_type: event.event_type, body: JSON.stringify({ ...said, ...times }) })
    return true
  }
}
