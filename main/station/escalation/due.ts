/** What somebody has promised about an alert until a time that has passed: the alert is open again. */
import { namesThatFit } from '../../../shared/action-message.ts'
import { coverageOf } from '../../../shared/coverage.ts'
import { alertActionSchema } from '../../../shared/events.ts'
import type { Alert } from '../../../shared/alerts.ts'
import { clockSkew } from '../../../shared/thresholds.ts'
import { seconds } from '../../../shared/time.ts'
import { z } from 'zod'
import type { Randomness } from '../../platform/ports.ts'
import {
  deleteTimer,
  findAlert,
  findTimer,
  lockRecordOrder,
  setTimer,
  type Timer,
  type Unit,
} from '../../store/station/index.ts'
import type { AlertBook } from './book.ts'
import { promiseEnds } from './promise.ts'

/** What did not take, as it was answered for in the same moment, is looked at again. */
const againAfter = seconds(30)

export interface DueOptions {
  book: AlertBook
  randomness: Randomness
  stationId: string
  /** Gives a record its place and relays it, with what follows from it, in the unit of work. */
  relay(unit: Unit, school_id: string, event: Record<string, unknown>, now: number): Promise<void>
}

/** Opens an alert again whose commitment is overdue, by a record of the station's own. False where there is nothing to do. */
export async function reopenOverdue(unit: Unit, timer: Timer, options: DueOptions, now: number): Promise<boolean> {
  // First the order of its records, as whatever relays one does: of two who wait for each other neither would go on.
  await lockRecordOrder(unit, timer)
  const alert = (await options.book.alertsOf(unit, timer)).find(({ key }) => key === timer.alert_key)
  const current = await findTimer(unit, timer)
  if (!current) return false
  if (!alert || alert.state !== 'acknowledged' || alert.due_at === null) {
    // Kept from a time in which no ladder was run: nothing is promised any more.
    await deleteTimer(unit, current)
    return false
  }
  const ends = (await promiseEnds(unit, timer.school_id, alert)) ?? now
  if (ends > now) {
    await setTimer(unit, { ...current, due_at: ends, created_at: now })
    return false
  }
  await options.relay(unit, timer.school_id, reopened(alert, timer.school_id, options, now), now)
  const after = await findAlert(unit, timer)
  if (after?.state === 'acknowledged' && after.due_at === alert.due_at)
    await setTimer(unit, { ...current, due_at: now + againAfter, created_at: now })
  return true
}

/** The record of the clock's own word. Nobody can foresee its id, so nobody can stand in its place. */
function reopened(
  alert: Alert,
  school_id: string,
  { randomness, stationId }: DueOptions,
  now: number,
): Record<string, unknown> {
  const id = randomness.uuid()
  // After the plan of which it speaks, even where the clock of whoever made it runs ahead a little.
  const done = alert.history.map(({ action }) => action.at).filter((at) => at >= now && at < now + clockSkew)
  const at = Math.max(now, ...done.map((each) => each + 1))
  return z.encode(alertActionSchema, {
    schema_version: 1,
    event_type: 'ALERT_ACTION',
    action: 'reopened',
    event_id: id,
    idempotency_key: id,
    ack_id: id,
    timestamp: at,
    at,
    session_id: alert.session_id,
    student_hash: alert.student_hash,
    ...(school_id !== '' && { school_id }),
    alert_key: alert.key,
    // The latest first, for there may be room for no more.
    covers: namesThatFit([...new Set(alert.triggers.map(({ idempotency_key }) => idempotency_key))].toReversed()),
    trigger_ids: namesThatFit(alert.triggers.map(({ id: trigger }) => trigger).toReversed()),
    covered: coverageOf(alert.triggers),
    console_id: `station:${stationId}`,
    by: 'system',
    by_name: 'The clock',
    due_at: alert.due_at ?? now,
    reason: 'due time passed',
  })
}
