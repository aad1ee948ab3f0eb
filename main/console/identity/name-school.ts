import { setImmediate } from 'node:timers/promises'
import { ConsoleError } from '../../../shared/errors.ts'
import { knownEventTypes, newestSchemaVersion } from '../../../shared/events.ts'
import type { Person } from '../../../shared/people.ts'
import { appendAudit } from '../../store/console/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Clock } from '../../platform/ports.ts'
import {
  keepSchool,
  newestImport,
  quarantinedIds,
  readSetting,
  schoolsResolved,
  storedSchool,
  writeSetting,
  type Database,
  type EventLog,
  type Touched,
} from '../../store/console/index.ts'
import type { Change, Changes } from '../changes.ts'
import { retryQuarantined, showForeign, triedAtStart } from '../event-queue/index.ts'

export interface SchoolSettling {
  db: Database
  eventLog: EventLog
  changes: Changes
  evidenceKey: EvidenceKey
  schoolId: string
  now: number
  consoleId: string
}

/** The process answers between two slices of work, each about this long, in milliseconds. */
const sliceOfWork = 40
/** Bodies read again in one slice. */
const readAtOnce = 50

/**
 * At every start: what is stored of other schools comes in sight, at once; then, in slices until `signal`
 * aborts, what can be read by now leaves the quarantine, and events of unknown school get the one that is
 * known by now. Until then they are shown as the console's own.
 */
export async function settleAtStart(
  options: SchoolSettling & { clock: Pick<Clock, 'now'> },
  signal: AbortSignal,
): Promise<void> {
  const { db, eventLog, changes, schoolId, now, clock } = options
  changes.commit((altered) => altered.add({ quarantined: show(options) }))
  await readAgain(options, signal)
  const resolved = schoolsResolved(db, schoolId, now)
  while (resolved.length > 0 && !signal.aborted) {
    changes.commit((altered) => {
      const until = clock.now() + sliceOfWork
      let foreign = false
      do {
        const next = resolved.splice(0, 1)
        altered.add(eventLog.append(next))
        foreign ||= next.some(({ school_id }) => school_id !== schoolId)
      } while (resolved.length > 0 && clock.now() < until)
      // What a roster gives to another school is out of the inbox from here on.
      if (foreign) altered.add({ quarantined: show(options) })
    })
    await setImmediate()
  }
}

/** Reads again what another program, school or roster than that of the last time may make readable here. */
async function readAgain(options: SchoolSettling, signal: AbortSignal): Promise<void> {
  const { db, schoolId } = options
  const reader = [schoolId, newestImport(db), newestSchemaVersion, ...knownEventTypes].join(' ')
  const changed = readSetting(db, 'quarantine_read_by') !== reader
  // A time too far ahead comes nearer by itself.
  const ids = quarantinedIds(db, changed ? triedAtStart : ['time too far ahead'])
  for (let start = 0; start < ids.length; start += readAtOnce) {
    if (signal.aborted) return
    retryQuarantined({ ...options, by: { id: 'system', role: 'ADMIN' } }, ids.slice(start, start + readAtOnce))
    await setImmediate()
  }
  if (changed && !signal.aborted) writeSetting(db, 'quarantine_read_by', reader)
}

/**
 * Names the school that this console serves, for good: from now on other schools' events are set aside. One
 * commit with its audit entry. Throws ConsoleError `school_known` where the school is known already.
 */
export function nameSchool(options: SchoolSettling, by: Person): void {
  const { db, changes, schoolId, now, consoleId } = options
  changes.commit((altered) => {
    if (by.school_id !== '' || storedSchool(db) !== null) throw schoolKnown()
    keepSchool(db, schoolId)
    appendAudit(db, {
      at: now,
      who: by.id,
      role: by.role,
      what: 'school.name',
      subject: `school ${schoolId}`,
      why: '',
      console_id: consoleId,
    })
    altered.add({ ...settle(options), every_student: true })
  })
}

function settle(options: SchoolSettling): Pick<Change, keyof Touched | 'quarantined'> {
  const { db, eventLog, schoolId, now } = options
  const touched = eventLog.append(schoolsResolved(db, schoolId, now))
  return { ...touched, quarantined: show(options) }
}

function show(options: SchoolSettling): Change['quarantined'] {
  return options.schoolId === '' ? { entries: 0, crises: 0 } : showForeign(options)
}

function schoolKnown(): ConsoleError {
  return new ConsoleError({
    code: 'school_known',
    happened: 'This console already knows its school.',
    safe: 'Nothing was changed.',
    todo: 'For another school, start a console with its own data directory.',
  })
}
