/** What keeps the station up to date without anybody pressing anything: the desk's own people, and who looks after whom. */
import { isDeepStrictEqual } from 'node:util'
import { plainError, type PersonalError } from '../../../shared/errors.ts'
import type { Policy } from '../../../shared/policy.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { AssignmentsView } from '../../../shared/views.ts'
import { asPersonalError } from '../../platform/personal-error.ts'
import type { Cancel } from '../../platform/ports.ts'
import {
  assignmentsToSend,
  countAssignmentsToSend,
  markAssignmentsSent,
  newestAct,
  readSetting,
  writeSetting,
} from '../../store/console/index.ts'
import type { DirectoryOptions } from './directory.ts'
import { followed } from './followed.ts'
import type { Caller, PolicyService } from './service.ts'

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

/** What changes the desk's own part of the directory, as the audit names it. */
const ownActs = [
  'account.added',
  'account.role_changed',
  'account.ended',
  'account.password_reset',
  'crisis_resources.changed',
]
/** What gives students to people. */
const assigningActs = ['roster.import', 'account.added']
/** The newest of `ownActs` that the station was told the outcome of, as its number in the audit. */
const actTold = 'directory_act_told'

type UpkeepOptions = Omit<DirectoryOptions, 'station' | 'speaker'> & {
  station(): PolicyService | null
  /** In whose name the station is told what `author` did; null = nobody did, or nobody knows who. Null where nobody may. */
  nameOf(author: string | null): Caller | null
}

export function startUpkeep(options: UpkeepOptions): Upkeep {
  const { db, changes, clock, logger, schoolId, own, station, nameOf } = options
  let problem: PersonalError | null = null
  let failures = 0
  let cancel: Cancel = () => undefined
  let stopped = false
  let work = Promise.resolve()
  let queued: Promise<void> | null = null
  /** The station is being told, or is about to be. */
  let busy = false

  const ownPartOf = (policy: Policy): Policy =>
    own === null ? policy : followed(policy, { ...own(), school_id: schoolId() })

  /** Who has changed the desk's own part since the station was told; null where no one is known to have. */
  const newestAuthor = (): { seq: number; who: string | null } => {
    const told = readSetting(db, actTold)
    const act = newestAct(db, ownActs, Number(told ?? 0))
    // Where nobody has noted what the station was told, an act of long ago may have nothing to do with it.
    return { seq: act?.seq ?? Number(told ?? 0), who: told === undefined ? null : (act?.who ?? null) }
  }
  const noteTold = (seq: number): void => {
    if (readSetting(db, actTold) !== String(seq)) changes.commit(() => writeSetting(db, actTold, String(seq)))
  }

  const tellOwnPart = async (service: PolicyService, reader: Caller): Promise<void> => {
    if (own === null) return
    for (let tried = 0; tried < mostTries; tried++) {
      const { version, policy } = await service.read(reader)
      const zone = own().time_zone ?? policy.calendar.time_zone
      const base = version > 0 ? policy : { ...policy, calendar: { ...policy.calendar, time_zone: zone } }
      const next = ownPartOf(base)
      const act = newestAuthor()
      if (isDeepStrictEqual(next, policy)) return noteTold(act.seq)
      const change = await service.save(nameOf(act.who) ?? reader, version, next, { follows: true })
      if ('changed' in change) return noteTold(act.seq)
      if ('gaps' in change) throw new Error(`the desk’s own people leave ${change.gaps.length} gaps in the directory`)
    }
    throw new Error('the directory was saved by others again and again')
  }

  const tellAssignments = async (service: PolicyService, reader: Caller): Promise<void> => {
    const school = schoolId()
    if (school === '' || countAssignmentsToSend(db, school) === 0) return
    const as = nameOf(newestAct(db, assigningActs)?.who ?? null) ?? reader
    const listed = (await service.read(as)).policy.people.map(({ id }) => id)
    const next = () => assignmentsToSend(db, { schoolId: school, listed, limit: atOnce })
    for (let some = next(); some.length > 0 && !stopped; some = next()) {
      await service.assign(as, some)
      changes.commit(() => markAssignmentsSent(db, school, some))
    }
  }

  const assignments = (): AssignmentsView => {
    const waiting = countAssignmentsToSend(db, schoolId())
    return { waiting, problem, sending: busy && waiting > 0 }
  }

  const bringUpToDate = async (): Promise<void> => {
    cancel()
    const service = station()
    const reader = nameOf(null)
    if (service === null || reader === null) return
    try {
      await tellOwnPart(service, reader)
      await tellAssignments(service, reader)
      problem = null
      failures = 0
    } catch (error) {
      if (stopped) return
      problem = plainError(asPersonalError(error, logger))
      const delay = backoff[Math.min(failures, backoff.length - 1)] ?? minutes(10)
      failures += 1
      cancel = clock.after(delay, () => void wake())
    }
  }

  const wake = (): Promise<void> => {
    busy = station() !== null
    queued ??= work = work.then(async () => {
      queued = null
      if (stopped) return
      const before = JSON.stringify(assignments())
      await bringUpToDate()
      busy = queued !== null
      // Whoever looks at what waits sees that it went, or why not. It is no reason to try again.
      if (!stopped && JSON.stringify(assignments()) !== before) changes.tell({ assignments: true })
    })
    return queued
  }

  const unlisten = changes.listen(({ every_student, school_changed, policy }) => {
    // Somebody whose students wait may be listed now.
    const listedNow = policy && countAssignmentsToSend(db, schoolId()) > 0
    if (every_student || school_changed || listedNow) void wake()
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
