/** The station's database: sessions, messages, markers, records, keys, directories, the outbox of events. */
export * from '../index.ts'
export {
  addAlertSteps,
  alertStepsOf,
  lockAlertSession,
  schoolsOfAlertSession,
  takeAlertSteps,
  tryAlertSession,
  type AlertStep,
} from './alert-steps.ts'
export {
  alertsOfSession,
  alertsToldTo,
  alertsWithoutTimer,
  findAlert,
  mergeAlert,
  nextAlertNumber,
  putAlert,
  type AlertDocument,
  type AlertRow,
} from './alerts.ts'
export { claimText, toldTimes } from './answers.ts'
export { insertApiKey, markRevoked, storedApiKeys } from './api-keys.ts'
export { enrolmentStore, type AnnouncedConsole, type EnrolmentStore } from './consoles.ts'
export {
  assignedAtSchool,
  beginDrill,
  drillFired,
  drillsFailingSince,
  endDrill,
  haveAllClosed,
  keepConsoleClosed,
  findDrill,
  keepDrillFired,
  keepDrillSeen,
  ladderDidNotFire,
  lastDrillSeen,
  removeOwnDrills,
  type DrillFired,
  type StoredDrill,
} from './drills.ts'
export {
  deliveriesOfTelling,
  findDelivery,
  insertDelivery,
  mayHaveArrived,
  runsHeardSince,
  settleDelivery,
  unansweredDeliveries,
  type Delivery,
} from './deliveries.ts'
export { nextHeartbeat } from './heartbeats.ts'
export { openStationKeys } from './keys.ts'
export { insertMarkers, markersOf } from './markers.ts'
export {
  claimUnfinished,
  findByClientId,
  findMessage,
  forgetContent,
  insertMessage,
  latestMessages,
  markAnalyzed,
  messagesOf,
  releaseClaims,
  toldMessages,
  type MessageRole,
  type RefusedAs,
  type StoredMessage,
} from './messages.ts'
export { examineStationStore, openStationFile, openStationStore, type StationDatabase } from './open.ts'
export {
  deleteConfirmed,
  enqueue,
  refusedEvents,
  sendUnconfirmedAgain,
  stationOutbox,
  waitingEvents,
  type RefusedEvent,
  type StationMessage,
} from './outbox.ts'
export {
  assignedTo,
  insertPolicy,
  keepAssignments,
  newestPolicies,
  newestPolicy,
  type StoredPolicy,
} from './policies.ts'
export { recoverStation } from './recovery.ts'
export { keepRecord, lockRecordOrder, relayedAt } from './records.ts'
export { insertSaltRead } from './salt-reads.ts'
export { findSecrets, insertSecrets, knownSchools } from './schools.ts'
export {
  countMessage,
  countSessions,
  findSession,
  findSummary,
  hasSessions,
  insertSession,
  listSessions,
  markEnded,
  nextSequence,
  sessionPage,
  type Resource,
  type SessionKey,
  type SessionMetadata,
  type SessionStatus,
  type StoredSession,
} from './sessions.ts'
export { keepSetting } from './settings.ts'
export { DatabaseGone, type StationStore } from './store.ts'
export type { Unit } from './tables.ts'
export {
  alarmWasTold,
  handOffWasTold,
  claimTelling,
  dueTellings,
  insertTelling,
  keepTellWindow,
  lockTellWindow,
  releaseTellings,
  settleTelling,
  type Telling,
} from './tellings.ts'
export {
  deleteStrayTimers,
  deleteTimer,
  dueTimers,
  findTimer,
  isDue,
  lateTimers,
  lockRungTimers,
  setTimer,
  setTimersBack,
  type Timer,
} from './timers.ts'
export { insertTestAlert, lastTestAlert, settleTestAlert } from './test-alerts.ts'
