/** Who is on call, and whom the escalation ladder tells when. */
export { instantOf, isAway, isSchoolTime, onDuty, wallAt, type Shift } from './shifts.ts'
export { hasWay, ladderAt, ladderOf, whoIsTold, type NotTold, type ResolvedRung, type Told } from './who-is-told.ts'
