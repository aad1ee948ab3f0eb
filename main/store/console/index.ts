/** The console's cache: event log, projections, what screens ask of them. */
export * from '../index.ts'
export { openDatabase } from './open.ts'
export { createEventLog, type Appending, type EventLog } from './event-log.ts'
export type { Touched } from './projections/index.ts'
export { sessionReader } from './projections/alerts.ts'
export { newestVersion } from './migrations/index.ts'
export * from './queries/index.ts'
export { setting } from './setting.ts'
