/** What both halves share of their databases: opening, keys, migrations, statements, outbox rows. */
export { freshDemonstrationDir, isDataDirLocked, lockDataDir } from './data-lock.ts'
export { waitForDisk, isDiskError, diskFull, type Database } from './open.ts'
export { openKeys, keystoreExists, keystorePath, keystoreProvider, type Keys } from './keystore.ts'
export { beginSetUp, finishSetUp, refuseTaken, settleSetUp } from './set-up-files.ts'

export { enqueue, countWaiting, markFailed, markSent, nextDue, nextToSend, tryAtOnce } from './outbox.ts'
export type { OutboxMessage, WaitingMessage } from './outbox.ts'
