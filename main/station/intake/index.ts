export {
  createIntake,
  type IncomingMessage,
  type Intake,
  type IntakeOptions,
  type Sender,
  type SessionDetail,
} from './intake.ts'
export { buildIntakeServer, serveIntake, type ServeOptions } from './server.ts'
export { parseApiKeys, type ApiKey, type Scope } from './api-keys.ts'
export { readIntakeSettings, type IntakeSettings } from './settings.ts'
export { Refusal, type ReceiveResult } from '../sessions/index.ts'
