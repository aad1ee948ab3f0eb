/** The console's cache: event log, projections, what screens ask of them. */
export * from '../index.ts'
export { createEventLog, type Appending, type EventLog } from './event-log.ts'
export type { Touched } from './projections/index.ts'
export { newestVersion, type Migration } from '../migrate.ts'
export * from './queries/index.ts'
export { keepSchool, storedSchool } from './school.ts'
export { setting } from './setting.ts'
