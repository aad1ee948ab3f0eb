import { isDeepStrictEqual } from 'node:util'
import { usualDetection, type DetectionChange, type KeptDetection } from '../../../shared/detection.ts'
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
  /** What the school has chosen of how its messages are read, as this console heard of it last. */
  detection(as: Person): KeptDetection
  /**
   * Chooses how the messages of the person's school are read, whatever else of the policy changes meanwhile. Rejects with
   * ConsoleError `station_*`, `no_station` or `detection_not_saved`.
   */
  chooseDetection(as: Person, change: DetectionChange): Promise<KeptDetection>
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
    detection: (as) => cachedPolicy(db, evidenceKey, as.school_id).kept?.policy.detection ?? usualDetection,
    async chooseDetection(as, change) {
      const { why, ...choice } = change
      const detection: KeptDetection = { ...choice, chosen: { by: as.id, at: clock.now(), why } }
      const policy = await savedWith(asked(), as, (current) => upkeep.ownPartOf({ ...current, detection }))
      changes.commit(() =>
        appendAudit(db, {
          at: clock.now(),
          who: as.id,
          role: as.role,
          what: 'detection.chosen',
          subject: `school ${as.school_id}, ${choice.operating_point}, weights ${choice.weights ?? 'recommended'}`,
          why,
          console_id: consoleId,
        }),
      )
      return policy.detection
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

/** How often a change of one part is tried while others change the rest. */
const mostTries = 5

/** The policy once a change of it was saved, made anew on whatever others saved meanwhile. */
async function savedWith(station: PolicyService, as: Person, change: (current: Policy) => Policy): Promise<Policy> {
  let current = await station.read(as)
  for (let tries = 0; tries < mostTries; tries += 1) {
    const done = await station.save(as, current.version, change(current.policy))
    if ('changed' in done) return done.changed.policy
    if ('gaps' in done) throw detectionNotSaved(done.gaps[0]?.gap ?? '')
    current = done.stale
  }
  throw detectionNotSaved('Others kept changing the directory at the same time.')
}

function detectionNotSaved(why: string): ConsoleError {
  return new ConsoleError({
    code: 'detection_not_saved',
    happened: `The school’s station did not save the choice. ${why}`.trim(),
    safe: 'Messages are read as before. Alerts still arrive.',
    todo: 'Correct that under Settings → Directory or On call, then choose again.',
  })
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
