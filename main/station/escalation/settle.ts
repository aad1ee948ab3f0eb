/** What became of telling people. Where nobody was reached by a rung, the next one comes at once. */
import {
  enqueue,
  findAlert,
  lockRungTimers,
  mayHaveArrived,
  putAlert,
  setTimer,
  settleDelivery,
  type Delivery,
  type Unit,
} from '../../store/station/index.ts'
import { notified } from './wire.ts'

/** What became of a delivery. `code`: why it failed; never an address. */
export type Settled = { state: 'delivered'; code: null } | { state: 'failed'; code: string }

/** Writes down what became of deliveries, tells the consoles, and brings the next rung forward where all have failed. */
export async function settle(
  unit: Unit,
  deliveries: readonly Delivery[],
  settled: Settled,
  now: number,
): Promise<void> {
  // First the timers: of two messages of one rung that fail at once, the second sees that the first has.
  const timers = await lockRungTimers(unit, deliveries)
  const changed: Delivery[] = []
  for (const delivery of deliveries) {
    const row = await settleDelivery(unit, delivery, { ...settled, settled_at: now })
    const alert = row && (await findAlert(unit, row))
    if (!row || !alert) continue
    changed.push(row)
    await enqueue(unit, [notified(alert, row, now)])
  }
  if (settled.state === 'delivered') return
  for (const timer of timers) {
    const told = changed.find(
      ({ school_id, alert_key, run, firing }) =>
        school_id === timer.school_id && alert_key === timer.alert_key && run === timer.run && firing === timer.firing,
    )
    if (told && !(await mayHaveArrived(unit, told))) await bringForward(unit, timer, told.rung, now)
  }
}

/** The next rung comes at once, but for the last one when it comes again: that waits its time. */
async function bringForward(
  unit: Unit,
  timer: Parameters<typeof setTimer>[1],
  toldRung: number,
  now: number,
): Promise<void> {
  if (timer.rung === toldRung || timer.due_at <= now) return
  const alert = await findAlert(unit, timer)
  if (alert) await putAlert(unit, { ...alert, next_at: now })
  await setTimer(unit, { ...timer, due_at: now, created_at: now, reason: 'nobody was reached' })
}
