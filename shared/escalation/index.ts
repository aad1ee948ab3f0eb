/** Who is on call, and whom the escalation ladder tells when. */
export { instantOf, isSchoolTime, onDuty, wallAt } from './shifts.ts'
export { ladderOf, whoIsTold, type NotTold, type Told } from './who-is-told.ts'
export { shiftsBetween, type Shift } from './week.ts'
export { coverageNow, ladderRun, toldFrom, type Assigned, type ComingRung } from './coverage.ts'
export type { Ways } from './ways.ts'
export { gapsInOnCall, gapsOpened } from './gaps.ts'
