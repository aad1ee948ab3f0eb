import { versionAfter, type Migration } from '../../migrate.ts'
import { migration as record } from './001-record.ts'
import { migration as intake } from './002-intake.ts'
import { migration as inbox } from './003-inbox.ts'
import { migration as school } from './004-school.ts'
import { migration as station } from './005-station.ts'
import { migration as detectionFiles } from './006-detection-files.ts'
import { migration as sessions } from './007-sessions.ts'
import { migration as accounts } from './008-accounts.ts'
import { migration as schoolKeys } from './009-school-keys.ts'
import { migration as policy } from './010-policy.ts'
import { migration as policyEvents } from './011-policy-events.ts'
import { migration as cases } from './012-cases.ts'
import { migration as timetable } from './013-timetable.ts'
import { migration as notified } from './014-notified.ts'
import { migration as notifications } from './015-notifications.ts'

/** Every step of the console's schema, in order. */
export const migrations: readonly Migration[] = [
  record,
  intake,
  inbox,
  school,
  station,
  detectionFiles,
  sessions,
  accounts,
  schoolKeys,
  policy,
  policyEvents,
  cases,
  timetable,
  notified,
  notifications,
]

/** The schema version this program writes. */
export const newestVersion = versionAfter(migrations)
