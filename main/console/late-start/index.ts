export { createLateStart, type LateStart } from './late-start.ts'
