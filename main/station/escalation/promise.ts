/** Until when somebody has promised something, by the station's clock: whatever the clock of whoever promised it shows. */
import type { Alert } from '../../../shared/alerts.ts'
import { clockSkew } from '../../../shared/thresholds.ts'
import { relayedAt, type Unit } from '../../store/station/index.ts'

/**
 * When what is promised of an alert is over (UTC milliseconds by the station's clock); null = nothing is. What was
 * promised by a clock that runs ahead lasts as long as it was meant to from when the station heard of it. One that seems
 * to run behind may belong to a console that was offline: what it promised is over at the time that was said.
 */
export async function promiseEnds(unit: Unit, schoolId: string, alert: Alert): Promise<number | null> {
  const { due_at } = alert
  if (due_at === null) return null
  const promise = promiseOf(alert, due_at)
  const heard = promise && (await relayedAt(unit, schoolId, promise.id))
  if (promise === null || heard === null || promise.at - heard <= clockSkew) return due_at
  return heard + Math.max(due_at - promise.at, 0)
}

/** The record in which it was promised, and when that was made by the clock of its author. */
function promiseOf(alert: Alert, due: number): { id: string; at: number } | null {
  const said = alert.history.findLast(
    ({ action, applied }) => applied && action.by !== 'system' && 'due_at' in action && action.due_at === due,
  )
  if (said) return said.action
  // What is to be decided next once everything else was done follows from the record that says so.
  const next = alert.commitments.find(({ met, due_at }) => met === null && due_at === due)
  return next ? { id: next.id.replace(/ next$/, ''), at: next.made.at } : null
}
