/** Triggers, actions and the alerts that they make, for tests of what an alert is. */
import { expect } from 'vitest'
import type { ActionKind, AlertAction } from '../../shared/actions.ts'
import { coverageOf, type Alert, type Trigger } from '../../shared/alerts.ts'
import { createReduction } from '../../shared/reduction.ts'
import { minutes } from '../../shared/time.ts'

/** When the first trigger of a test is said. */
export const start = Date.UTC(2026, 0, 20, 10, 15)

/** The alerts of a session whose triggers and actions are all known at once. */
export function reduceAlerts(triggers: readonly Trigger[], actions: readonly AlertAction[]): Alert[] {
  const reduction = createReduction()
  reduction.add(triggers, actions)
  return reduction.alerts()
}

let numbered = 0
/** A trigger’s id. */
export const identity = (index: number): string => index.toString(16).padStart(32, '0').padEnd(64, '0')

/** A crisis at `start`. */
export function trigger(changes: Partial<Trigger> = {}): Trigger {
  const id = changes.id ?? identity(++numbered)
  const at = changes.at ?? start
  return {
    id,
    idempotency_key: `key-${id}`,
    session_id: 'session',
    student_hash: 'a'.repeat(64),
    school_id: null,
    at,
    received_at: at + 400,
    tier: 'crisis',
    score: 0.93,
    categories: ['suicidal_intent'],
    about_other: false,
    message_id: null,
    occurred_at: null,
    ...changes,
  }
}

/** An action of Marlow’s a minute after `start`. */
export function action(
  kind: ActionKind,
  covers: readonly Trigger[],
  changes: Partial<Pick<AlertAction, 'id' | 'at' | 'by' | 'covers' | 'covered' | 'note'>> & Said = {},
): AlertAction {
  const by = changes.by ?? 'marlow'
  return {
    id: `action-${++numbered}`,
    action: kind,
    at: start + minutes(1),
    by,
    by_name: by,
    covers: covers.map(({ id }) => id),
    covered: coverageOf(covers),
    ...(kind === 'resolved' && { disposition: 'contacted student' as const, note: 'Spoke.' }),
    ...changes,
  } as AlertAction
}

/** What some kind of action says. */
type Said = Partial<Record<string, unknown>>

/** The one alert there is. */
export const only = (alerts: Alert[]): Alert => {
  expect(alerts).toHaveLength(1)
  return alerts[0] as Alert
}
