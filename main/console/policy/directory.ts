import { isDeepStrictEqual } from 'node:util'
import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import type { KeptPolicy, Policy, PolicyChange, PolicyGap } from '../../../shared/policy.ts'
import type { TestAlertResult } from '../../../shared/test-alert.ts'
import type { AssignmentsView, DirectoryView } from '../../../shared/views.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import { appendAudit, type Database } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import { cachedPolicy } from './cached-policy.ts'
import { contradictions, type OwnSchool } from './followed.ts'
import type { PolicyService } from './service.ts'
import { startUpkeep } from './upkeep.ts'

/** The school's directory as a console has it: read from what it heard, edited at the station. */
export interface Directory {
  /** As this console heard of it last; works without the station. */
  view(as: Person): DirectoryView
  /** As the station has it now, to be edited. Rejects with ConsoleError `station_*`. */
  edit(as: Person): Promise<KeptPolicy>
  /** Saves what was edited from `version`. Rejects with ConsoleError `station_*`. */
  save(as: Person, version: number, policy: Policy): Promise<PolicyChange>
  /** Has the station send the person a test alert by each of their own ways. Rejects with ConsoleError. */
  testAlert(as: Person): Promise<TestAlertResult>
  /** Resolves when the station was told whose students are whose, or could not be: it is told later then. */
  assignmentsSent(): Promise<AssignmentsView>
  /** Where a policy that came to the station in this process contradicts what this desk says of its school by itself. */
  contradictions(policy: Policy): PolicyGap[]
  /** The station in this process runs from now on. */
  serve(station: PolicyService): void
  stop(): Promise<void>
}

export interface DirectoryOptions {
  db: Database
  changes: Changes
  evidenceKey: EvidenceKey
  consoleId: string
  clock: Clock
  logger: Logger
  /** The console's school, asked each time; '' until it is named. */
  schoolId(): string
  /** The station somewhere else; null where there is none, or it runs in this process and is not there yet. */
  station: PolicyService | null
  /** Who speaks to a station somewhere else where nobody presses anything; null where nobody may. */
  speaker(): Person | null
  /** What the desk says of its school by itself; null where it says nothing. */
  own: (() => Omit<OwnSchool, 'school_id'>) | null
  /** Finds a person known here. */
  find(personId: string): Person | null
}

export function createDirectory(options: DirectoryOptions): Directory {
  const { db, changes, evidenceKey, consoleId, clock, schoolId, own, find } = options
  let station = options.station
  let runsHere = false
  const upkeep = startUpkeep({
    ...options,
    station: () => station,
    // A station here takes everybody's word who acts at this desk; one elsewhere that of a token.
    nameOf: (author) => (runsHere ? { id: author ?? 'system', school_id: schoolId() } : options.speaker()),
  })

  const asked = (): PolicyService => {
    if (!station) throw noStation()
    return station
  }

  return {
    view(as) {
      const { kept, sealed } = cachedPolicy(db, evidenceKey, as.school_id)
      const mine = as.school_id === schoolId()
      return {
        station: station === null ? 'none' : runsHere ? 'here' : 'elsewhere',
        sealed,
        kept,
        changed_by_name: kept?.changed_by == null ? null : (find(kept.changed_by)?.name ?? null),
        own: own && { people: own().people.map(({ id }) => id), crisis_numbers: own().crisis_numbers !== null },
        assignments: mine ? upkeep.assignments() : { waiting: 0, problem: null, sending: false },
      }
    },
    edit: async (as) => asked().read(as),
    async save(as, version, policy) {
      const change = await asked().save(as, version, upkeep.ownPartOf(policy))
      const done = isOwnDoing(change, as, upkeep.ownPartOf(policy)) ? { changed: change.stale } : change
      if ('changed' in done)
        changes.commit(() =>
          appendAudit(db, {
            at: clock.now(),
            who: as.id,
            role: as.role,
            what: 'directory.changed',
            subject: `school ${as.school_id}, version ${done.changed.version}`,
            why: '',
            console_id: consoleId,
          }),
        )
      return done
    },
    testAlert: async (as) => asked().testAlert(as),
    async assignmentsSent() {
      await upkeep.wake()
      return upkeep.assignments()
    },
    contradictions: (policy) => (own ? contradictions(policy, { ...own(), school_id: schoolId() }) : []),
    serve(here) {
      station = here
      runsHere = true
      void upkeep.wake()
    },
    stop: () => upkeep.stop(),
  }
}

/** An answer that was lost on the way: the station had saved the very same before it was sent again. */
function isOwnDoing(change: PolicyChange, as: Person, policy: Policy): change is { stale: KeptPolicy } {
  return 'stale' in change && change.stale.changed_by === as.id && isDeepStrictEqual(change.stale.policy, policy)
}

function noStation(): ConsoleError {
  return new ConsoleError({
    code: 'no_station',
    happened: 'The school’s directory is kept at its station, and this console is not connected to one.',
    safe: 'Nothing was changed. Alerts still arrive.',
    todo: 'Set PSYFLO_STATION_URL to the address of the school’s station, then restart the console.',
  })
}
