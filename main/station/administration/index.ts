/** Calls about the station itself: of the people of its schools, and of whoever runs it. */
export { admitting, callerIn, type Administration, type Admitting, type SignedIn } from './admitting.ts'
