/** Whether the ladder keeps its promises: looked at every minute, and what is missing is made good. */
import { onTimeWithin } from './fire.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import {
  alertsWithoutTimer,
  deleteStrayTimers,
  lateTimers,
  setTimer,
  type StationStore,
} from '../../store/station/index.ts'

export interface Audit {
  /**
   * Walks all open alerts. Answers the schools whose ladder has begun to fail; '' = every school's. Never rejects.
   */
  walk(): Promise<string[]>
  /** A rung of a school came so much later than it was due, while this station ran. */
  rungWasLate(schoolId: string, lateBy: number): void
  /** The ladder could not be worked: the database is away, say. */
  failed(): void
  /** Since when the ladder of a school does not keep its times (UTC milliseconds); null = it does. */
  failingSince(schoolId: string): number | null
}

export function createAudit({ store, clock, logger }: { store: StationStore; clock: Clock; logger: Logger }): Audit {
  const failing = new Map<string, number>()
  /** What was found since the last walk. */
  let found = new Set<string>()
  const every = ''

  const look = async (): Promise<void> => {
    const now = clock.now()
    const { late, missing, stray } = await store.asStation(async (unit) => {
      const alone = await alertsWithoutTimer(unit)
      for (const { school_id, alert_key, session_id, run, rung, firing, next_at } of alone)
        await setTimer(unit, {
          ...{ school_id, alert_key, session_id, rung, firing },
          kind: 'rung',
          run: run ?? '',
          reason: null,
          due_at: next_at ?? now,
          created_at: now,
        })
      return {
        late: await lateTimers(unit, { now, late: onTimeWithin }),
        missing: alone,
        stray: await deleteStrayTimers(unit),
      }
    })
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
      return begun
    },
    rungWasLate(schoolId, lateBy) {
      found.add(schoolId)
      logger.error({ late_ms: lateBy }, 'a rung of the ladder came late')
    },
    failed: () => void found.add(every),
    failingSince(schoolId) {
      const since = [failing.get(schoolId), failing.get(every)].flatMap((at) => at ?? [])
      return since.length > 0 ? Math.min(...since) : null
    },
  }
}
