import { createHash } from 'node:crypto'
import { publishedId, relayedEvent } from '../../../shared/action-message.ts'
import type { OutboxMessage } from '../../store/station/index.ts'

/**
 * What a station does with a message from the acknowledgement queue: it becomes an ALERT_ACTION event
 * for every console. Null for what is no action.
 */
export function relayAction(
  body: string,
  more: { refused?: string } = {},
): Pick<OutboxMessage, 'id' | 'event_type' | 'body'> | null {
  const event = relayedEvent(body)
  if (!event) return null
  // Consoles confirm an event by its key; older ones send none of their own.
  const idempotency_key = typeof event['idempotency_key'] === 'string' ? event['idempotency_key'] : event.ack_id
  const { event_type } = event
  const id = publishedId({ event_type, idempotency_key })
  return { id, event_type, body: JSON.stringify({ ...event, ...more }) }
}

/**
 * The same of a message that was not signed as it must be: everybody sees it, and nothing changes by it. It goes
 * under an id of its own, so that it never stands in the place of what it pretends to be.
 */
export function refusedAction(body: string): ReturnType<typeof relayAction> {
  const event = relayedEvent(body)
  if (!event) return null
  const ack_id = `refused:${createHash('sha256').update(body).digest('hex')}`
  return relayAction(JSON.stringify({ ...event, ack_id, idempotency_key: ack_id }), { refused: 'signature' })
}
