export { readBody, type Reading, type QuarantineReason } from './envelope.ts'
export { startConsumer, type Consumer, type ConnectionState } from './consumer.ts'
export { createCommitter, type Committer, type Received } from './committer.ts'
export { retryQuarantined } from './quarantine.ts'
