export { appendAudit, verifyAudit, type AuditEntry } from './chain.ts'
