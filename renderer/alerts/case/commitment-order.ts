import type { Commitment } from '../../../shared/alerts.ts'

/** Whether it should have been done by now (UTC milliseconds). */
export function isOverdue({ met, due_at }: Pick<Commitment, 'met' | 'due_at'>, now: number): boolean {
  return met === null && due_at !== null && due_at <= now
}

/** Open ones by when they are due, those without a time last; behind them what was done, the latest first. */
export function inOrder(commitments: readonly Commitment[]): Commitment[] {
  const open = commitments.filter(({ met }) => met === null)
  const met = commitments.filter((commitment) => commitment.met !== null)
  return [
    ...open.toSorted((a, b) => (a.due_at ?? Infinity) - (b.due_at ?? Infinity) || 0),
    ...met.toSorted((a, b) => (b.met?.at ?? 0) - (a.met?.at ?? 0)),
  ]
}
