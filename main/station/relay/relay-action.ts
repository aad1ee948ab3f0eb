import { z } from 'zod'
import type { OutboxMessage } from '../../store/station/index.ts'

/** As much of a message as the relay must know; the rest travels as it came. */
const relayedSchema = z.looseObject({
  ack_id: z.string().min(1),
  event_type: z.string(),
  idempotency_key: z.string().optional(),
})

/**
 * What a station does with a message from the acknowledgement queue: it becomes an ALERT_ACTION event
 * for every console. Null for what is no action.
 */
export function relayAction(body: string): Pick<OutboxMessage, 'id' | 'event_type' | 'body'> | null {
  const { success, data: message } = relayedSchema.safeParse(parseJson(body))
  if (!success) return null
  const { ack_id, event_type, idempotency_key = ack_id } = message
  if (event_type !== 'ALERT_ACKNOWLEDGED') return { id: idempotency_key, event_type, body }
  const { acknowledged_by, acknowledged_by_name, acknowledged_at, ...common } = message
  const event = {
    ...common,
    event_type: 'ALERT_ACTION',
    action: 'acknowledged',
    idempotency_key: ack_id,
    timestamp: acknowledged_at,
    by: acknowledged_by,
    by_name: acknowledged_by_name,
    at: acknowledged_at,
  }
  return { id: ack_id, event_type: event.event_type, body: JSON.stringify(event) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
