/** The console's cache: event log, projections, what screens ask of them. */
export * from '../index.ts'
export { cacheOutbox, countWaiting, enqueue, enqueueOfDrills, sayNothingOfDrills, wasEnqueued } from '../outbox.ts'
export {
  accountByUserName,
  accountOf,
  accountsOfSchool,
  endAccount,
  hasAnotherAdmin,
  insertAccount,
  noteSignIn,
  savePassword,
} from './accounts.ts'
export {
  dropActionReport,
  markActionReportsRead,
  ownActions,
  putActionReport,
  unreadActionReports,
  type OwnAction,
} from './action-reports.ts'
export { appendAudit, isAudited, newestAct, somebodyActed, verifyAudit } from './audit.ts'
export { draftsOf, keepDraft } from './drafts.ts'
export { createEventLog, type Appending, type EventLog } from './event-log.ts'
export * from './examination.ts'
export { keyOf, type Touched } from './projections/index.ts'
export { opensCrisis } from './projections/alerts.ts'
export { newestVersion } from './migrations/index.ts'
export { openDatabase } from './open.ts'
export * from './queries/index.ts'
export { peopleOfSchool, personById, savePerson } from './people.ts'
export {
  assignmentsToSend,
  countAssignmentsToSend,
  markAssignmentsSent,
  newestPolicyHeard,
  sealedPolicies,
} from './policies.ts'
export * from './quarantine.ts'
export {
  counselorOf,
  giveCaseload,
  isOnCaseload,
  lastImport,
  newestImport,
  rosterEntry,
  rosterOfSchool,
  saveRoster,
  unknownCounselors,
} from './roster.ts'
export { approvedSince, insertSchoolKey, schoolKeys, sealedKeysAfter } from './school-keys.ts'
export { keepSchool, storedSchool } from './school.ts'
export { foreignTriggers, schoolOf, schoolsResolved, seenSchools } from './school-of-event.ts'
export { recoverConsole } from './recovery.ts'
export { readSetting, setting, writeSetting } from './setting.ts'
export { countLessons, lastTimetable, lessonsOf, replaceTimetable } from './timetable.ts'
