import type { Person } from '../../../shared/people.ts'
import type { Assignment, KeptPolicy, Policy, PolicyChange } from '../../../shared/policy.ts'

/** Who asks, at which school. What they may do is the station's to say. */
export type Caller = Pick<Person, 'id' | 'school_id'>

/** The station of a school as its console asks it, wherever it runs. Every call rejects with ConsoleError. */
export interface PolicyService {
  /** The directory and calendar of the person's school, as the station has them now. */
  read(as: Caller): Promise<KeptPolicy>
  /** Saves what was edited from `version`. `follows`: nobody edited it, it only says who works at this desk now. */
  save(as: Caller, version: number, policy: Policy, how?: { follows: boolean }): Promise<PolicyChange>
  /** Who looks after these students from now on; every person is in the directory. */
  assign(as: Caller, assignments: readonly Assignment[]): Promise<void>
}

/** What a station in the same process offers, for every school that it serves. */
export interface StationPolicy {
  read(schoolId: string): Promise<KeptPolicy>
  save(change: {
    school_id: string
    by: string
    version: number
    policy: Policy
    follows?: boolean
  }): Promise<PolicyChange>
  assign(change: { school_id: string; by: string; assignments: readonly Assignment[] }): Promise<void>
}

/** The station in this process. */
export function stationHere(station: StationPolicy): PolicyService {
  return {
    read: (as) => station.read(as.school_id),
    save: (as, version, policy, how) => station.save({ school_id: as.school_id, by: as.id, version, policy, ...how }),
    assign: (as, assignments) => station.assign({ school_id: as.school_id, by: as.id, assignments }),
  }
}
