/** This console's own keys, and how its school comes to trust them. */
export { consoleKeys, type ConsoleKeys } from './console-keys.ts'
export { startEnrolment, type Enrolment } from './enrolment.ts'
export { keyRing, schoolKey, schoolKeysInOrder } from './key-ring.ts'
