/** The demonstration school: 60 invented students, 45 days of history, and a live part. */
export { eventsOfInterest, makeConsoleKeys, openDemonstrationConsole } from './console.ts'
export { planHistory, type PlannedSession } from './plan-past.ts'
export { planLive, type LiveConversation } from './live.ts'
export { loadSchool } from './load.ts'
export type { DemonstrationAction, DemonstrationPorts } from './ports.ts'
export { playDemonstration } from './play.ts'
export { DemonstrationFileError, readSchool, type DemonstrationSchool } from './school.ts'
export { startDemonstration } from './start.ts'
