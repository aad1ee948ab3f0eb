/** What is kept about a student beyond any one alert, wherever it is shown: safety plan and follow-ups. */
export { markStepDoneBy } from './done-step.ts'
export { FollowUps } from './follow-ups.tsx'
export { MoveDialog } from './move-dialog.tsx'
export { keyOf, markDone, type Promised } from './promised.ts'
export { focusRow, PromisedRow, SettledText } from './promised-row.tsx'
export { SafetyPlanPanel } from './safety-plan.tsx'
export { AboutStudent } from './about-student.tsx'
export { useSettled, type Settled } from './use-settled.ts'
