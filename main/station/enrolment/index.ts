/** The consoles of this station's schools: announced, approved, and given the school's key. */
export { consoleRoutes } from './console-routes.ts'
export { createEnrolment, type Enrolment, type Refusal } from './enrolment.ts'
