/** One rung of one alert, when its time has come: whom it tells is settled now, by the school's policy as it stands now. */
import { whoIsTold, type NotTold, type Told } from '../../../shared/escalation/index.ts'
import type { Policy } from '../../../shared/policy.ts'
import { clockSkew } from '../../../shared/thresholds.ts'
import { seconds } from '../../../shared/time.ts'
import type { Randomness } from '../../platform/ports.ts'
import {
  assignedTo,
  deleteTimer,
  enqueue,
  findAlert,
  findTimer,
  isDue,
  putAlert,
  setTimer,
  tryAlertSession,
  type AlertRow,
  type Timer,
  type Unit,
} from '../../store/station/index.ts'
import type { OutsideChannel } from '../channels/index.ts'
import { assignedIn, rungsOf, runNamed, type Run, type RunRung } from './runs.ts'
import { tell } from './tell.ts'
import { escalated } from './wire.ts'

/** So soon no rung of a run comes again: whoever finds it due once more has another time of day than whoever fired it. */
const neverAgainWithin = seconds(30)

/** A rung that comes later than this is late: the machine slept, or nothing ran. */
export const onTimeWithin = seconds(5)

export interface Firing {
  policy: Policy
  randomness: Randomness
  /** Ways that lead away from the consoles and that this station can use. */
  available: readonly OutsideChannel[]
  now: number
  /** Whether several stations share the database. */
  shared: boolean
}

/** What a rung came to. */
export interface Fired {
  alert: AlertRow
  /** Its place in the run, from 0. */
  rung: number
  /** How long after it was due, milliseconds; less than nothing where a clock was set back. */
  late_by: number
  /** Messages that are to be sent now. */
  tellings: string[]
  /** Nothing that it told may arrive. */
  toldNobody: boolean
}

/**
 * Fires the rung of a timer, with all that were due before the next one as one, and sets the timer of the next. Null where
 * there is nothing to do any more, or another station has it in hand.
 */
export async function fire(unit: Unit, timer: Timer, firing: Firing): Promise<Fired | null> {
  const { policy, now, randomness } = firing
  if (!(await tryAlertSession(unit, timer))) return null
  const current = await findTimer(unit, timer)
  if (!current || !isDue(current, firing)) return null
  const alert = await findAlert(unit, current)
  if (!alert || alert.run !== current.run) {
    // It is over: whoever changed it has set what follows.
    await deleteTimer(unit, current)
    return null
  }
  const run = runNamed(current.run)
  const { rungs, repeat } = rungsOf(policy, run)
  const last = Math.max(rungs.length - 1, 0)
  const late_by = now - current.due_at
  // Whoever is told must hear how old it is, whether this station was late or whoever told it.
  const late_ms = (late_by > onTimeWithin ? late_by : 0) + heardLate(run, alert)
  const late = late_ms > 0
  const planned = overdueRung(rungs, Math.min(current.rung, last), current.due_at, now)
  const assigned = assignedIn(run, await assignedTo(unit, alert))
  const { rung, resolved, passed } = firstThatTells(policy, rungs, planned.rung, now, assigned)
  const rests = alert.fired_rung === rung ? neverAgainWithin - Math.abs(now - (alert.fired_at ?? -Infinity)) : 0
  if (rests > 0) {
    await setTimer(unit, { ...current, due_at: Math.max(current.due_at, now + rests), created_at: now })
    return null
  }
  const gap = rung < last ? (rungs[rung + 1]?.after ?? 0) - (rungs[rung]?.after ?? 0) : repeat
  // What comes before its time counts from now on, and so does a last rung that should have come again by now.
  const onSchedule = rung === planned.rung && late_by >= 0 && planned.due_at + gap > now
  const next = { rung: Math.min(rung + 1, last), due_at: (onSchedule ? planned.due_at : now) + gap }
  const fired: AlertRow = {
    ...alert,
    firing: alert.firing + 1,
    rung: next.rung,
    next_at: next.due_at,
    fired_at: now,
    fired_rung: rung,
  }
  await putAlert(unit, fired)

  const people = resolved?.people ?? []
  const usable = (channel: Told['channels'][number]): boolean =>
    channel === 'desktop' || firing.available.includes(channel)
  const tellings: string[] = []
  const handOff = run.why === 'hand off' && rung === 0
  let mayArrive = false
  await enqueue(unit, [
    ...passed.map((each) =>
      escalated(fired, randomness.uuid(), now, {
        rung: each.rung,
        channels: [],
        due_at: current.due_at,
        next_at: now,
        late,
        failed: true,
        reason: each.reason,
      }),
    ),
    escalated(fired, randomness.uuid(), now, {
      rung,
      channels: rungs[rung]?.rung.channels ?? [],
      due_at: current.due_at,
      next_at: next.due_at,
      late,
      failed: people.length === 0,
      reason: people.length === 0 ? whyNobody(resolved?.missing ?? []) : reasonOf(run, rung, current),
    }),
  ])
  for (const { id: person, channels } of people) {
    // A way that nobody has set up is none, unless it is the only one.
    const ways = channels.some(usable) ? channels.filter(usable) : channels
    for (const channel of ways) {
      const isUsable = usable(channel)
      mayArrive ||= isUsable
      const told = await tell(unit, randomness, fired, { person, channel, isUsable, rung, late_ms, handOff }, now)
      if (told.dueNow !== null) tellings.push(told.dueNow)
    }
  }
  const atOnce = !mayArrive && next.rung > rung
  await setTimer(unit, {
    ...current,
    rung: next.rung,
    firing: fired.firing,
    due_at: atOnce ? now : next.due_at,
    created_at: now,
    reason: atOnce ? 'nobody was reached' : null,
  })
  return { alert: fired, rung, late_by, tellings, toldNobody: !mayArrive }
}

