/** The half beside the chat: takes messages in, assesses them, keeps sessions and publishes events. */
export { reachMail, reachSms, reachWebhook } from './channels/index.ts'
export { startStation, type Station, type StationOptions } from './compose.ts'
export { administerKeys, type KeyAdministration } from './administer-keys.ts'
export { desktopOnly } from './escalation/index.ts'
export { createMetrics } from './metrics.ts'
export {
  listIssuedKeys,
  readIntakeSettings,
  refuseOtherSchools,
  type IntakeSettings,
  type IssuedKey,
} from './intake/index.ts'
export { openReplies, readReplyWords } from './replies/index.ts'
export { examineStationStore, openStationKeys, openStationStore } from '../store/station/index.ts'
