export { openDatabase, isDiskError, diskFull, type Database } from './open.ts'
export { openKeys, keystoreExists, keystorePath, type Keys } from './keystore.ts'
export { evidenceKey, type EvidenceKey } from './envelope.ts'
