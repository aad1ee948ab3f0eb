/** The half on a person's machine. */
export { openConsole, startConsole, type OpenedConsole } from './compose.ts'
export { runStartup, type RunningConsole } from './startup.ts'
