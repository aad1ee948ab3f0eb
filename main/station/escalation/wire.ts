/** What is told to every console of the ladder: rungs that were reached, and whom they told. */
import { namesThatFit } from '../../../shared/action-message.ts'
import { wireTime, type WireEvent } from '../../../shared/events.ts'
import type { Channel } from '../../../shared/on-call.ts'
import type { AlertRow, Delivery, StationMessage } from '../../store/station/index.ts'

/** A rung of which consoles are told. Times are UTC milliseconds. */
export interface Escalated {
  /** Its place in the ladder, from 0; where it was handed to somebody urgently, 0 rings them. */
  rung: number
  channels: readonly Channel[]
  due_at: number
  /** When the next rung is due; null = there is none. */
  next_at: number | null
  late: boolean
  /** It told nobody. */
  failed: boolean
  reason: string | null
}

const iso = (at: number): string => wireTime.encode(at)
/** The published ladder has three steps; what comes after them is the third again. */
const layerOf = (rung: number): number => Math.min(rung, 2) + 1

/** A rung of an alert's ladder was reached. */
export function escalated(alert: AlertRow, id: string, now: number, of: Escalated): StationMessage {
  return message(alert, id, now, {
    event_type: 'ALERT_ESCALATED',
    layer: layerOf(of.rung),
    channel: of.channels.length > 0 ? of.channels.join('+') : 'none',
    outcome: of.failed ? 'failed' : 'attempted',
    rung: of.rung,
    due_at: iso(of.due_at),
    next_at: of.next_at === null ? null : iso(of.next_at),
    ...(of.late && { late: true }),
    ...(of.reason !== null && { reason: of.reason }),
  })
}

/** Somebody is being told, or was told, or could not be told. */
export function notified(
  alert: AlertRow,
  delivery: Pick<Delivery, 'delivery_id' | 'rung' | 'person' | 'channel' | 'state' | 'code'>,
  now: number,
  { late = false }: { late?: boolean } = {},
): StationMessage {
  const { delivery_id, rung, person, channel, state, code } = delivery
  return message(alert, `${delivery_id}:${state}`, now, {
    event_type: 'ALERT_NOTIFIED',
    layer: layerOf(rung),
    channel,
    outcome: state,
    to: person,
    delivery_id,
    rung,
    ...(late && { late: true }),
    ...(state === 'failed' && code !== null && { reason: code.slice(0, 200) }),
  })
}

type Said = Extract<WireEvent, { event_type: 'ALERT_NOTIFIED' | 'ALERT_ESCALATED' }>
type Of = Omit<Said, 'schema_version' | 'idempotency_key' | 'timestamp' | 'session_id' | 'student_hash' | 'alert_key'>

function message(alert: AlertRow, id: string, now: number, of: Of): StationMessage {
  const { school_id, session_id, student_hash, alert_key, document } = alert
  const event: Said = {
    schema_version: 2,
    idempotency_key: id,
    timestamp: iso(now),
    ...(school_id !== '' && { school_id }),
    ...{ session_id, student_hash, alert_key },
    covers: namesThatFit(document.covers.toReversed()),
    ...of,
  }
  return { id, school_id, group: id, event_type: event.event_type, body: JSON.stringify(event), at: now }
}
