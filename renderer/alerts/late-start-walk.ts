/**
 * The way through what came while the console was off: one open alert after the other, crises first. Pure. What was
 * gone through stays where it was, and what comes meanwhile only ever stands ahead.
 */
import { tierRank } from '../../shared/risk.ts'
import type { LateStartAlert } from '../../shared/views.ts'

export interface Walk {
  /** Keys of the alerts that were before the person, in that order. */
  visited: readonly string[]
  /** Which of them is before the person now; −1 = none yet, their number = past the last. */
  at: number
}

export const notBegun: Walk = { visited: [], at: -1 }

/** The open alerts that were not gone through: crises first, in each tier who waits longest. */
export function ahead({ visited }: Walk, late: readonly LateStartAlert[]): LateStartAlert[] {
  const known = new Set(visited)
  return late
    .filter(({ alert }) => alert.state === 'open' && !known.has(alert.key))
    .toSorted((a, b) => tierRank(b.alert.tier) - tierRank(a.alert.tier) || a.raised_at - b.raised_at)
}

/** The alert before the person; null before the first and after the last. */
export function current({ visited, at }: Walk): string | null {
  return visited[at] ?? null
}

/** Whether the person is past the last one that they went through. */
export function isPastLast({ visited, at }: Walk): boolean {
  return at >= visited.length
}

/** One step on: to one gone through before, else to the most urgent ahead, else past the last. */
export function next(walk: Walk, late: readonly LateStartAlert[]): Walk {
  const { visited, at } = walk
  if (at < visited.length - 1) return { visited, at: at + 1 }
  const [first] = ahead(walk, late)
  return first ? { visited: [...visited, first.alert.key], at: visited.length } : { visited, at: visited.length }
}

/** One step back; before the first there is nothing. */
export function previous({ visited, at }: Walk): Walk {
  return { visited, at: Math.max(visited.length > 0 ? 0 : -1, at - 1) }
}

/** What became of all of it, as `me` sees it. */
export function outcome(late: readonly LateStartAlert[], me: string) {
  const count = (is: (alert: LateStartAlert['alert']) => boolean) => late.filter(({ alert }) => is(alert)).length
  const held = ({ state }: LateStartAlert['alert']) => state === 'acknowledged'
  return {
    mine: count((alert) => held(alert) && alert.owner?.id === me),
    others: count((alert) => held(alert) && alert.owner?.id !== me),
    resolved: count(({ state }) => state === 'resolved'),
    open: count(({ state }) => state === 'open'),
  }
}
