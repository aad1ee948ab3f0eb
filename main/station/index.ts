/** The half beside the chat: takes messages in, assesses them, keeps sessions and publishes events. */
export { startStation, type Station, type StationOptions } from './compose.ts'
export {
  parseApiKeys,
  readIntakeSettings,
  type IntakeSettings,
  type MessageSender,
  type SchoolIntake,
} from './intake/index.ts'
