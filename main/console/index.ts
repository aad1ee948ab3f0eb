/** The half on a person's machine. */
export { startConsole, type RunningConsole } from './compose.ts'
