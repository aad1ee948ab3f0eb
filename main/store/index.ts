/** What both halves share of their databases: opening, keys, migrations, statements, outbox rows. */
export { freshDemonstrationDir, isDataDirLocked, lockDataDir } from './data-lock.ts'
export { waitForDisk, isDiskError, diskFull, type Database } from './open.ts'
export { openKeys, keystoreExists, keystorePath, type Keys } from './keystore.ts'

export type { Outbox, WaitingMessage } from './outbox.ts'
