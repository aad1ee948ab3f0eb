import type { Commitment } from '../../../shared/alerts.ts'
import { defaultNextAction } from '../../../shared/thresholds.ts'
import type { AlertDetail, FollowUp, StepView } from '../../../shared/views.ts'

/** Steps that the school requires before an alert is resolved, and nobody has done. */
export function stepsLeft({ steps }: Pick<AlertDetail, 'steps'>): StepView[] {
  return steps.filter(({ required, done }) => required && done === null)
}

/** What outlives resolving: whose day it stays in, until when. */
export interface StaysOpen {
  id: string
  what: string
  due_at: number | null
  owner: { id: string; name: string }
}

/** Commitments that nobody met, but for the plan that every acknowledgement has, and the student’s follow-ups. */
export function staysOpen(commitments: readonly Commitment[], followUps: readonly FollowUp[]): StaysOpen[] {
  const promised = commitments.filter(({ met, plan, what }) => met === null && !(plan && what === defaultNextAction))
  return [
    ...promised.map(({ id, what, due_at, owner }) => ({ id, what, due_at, owner })),
    ...followUps.map(({ id, what, due_at, owner }) => ({ id, what: what ?? '', due_at, owner })),
  ].toSorted((a, b) => (a.due_at ?? Infinity) - (b.due_at ?? Infinity) || 0)
}
