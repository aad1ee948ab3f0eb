/** The demonstration school: 60 invented students, 45 days of history, and a live part. */
export { planHistory, type PlannedSession } from './history.ts'
export { planLive, type LiveConversation } from './live.ts'
export { loadSchool } from './load.ts'
export type { DemonstrationAction, DemonstrationPorts } from './ports.ts'
export { restIntake } from './rest.ts'
export { runDemonstration } from './run.ts'
export { DemonstrationFileError, readSchool } from './school.ts'
export { startDemonstration } from './start.ts'
