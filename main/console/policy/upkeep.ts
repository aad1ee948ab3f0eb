/** What keeps the station up to date without anybody pressing anything: the desk's own people, and who looks after whom. */
import { isDeepStrictEqual } from 'node:util'
import { plainError, type PersonalError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import type { Policy } from '../../../shared/policy.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { AssignmentsView } from '../../../shared/views.ts'
import { asPersonalError } from '../../platform/personal-error.ts'
import type { Cancel } from '../../platform/ports.ts'
import { assignmentsToSend, countAssignmentsToSend, markAssignmentsSent } from '../../store/console/index.ts'
import type { DirectoryOptions } from './directory.ts'
import { followed } from './followed.ts'
import type { PolicyService } from './service.ts'

interface Upkeep {
  /** Brings the station up to date; resolves when that is done, or has failed and is tried again later. */
  wake(): Promise<void>
  assignments(): AssignmentsView
  /** A policy with the desk's own part of it as it is now. */
  ownPartOf(policy: Policy): Policy
  stop(): Promise<void>
}

/** Students told of in one call. */
const atOnce = 1000
/** How often somebody else may save in between. */
const mostTries = 5
/** Delays after failures in a row, milliseconds; the last one goes on. */
const backoff = [seconds(15), minutes(1), minutes(5), minutes(10)]

export function startUpkeep(options: Omit<DirectoryOptions, 'station'> & { station(): PolicyService | null }): Upkeep {
  const { db, changes, clock, logger, schoolId, own, station, speaker } = options
  let problem: PersonalError | null = null
  let failures = 0
  let cancel: Cancel = () => undefined
  let stopped = false
  let work = Promise.resolve()
  let queued: Promise<void> | null = null
  /** Who changed what the desk says of its school, since it was last told. */
  let changedBy: string | null = null

  const ownPartOf = (policy: Policy): Policy =>
    own === null ? policy : followed(policy, { ...own(), school_id: schoolId() })

  const tellOwnPart = async (service: PolicyService, as: Person): Promise<void> => {
    if (own === null) return
    const by = changedBy === null ? as : { ...as, id: changedBy }
    for (let tried = 0; tried < mostTries; tried++) {
      const { version, policy } = await service.read(by)
      const zone = own().time_zone ?? policy.calendar.time_zone
      const base = version > 0 ? policy : { ...policy, calendar: { ...policy.calendar, time_zone: zone } }
      const next = ownPartOf(base)
      if (isDeepStrictEqual(next, policy)) return
      const change = await service.save(by, version, next)
      if ('changed' in change) return
      if ('gaps' in change) throw new Error(`the desk’s own people leave ${change.gaps.length} gaps in the directory`)
    }
    throw new Error('the directory was saved by others again and again')
  }

  const tellAssignments = async (service: PolicyService, as: Person): Promise<void> => {
    const school = schoolId()
    if (school === '' || countAssignmentsToSend(db, school) === 0) return
    const listed = (await service.read(as)).policy.people.map(({ id }) => id)
    const next = () => assignmentsToSend(db, { schoolId: school, listed, limit: atOnce })
    for (let some = next(); some.length > 0 && !stopped; some = next()) {
      await service.assign(as, some)
      changes.commit(() => markAssignmentsSent(db, school, some))
    }
  }

  const assignments = (): AssignmentsView => ({ waiting: countAssignmentsToSend(db, schoolId()), problem })

  const bringUpToDate = async (): Promise<void> => {
    cancel()
    const before = JSON.stringify(assignments())
    const service = station()
    const as = speaker()
    if (stopped || service === null || as === null) return
    const by = changedBy
    try {
      await tellOwnPart(service, as)
      if (changedBy === by) changedBy = null
      await tellAssignments(service, as)
      problem = null
      failures = 0
    } catch (error) {
      if (stopped) return
      problem = plainError(asPersonalError(error, logger))
      const delay = backoff[Math.min(failures, backoff.length - 1)] ?? minutes(10)
      failures += 1
      cancel = clock.after(delay, () => void wake())
    }
    // Whoever looks at what waits sees that it went, or why not.
    if (JSON.stringify(assignments()) !== before) changes.tell({ policy: true })
  }

  const wake = (): Promise<void> => {
    queued ??= work = work.then(() => {
      queued = null
      return stopped ? undefined : bringUpToDate()
    })
    return queued
  }

  const unlisten = changes.listen(({ every_student, school_changed_by, policy }) => {
    changedBy = school_changed_by ?? changedBy
    // Somebody whose students wait may be listed now.
    const listedNow = policy && countAssignmentsToSend(db, schoolId()) > 0
    if (every_student || school_changed_by !== null || listedNow) void wake()
  })
  void wake()

  return {
    wake,
    assignments,
    ownPartOf,
    async stop() {
      stopped = true
      cancel()
      unlisten()
      await work
    },
  }
}
