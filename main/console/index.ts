/** The half on a person's machine. */
export { openConsole, startConsole, type ConsoleOptions, type OpenedConsole } from './compose.ts'
export {
  importRoster,
  importTimetable,
  keepIntakePort,
  keptIntakePort,
  makeDesk,
  replyInCrisis,
  setUpDefaults,
  type MadeDesk,
} from './identity/index.ts'
export { stationHere } from './policy/index.ts'
export type { OwnStation, SetUp } from './router/index.ts'
export { waitForDisk } from '../store/console/index.ts'
export { runStartup, unlock, waitForSetUp, type RunningConsole } from './startup.ts'
