/** A chat's side of the REST API: the calls, which intake they go to, and a small chat for a terminal. */
export { CallFailed } from './call-failed.ts'
export { intakeClient, type IntakeClient } from './client.ts'
export { converse, type Said } from './conversation.ts'
export { jsonScreen, terminalScreen } from './screens.ts'
export { findTarget, targetUsage, type Target } from './target.ts'
