export { schoolIntake, type MessageSender, type SchoolIntake } from './intake.ts'
export { buildIntakeServer, serveIntake, type Reach, type ServerOptions } from './server.ts'
export { parseApiKeys, withSchool } from './api-keys.ts'
export { readIntakeSettings, type IntakeSettings } from './settings.ts'
