/** Who would be told if a crisis arrived at a school now: its policy as it stands here, run forward. */
import { coverageNow, type Ways } from '../../shared/escalation/index.ts'
import type { CoverageNow } from '../../shared/events.ts'
import type { Clock } from '../platform/ports.ts'
import { assignedAtSchool, type StationStore } from '../store/station/index.ts'
import type { Policies } from './policy/index.ts'

/** Answers for one school after the other. Rejects with DatabaseGone and SchoolNotServed. */
export function coverageOf(options: {
  store: StationStore
  policies: Pick<Policies, 'read'>
  clock: Clock
  /** The ways by which this station can tell anybody. */
  ways(): Ways
}): (schoolId: string) => Promise<CoverageNow> {
  const { store, policies, clock, ways } = options
  return async (schoolId) => {
    const { version, policy } = await policies.read(schoolId)
    const assigned = await store.asSchool(schoolId, (unit) => assignedAtSchool(unit, schoolId))
    return coverageNow(policy, clock.now(), { version, assigned, ways: ways() })
  }
}
