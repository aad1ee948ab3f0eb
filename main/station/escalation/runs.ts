/** When an alert needs the ladder, and which rungs it then has. Pure. */
import type { Alert } from '../../../shared/alerts.ts'
import { ladderOf } from '../../../shared/escalation/index.ts'
import type { Policy } from '../../../shared/policy.ts'
import { channelSchema, type Rung } from '../../../shared/on-call.ts'
import { urgentHandOffWaits } from '../../../shared/thresholds.ts'
import { minutes } from '../../../shared/time.ts'

/**
 * One run of the ladder, from its first rung: because an alert is open, since it was opened again, or because somebody
 * to whom it was handed urgently has not answered. The same alert in the same state always names the same run.
 */
export type Run =
  | { why: 'open'; tier: Alert['tier']; reopened: { at: number; reason: string } | null }
  | { why: 'hand off'; tier: Alert['tier']; at: number; to: string }

/** The run that an alert needs; null = none. `isTold`: whether a trigger, by its id, is of a told past. */
export function runOf(alert: Alert, isTold: (id: string) => boolean): Run | null {
  if (!concernsNow(alert, isTold)) return null
  const { tier, state, reopened, hand_off } = alert
  if (state === 'open') return { why: 'open', tier, reopened: reopened && { at: reopened.at, reason: reopened.reason } }
  if (state !== 'acknowledged' || !hand_off?.urgent) return null
  const isLive = alert.history.some(
    ({ action }) => action.action === 'handed_off' && action.at === hand_off.at && !action.backfill,
  )
  return isLive ? { why: 'hand off', tier, at: hand_off.at, to: hand_off.to } : null
}

/** Whether anybody need hear of it: something of it was said now, or somebody has acted on it now. */
export function concernsNow(alert: Alert, isTold: (id: string) => boolean): boolean {
  return (
    alert.triggers.some(({ id }) => !isTold(id)) ||
    alert.history.some(({ action, applied }) => applied && !action.backfill && action.action !== 'seen')
  )
}

/** A run as it is kept. */
export const runName = (run: Run): string => JSON.stringify(run)
/** Throws where it is no name of a run. */
export const runNamed = (name: string): Run => JSON.parse(name) as Run

/** What a run calls for, in order. `after`: since the run began, milliseconds. */
export interface RunRung {
  rung: Rung
  after: number
}

/** Every way that a person may have. */
const allWays: Rung['channels'] = channelSchema.options

/** The rungs of a run by a school's policy as it stands now, the last of which comes again every `repeat` milliseconds. */
export function rungsOf(policy: Pick<Policy, 'on_call'>, run: Run): { rungs: RunRung[]; repeat: number } {
  const ladder = ladderOf(policy, run.tier)
  const all = ladder.rungs.map((rung): RunRung => ({ rung, after: minutes(rung.after_minutes) }))
  const repeat = minutes(ladder.repeat_minutes)
  if (run.why === 'open') return { rungs: all, repeat }
  const ring: Rung = { after_minutes: 0, to: [{ kind: 'person', person: run.to }], channels: allWays }
  // The first one has been told, or would only be told the same again.
  const rest = all.length > 1 ? all.slice(1) : all
  const first = rest[0]?.after ?? 0
  const goingOn = rest.map((each) => ({ ...each, after: urgentHandOffWaits + each.after - first }))
  return { rungs: [{ rung: ring, after: 0 }, ...goingOn], repeat }
}

/** Who looks after the student for the length of a run: whoever is to take the alert, else who is assigned. */
export const assignedIn = (run: Run, assigned: string | null): string | null =>
  run.why === 'hand off' ? run.to : assigned
