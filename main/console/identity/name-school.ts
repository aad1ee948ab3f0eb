import { ConsoleError } from '../../../shared/errors.ts'
import type { Person } from '../../../shared/people.ts'
import { appendAudit } from '../../store/console/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import {
  keepSchool,
  nameSchoolOfPeople,
  schoolsResolved,
  storedSchool,
  type Database,
  type EventLog,
  type Touched,
} from '../../store/console/index.ts'
import type { Change, Changes } from '../changes.ts'
import { retryQuarantined, showForeign, triedAtStart } from '../event-queue/index.ts'

/**
 * The school that this console serves, read when it is asked: the one the configuration or the token told at
 * the start, else the one that a person has named; '' until then.
 */
export function ownSchool(db: Database, told: string): () => string {
  return () => told || (storedSchool(db) ?? '')
}

export interface SchoolSettling {
  db: Database
  eventLog: EventLog
  changes: Changes
  evidenceKey: EvidenceKey
  schoolId: string
  now: number
  consoleId: string
}

/**
 * At every start: what can be read by now leaves the quarantine, events of unknown school get the one that is
 * known by now, and what is stored of other schools comes in sight.
 */
export function settleAtStart(options: SchoolSettling): void {
  retryQuarantined({ ...options, by: { id: 'system', role: 'ADMIN' } }, { reasons: triedAtStart })
  options.changes.commit((altered) => altered.add(settle(options)))
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
    nameSchoolOfPeople(db, schoolId)
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
  return { ...touched, quarantined: schoolId === '' ? { entries: 0, crises: 0 } : showForeign(options) }
}

function schoolKnown(): ConsoleError {
  return new ConsoleError({
    code: 'school_known',
    happened: 'This console already knows its school.',
    safe: 'Nothing was changed.',
    todo: 'For another school start a console with a data directory of its own.',
  })
}
