/** A chat's side of the REST API: the calls, and which intake they go to. */
export { CallFailed } from './call-failed.ts'
export { intakeClient, type IntakeClient } from './client.ts'
export { findTarget, targetUsage, type Target } from './target.ts'
