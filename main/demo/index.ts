/** The demonstration school: 60 invented students, 45 days of history, and a live part. */
export { planHistory, historyDays, type PlannedMessage, type PlannedSession } from './history.ts'
export { firstTrigger, planLive, type LiveConversation } from './live.ts'
export { loadSchool } from './load.ts'
export type {
  DemonstrationAction,
  DemonstrationPorts,
  HistoryIntake,
  LiveIntake,
  Received,
  SessionMetadata,
} from './ports.ts'
export { restIntake } from './rest.ts'
export { runDemonstration, type Demonstration, type DemonstrationPlan } from './run.ts'
export { DemonstrationFileError, readSchool, type DemonstrationSchool } from './school.ts'
export { startDemonstration } from './start.ts'
