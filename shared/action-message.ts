/**
 * The message about an action on the acknowledgement queue: an acknowledgement in the form that
 * existing back ends read, everything else as the event ALERT_ACTION. Times are ISO 8601, UTC.
 */
import { z } from 'zod'
import { alertActionSchema, isStudentRecord, wireTime, type AlertActionEvent, type LoggedEvent } from './events.ts'
import { studentRecordTypes } from './student-records.ts'

/** Triggers one message names at most, and bytes that their names take in it: so it stays below what is relayed (200 KiB). */
const mostNamed = 500
const mostBytesOfNames = 48 * 1024

/** As many of these names as one message has room for, from the first on: the first always is one. */
export function namesThatFit(names: readonly string[]): string[] {
  const encoder = new TextEncoder()
  const some = names.slice(0, mostNamed)
  let bytes = 0
  const tooMany = some.findIndex((name) => {
    bytes += encoder.encode(JSON.stringify(name)).length + 1
    return bytes > mostBytesOfNames
  })
  return tooMany === -1 ? some : some.slice(0, Math.max(1, tooMany))
}

const [, acknowledged] = alertActionSchema.options
const { by, by_name } = acknowledged.shape
/** An acknowledgement in its published form: the same facts, who and when by names of their own. */
const acknowledgementSchema = acknowledged
  .omit({ event_id: true, idempotency_key: true, timestamp: true, by: true, by_name: true, at: true })
  .extend({
    event_type: z.literal('ALERT_ACKNOWLEDGED'),
    acknowledged_by: by,
    acknowledged_by_name: by_name,
    acknowledged_at: wireTime,
  })

export type ActionMessage = z.input<typeof acknowledgementSchema> | z.input<typeof alertActionSchema>

/** The message that says what this event says. */
export function actionMessage(event: AlertActionEvent): ActionMessage {
  const { covers, trigger_ids } = event
  const named = { covers: namesThatFit(covers), trigger_ids: trigger_ids && namesThatFit(trigger_ids) }
  if (event.action !== 'acknowledged') return z.encode(alertActionSchema, { ...event, ...named, event_id: undefined })
  return z.encode(acknowledgementSchema, {
    ...event,
    ...named,
    event_type: 'ALERT_ACKNOWLEDGED',
    acknowledged_by: event.by,
    acknowledged_by_name: event.by_name,
    acknowledged_at: event.at,
  })
}

/** Only what a relay must know: all else travels on as it came, for those who know it. */
const relayedSchema = z.looseObject({
  ack_id: z.string().min(1),
  // Whoever sends no type means an action. Every other type is for a station to say, not for a console.
  event_type: z
    .string()
    .catch('ALERT_ACTION')
    .pipe(z.enum(['ALERT_ACTION', 'ALERT_ACKNOWLEDGED', ...studentRecordTypes])),
})
export type RelayedEvent = z.output<typeof relayedSchema>
const acknowledgedSchema = relayedSchema.extend({
  acknowledged_by: z.unknown().optional(),
  acknowledged_by_name: z.unknown().optional(),
  acknowledged_at: z.unknown().optional(),
})

/**
 * The event that a message becomes for every console. It is not judged here: whatever does not fit is
 * set aside in sight by the consoles. Null for what is no message about an action.
 */
export function relayedEvent(body: string): RelayedEvent | null {
  const read = relayedSchema.safeParse(parsed(body)).data
  if (!read) return null
  // Its place in the order, and whether it stands, are for the relay to say; and what is done is no told past:
  // whoever may send here could else let an alert change unheard.
  const { position: _, refused: __, backfill: ___, refused_record: ____, unvouched: _____, ...said } = read
  const { relayed_at: ______, ...message } = said
  if (message.event_type !== 'ALERT_ACKNOWLEDGED') return message
  const { acknowledged_by, acknowledged_by_name, acknowledged_at, ...common } = acknowledgedSchema.parse(message)
  return {
    ...common,
    event_type: 'ALERT_ACTION',
    action: 'acknowledged',
    idempotency_key: message.ack_id,
    timestamp: acknowledged_at,
    by: acknowledged_by,
    by_name: acknowledged_by_name,
    at: acknowledged_at,
  }
}

/** Id of an event in a station's outbox, by which the console that has committed it confirms it. */
export function publishedId(event: LoggedEvent): string {
  if (event.event_type !== 'ALERT_ACTION' && !isStudentRecord(event)) return event.idempotency_key
  return relayedId({ school_id: event.school_id ?? '', ack_id: event.ack_id })
}

/**
 * The same of an action that a station relays: one id for each record of each school ('' = it names none),
 * whatever else it says, and never the key of an event of the station's own.
 */
export function relayedId({ school_id, ack_id }: { school_id: string; ack_id: string }): string {
  // Only with its length is it told where a school ends: either may hold any character.
  return `relay:${school_id.length}:${school_id}:${ack_id}`
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
