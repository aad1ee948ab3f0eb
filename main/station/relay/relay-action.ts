import { publishedId, relayedEvent } from '../../../shared/action-message.ts'
import type { OutboxMessage } from '../../store/station/index.ts'

/**
 * What a station does with a message from the acknowledgement queue: it becomes an ALERT_ACTION event
 * for every console. Null for what is no action.
 */
export function relayAction(body: string): Pick<OutboxMessage, 'id' | 'event_type' | 'body'> | null {
  const event = relayedEvent(body)
  if (!event) return null
  // Consoles confirm an event by its key; older ones send none of their own.
  const idempotency_key = typeof event['idempotency_key'] === 'string' ? event['idempotency_key'] : event.ack_id
  const { event_type } = event
  return { id: publishedId({ event_type, idempotency_key }), event_type, body: JSON.stringify(event) }
}
