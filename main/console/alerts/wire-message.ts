import type { AlertActionEvent, AlertActionKind } from '../../../shared/events.ts'

/** The message on the acknowledgement queue. Times are ISO 8601, UTC. */
export type AcknowledgementMessage = {
  schema_version: 1
  event_type: 'ALERT_ACKNOWLEDGED' | 'ALERT_ACTION'
  ack_id: string
  action: AlertActionKind
  alert_key: string
  covers: string[]
  session_id: string
  student_hash: string
  console_id: string
} & Record<string, unknown>

/** Triggers one message names at most, so that it stays below what a queue takes (256 KiB). */
const mostNamed = 500

/** The wire form of an action: an acknowledgement in the form existing back ends read, others as ALERT_ACTION. */
export function acknowledgementMessage(event: AlertActionEvent): AcknowledgementMessage {
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
  const { ack_id, action, alert_key, session_id, student_hash, school_id, console_id } = event
  const covers = event.covers.slice(0, mostNamed)
  const common = {
    ack_id,
    action,
    alert_key,
    covers,
    session_id,
    student_hash,
    ...(school_id !== undefined && { school_id }),
    console_id,
  }
  const rest = {
    trigger_ids: event.trigger_ids?.slice(0, mostNamed),
    covered: event.covered,
    owner: event.owner,
    owner_name: event.owner_name,
    next_action: event.next_action,
    due_at: iso(event.due_at),
  }
  if (action === 'acknowledged') {
    return {
      schema_version: 1,
      event_type: 'ALERT_ACKNOWLEDGED',
      ...common,
      acknowledged_by: event.by,
      acknowledged_by_name: event.by_name,
      acknowledged_at: iso(event.at),
      ...rest,
    }
  }
  return {
    schema_version: 1,
    event_type: 'ALERT_ACTION',
    ...common,
    idempotency_key: event.idempotency_key,
    timestamp: iso(event.timestamp),
    by: event.by,
    by_name: event.by_name,
    at: iso(event.at),
    to: event.to,
    to_name: event.to_name,
    note: event.note,
    disposition: event.disposition,
    reason: event.reason,
    ...rest,
  }
}
