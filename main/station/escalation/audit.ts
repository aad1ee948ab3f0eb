/** Whether the ladder keeps its promises: looked at every minute, and what is missing is made good. */
import { onTimeWithin } from './fire.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import {
  alertsWithoutTimer,
  deleteStrayTimers,
  lateTimers,
  setTimer,
  type AlertRow,
  type StationStore,
  type Timer,
  type Unit,
} from '../../store/station/index.ts'

export interface Audit {
  /** Walks all open alerts. Never rejects. */
  walk(): Promise<void>
  /** The schools whose ladder failed at the last walk; '' = every school's. */
  failing(): string[]
  /** A rung of a school came so much later than it was due, while this station ran. */
  rungWasLate(schoolId: string, lateBy: number): void
  /** The ladder of a school could not be worked, or with '' of any: the database is away, say. */
  failed(schoolId: string): void
  /** Since when the ladder of a school does not keep its times (UTC milliseconds); null = it does. */
  failingSince(schoolId: string): number | null
}

/** Sets the timers that alerts need and do not have; answers whose they are. */
export async function setMissingTimers(unit: Unit, now: number): Promise<AlertRow[]> {
  const rungs = await alertsWithoutTimer(unit, 'rung')
  const promises = await alertsWithoutTimer(unit, 'due')
  const set = ({ school_id, alert_key, session_id, rung, firing }: AlertRow, timer: TimerOf) =>
    setTimer(unit, { school_id, alert_key, session_id, rung, firing, reason: null, created_at: now, ...timer })
  for (const alert of rungs) await set(alert, { kind: 'rung', run: alert.run ?? '', due_at: alert.next_at ?? now })
  for (const alert of promises) await set(alert, { kind: 'due', run: 'due', due_at: alert.due_at ?? now })
  return [...rungs, ...promises]
}
type TimerOf = Pick<Timer, 'kind' | 'run' | 'due_at'>

export function createAudit({ store, clock, logger }: { store: StationStore; clock: Clock; logger: Logger }): Audit {
  const failing = new Map<string, number>()
  /** What was found since the last walk. */
  let found = new Set<string>()
  const every = ''

  const look = async (): Promise<void> => {
    const now = clock.now()
    const { late, missing, stray } = await store.asStation(async (unit) => ({
      missing: await setMissingTimers(unit, now),
      late: await lateTimers(unit, { now, late: onTimeWithin }),
      stray: await deleteStrayTimers(unit),
    }))
    for (const { school_id } of [...late, ...missing]) found.add(school_id)
    for (const school of stray) found.add(school)
    if (late.length + missing.length + stray.length > 0)
      logger.error(
        { late: late.length, without_timer: missing.length, without_alert: stray.length },
        'the ladder does not keep its times; what was missing is set again',
      )
  }

  return {
    async walk() {
      try {
        await look()
      } catch (error) {
        found.add(every)
        logger.error({ error: error instanceof Error ? error.name : 'unknown' }, 'the ladder could not be looked over')
      }
      const begun = [...found].filter((school) => !failing.has(school))
      for (const school of begun) failing.set(school, clock.now())
      for (const school of failing.keys()) if (!found.has(school)) failing.delete(school)
      found = new Set()
    },
    failing: () => [...failing.keys()],
    rungWasLate(schoolId, lateBy) {
      found.add(schoolId)
      logger.error({ late_ms: lateBy }, 'a rung of the ladder came late')
    },
    failed: (schoolId) => void found.add(schoolId),
    failingSince(schoolId) {
      const since = [failing.get(schoolId), failing.get(every)].flatMap((at) => at ?? [])
      return since.length > 0 ? Math.min(...since) : null
    },
  }
}
