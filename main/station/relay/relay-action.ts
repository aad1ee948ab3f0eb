import { relayedEvent, type RelayedEvent } from '../../../shared/action-message.ts'

/**
 * What a station does with a message from the acknowledgement queue: it becomes an ALERT_ACTION event
 * for every console. On the desk this program is its own station. Returns null for what is no action.
 */
export function relayAction(body: string): { id: string; event: RelayedEvent } | null {
  const event = relayedEvent(body)
  return event && { id: event.ack_id, event }
}
