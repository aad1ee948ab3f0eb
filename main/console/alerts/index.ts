export { createLifecycle, type Doing, type Lifecycle } from './lifecycle.ts'
export { createDueWatch, type DueWatch } from './due-watch.ts'
export { createDeskCalls, type DeskCalls } from './desk-calls.ts'
export { createAnnouncer, type Announcer } from './announcer.ts'