/** How long before its run began an alert was said, where others held it up on its way here (milliseconds); else 0. */
function heardLate(run: Run, { run_began_at, document }: AlertRow): number {
  if (run.why !== 'open' || run.reopened || run_began_at === null || document.said_at === undefined) return 0
  const age = run_began_at - document.said_at
  // Clocks of other producers stand apart by no more than this.
  return age > clockSkew ? age : 0
}

/** Of several rungs whose time has passed the highest fires for all of them. */
function overdueRung(
  rungs: readonly RunRung[],
  from: number,
  due: number,
  now: number,
): { rung: number; due_at: number } {
  let [rung, due_at] = [from, due]
  for (let next = rung + 1; next < rungs.length; next += 1) {
    const at = due_at + (rungs[next]?.after ?? 0) - (rungs[rung]?.after ?? 0)
    if (at > now) break
    ;[rung, due_at] = [next, at]
  }
  return { rung, due_at }
}

/** A rung that tells nobody is no reason to wait: the next one is tried at once. */
function firstThatTells(
  policy: Policy,
  rungs: readonly RunRung[],
  from: number,
  now: number,
  assigned: string | null,
): {
  rung: number
  resolved: ReturnType<typeof whoIsTold> | null
  passed: { rung: number; reason: string }[]
} {
  const passed: { rung: number; reason: string }[] = []
  for (let rung = from; ; rung += 1) {
    const current = rungs[rung]
    const resolved = current ? whoIsTold(policy, current.rung, now, { assigned }) : null
    if ((resolved && resolved.people.length > 0) || rung >= rungs.length - 1) return { rung, resolved, passed }
    passed.push({ rung, reason: whyNobody(resolved?.missing ?? []) })
  }
}

function whyNobody(missing: readonly NotTold[]): string {
  const reasons = [...new Set(missing.map(({ why }) => why))]
  return reasons.length > 0 ? reasons.join(', ') : 'the rung is empty'
}

function reasonOf(run: Run, rung: number, { reason }: Timer): string | null {
  if (reason !== null) return reason
  if (run.why === 'hand off') return rung === 0 ? 'handed off urgently' : 'hand-off not accepted'
  return rung === 0 && run.reopened ? `opened again: ${run.reopened.reason}` : null
}
