/** A drill goes through the ladder as an alert does, up to the moment at which somebody would be told. */
import { ladderRun } from '../../../shared/escalation/index.ts'
import type { Policy } from '../../../shared/policy.ts'
import type { Randomness } from '../../platform/ports.ts'
import {
  assignedAtSchool,
  deleteTimer,
  enqueue,
  findDrill,
  findTimer,
  isDue,
  keepDrillFired,
  lockAlertSession,
  setTimer,
  tryAlertSession,
  type StoredDrill,
  type Timer,
  type Unit,
} from '../../store/station/index.ts'
import type { OutsideChannel } from '../channels/index.ts'
import { drillFound } from '../drill-event.ts'

/** Sets the timer of a drill whose crisis was found, in the unit of work that keeps it: the runner finds it as any other. */
export async function setDrillTimer(
  unit: Unit,
  { school_id, session_id, number }: StoredDrill & { session_id: string },
  now: number,
): Promise<void> {
  await lockAlertSession(unit, { school_id, session_id })
  await setTimer(unit, {
    school_id,
    alert_key: `drill:${number}`,
    kind: 'drill',
    session_id,
    run: 'drill',
    rung: 0,
    firing: 0,
    reason: null,
    due_at: now,
    created_at: now,
  })
}

/**
 * Works the timer of a drill: settles by the policy of now whom the first rung of a crisis that tells anybody would tell
 * by the ways that this station has, keeps how many they are, and tells the consoles; nobody else is told anything. False
 * where there is nothing to do any more, or another station has it in hand.
 */
export async function fireDrill(
  unit: Unit,
  timer: Timer,
  firing: {
    policy: Policy
    randomness: Randomness
    available: readonly OutsideChannel[]
    now: number
    shared: boolean
  },
): Promise<boolean> {
  const { policy, randomness, available, now } = firing
  if (!(await tryAlertSession(unit, timer))) return false
  const current = await findTimer(unit, timer)
  if (!current || !isDue(current, firing)) return false
  await deleteTimer(unit, current)
  const drill = await findDrill(unit, current)
  if (!drill) return false
  const assigned = await assignedAtSchool(unit, current.school_id)
  const ways = ['desktop' as const, ...available]
  const rung = ladderRun(policy, now, { tier: 'crisis', assigned, ways }).find(({ passed }) => !passed)
  const fired = { would_tell: rung?.people.length ?? 0, fired_at: now }
  // Given up meanwhile: it has failed, and proves nothing.
  if (!(await keepDrillFired(unit, { ...drill, ...fired }))) return false
  await enqueue(unit, [drillFound(drill, randomness.uuid(), now, fired)])
  return true
}
