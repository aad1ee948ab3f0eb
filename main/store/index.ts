/** What both halves share of their databases: opening, keys, migrations, statements, outbox rows. */
export { freshDemonstrationDir, isDataDirLocked, lockDataDir } from './data-lock.ts'
export { waitForDisk, storageProblem, type Database } from './open.ts'
export type { Recovery } from './recovery.ts'
export { keystorePath } from '../platform/derive-key.ts'
export {
  openKeys,
  openKeysIn,
  keystoreExists,
  keystoreProvider,
  restoreFromRecovery,
  wrapForRecovery,
  type Keys,
} from './keystore.ts'
export { beginSetUp, finishSetUp, refuseTaken, settleSetUp } from './set-up-files.ts'

export type { Outbox, WaitingMessage } from './outbox.ts'
