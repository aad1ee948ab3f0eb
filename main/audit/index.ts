export { entryHash, genesis, verifyChain, type AuditEntry, type ChainedEntry } from './chain.ts'
