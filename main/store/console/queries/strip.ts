import { proofEventTypes } from '../../../../shared/events.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'

/** When the last event came from the event queue; null = none ever. */
export function lastReceived(db: Database): number | null {
  // The log is in the order of arrival: its end tells, without reading all of it.
  const last = prepared(db, `SELECT received_at FROM events WHERE origin = 'queue' ORDER BY seq DESC LIMIT 1`)
  return (last.pluck().get() as number | undefined) ?? null
}

/** As the index of them names them. */
const proofs = proofEventTypes.map((type) => `'${type}'`).join(', ')

/** When the newest proof that the alarm works was made; null = none ever came. */
export function lastProof(db: Database): number | null {
  // Old when it came, or from a clock ahead of ours: the earlier of the two counts.
  const last = prepared(db, `SELECT max(min(at, received_at)) FROM events WHERE event_type IN (${proofs})`)
  return last.pluck().get() as number | null
}
