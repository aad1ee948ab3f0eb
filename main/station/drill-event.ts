import { wireTime, type WireEvent } from '../../shared/events.ts'
import type { DrillFired, StationMessage, StoredDrill } from '../store/station/index.ts'

/**
 * What stands for the crisis of a drill: it names no session and no student, for there is none. `ladder`: what the ladder
 * did; absent = none is run.
 */
export function drillFound(
  { school_id, number, station_id, began_at }: StoredDrill,
  eventId: string,
  now: number,
  ladder?: DrillFired,
): StationMessage {
  const id = `drill:${school_id}:${number}:${began_at}`
  const event: Extract<WireEvent, { event_type: 'DRILL' }> = {
    schema_version: 1,
    event_type: 'DRILL',
    event_id: eventId,
    idempotency_key: id,
    timestamp: wireTime.encode(now),
    school_id,
    source: station_id,
    station_id,
    number,
    began_at: wireTime.encode(began_at),
    ...(ladder && { fired_at: wireTime.encode(ladder.fired_at), would_tell: ladder.would_tell }),
  }
  const { event_type } = event
  return { id, school_id, group: `drill:${school_id}`, event_type, body: JSON.stringify(event), at: now }
}
