export { schoolIntake, type MessageSender, type SchoolIntake } from './intake.ts'
export { buildIntakeServer, serveIntake, type ServerOptions } from './server.ts'
export { parseApiKeys, withSchool, type SchoolKey, type Scope } from './api-keys.ts'
export { readIntakeSettings, type IntakeSettings } from './settings.ts'
