/** What alerts are made of, as it is kept and read again. */
import { reducedAction, type AlertAction } from '../../../shared/actions.ts'
import { isVoid, type Trigger } from '../../../shared/alerts.ts'
import { alertActionSchema, type AlertActionEvent } from '../../../shared/events.ts'
import { openWords } from '../../../shared/record-words.ts'
import { toTrigger } from '../../../shared/triggers.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import { parseEvent } from '../../platform/event-body.ts'
import { eventIdentity } from '../../platform/event-identity.ts'
import type { AlertStep } from '../../store/station/index.ts'

/** The trigger that an event is, as it stands on the wire; null where it opens no alert. */
export function triggerStep(wire: Record<string, unknown>, received_at: number, schoolId: string): AlertStep | null {
  const { data: event } = parseEvent(wire)
  if (!event) return null
  // As consoles read it: whatever was written into the queue, and nothing that JSON leaves out.
  const identity = eventIdentity(event.idempotency_key, JSON.parse(JSON.stringify(wire)) as Record<string, unknown>)
  const trigger = identity && toTrigger(event, identity, received_at, schoolId)
  return trigger
    ? { step_id: trigger.id, kind: 'trigger', told: event.backfill === true, body: JSON.stringify(trigger) }
    : null
}

/** The action that a relayed event is, with its place in the order; null where consoles would set it aside. */
export function actionStep(wire: Record<string, unknown>): { step: AlertStep; said: AlertActionEvent } | null {
  const { data: said } = alertActionSchema.safeParse(wire)
  if (!said) return null
  const step: AlertStep = {
    step_id: said.ack_id,
    kind: 'action',
    told: said.backfill === true,
    body: JSON.stringify(wire),
  }
  return { step, said }
}

/** Whether a step is a record that changes nothing: the station refused it, or vouches for it to nobody. */
export function isVoidStep({ kind, body }: AlertStep): boolean {
  return kind === 'action' && isVoid(JSON.parse(body) as Pick<AlertAction, 'refused' | 'unvouched'>)
}

/** Steps as the reduction takes them. `key`: opens the words of the school's records; null = they stay sealed. */
export function readSteps(
  steps: readonly AlertStep[],
  key: Pick<EvidenceKey, 'open'> | null,
): { triggers: Trigger[]; actions: AlertAction[] } {
  const triggers: Trigger[] = []
  const actions: AlertAction[] = []
  for (const { kind, body } of steps) {
    if (kind === 'trigger') triggers.push(JSON.parse(body) as Trigger)
    else {
      const said = alertActionSchema.parse(JSON.parse(body))
      actions.push(reducedAction(key ? openWords(said, key) : said))
    }
  }
  return { triggers, actions }
}
