import type { WireEvent } from '../../../shared/events.ts'

/**
 * What a station does with a message from the acknowledgement queue: it becomes an ALERT_ACTION event
 * for every console. On the desk this program is its own station. Returns null for what is no action.
 */
export function relayAction(body: string): { id: string; event: WireEvent } | null {
  let message: Record<string, unknown> | null
  try {
    message = JSON.parse(body) as Record<string, unknown> | null
  } catch {
    return null
  }
  const id = message?.['ack_id']
  if (message === null || typeof id !== 'string') return null
  if (message['event_type'] !== 'ALERT_ACKNOWLEDGED') return { id, event: message as unknown as WireEvent }
  const { acknowledged_by, acknowledged_by_name, acknowledged_at, ...common } = message
  return {
    id,
    event: {
      ...common,
      event_type: 'ALERT_ACTION',
      action: 'acknowledged',
      idempotency_key: id,
      timestamp: acknowledged_at,
      by: acknowledged_by,
      by_name: acknowledged_by_name,
      at: acknowledged_at,
    } as unknown as WireEvent,
  }
}
