/** A trajectory as a chart draws it and as a table says it. */
import { tierRank } from '../../shared/risk.ts'
import type { Trajectory, TrajectoryMark, TrajectoryPoint } from '../../shared/views.ts'

/**
 * The points of each session, in order of time. Nothing is known of the time between two
 * conversations, so only points of one session are joined by a solid line.
 */
export function sessionRuns(points: readonly TrajectoryPoint[]): TrajectoryPoint[][] {
  const runs: TrajectoryPoint[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    if (run && run[0]?.session_id === point.session_id) run.push(point)
    else runs.push([point])
  }
  return runs
}

/** One thing in the table of a trajectory: a message or something people or the alarm did. */
export type TrajectoryEntry =
  { at: number; point: TrajectoryPoint; mark: null } | { at: number; point: null; mark: TrajectoryMark }

/** Messages and marks in order of time, newest first; at the same instant the message stands below its alert. */
export function trajectoryEntries(trajectory: Trajectory): TrajectoryEntry[] {
  const points = trajectory.points.map((point): TrajectoryEntry => ({ at: point.at, point, mark: null }))
  const marks = trajectory.marks.map((mark): TrajectoryEntry => ({ at: mark.at, point: null, mark }))
  return [...points, ...marks].sort((a, b) => b.at - a.at || Number(b.mark !== null) - Number(a.mark !== null))
}

/** Marks that would cover each other are gathered: at most one per kind within `apart` milliseconds. */
export function gatherMarks(marks: readonly TrajectoryMark[], apart: number): (TrajectoryMark & { count: number })[] {
  const gathered: (TrajectoryMark & { count: number })[] = []
  const last = new Map<string, TrajectoryMark & { count: number }>()
  for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
    const near = last.get(mark.kind)
    if (near && mark.at - near.at < apart) {
      near.count += 1
      if (tierRank(mark.tier) > tierRank(near.tier)) near.tier = mark.tier
      continue
    }
    const own = { ...mark, count: 1 }
    last.set(mark.kind, own)
    gathered.push(own)
  }
  return gathered
}

/** The range after a drag, kept inside [from, to] and at least a minute wide; null for a mere click. */
export function draggedRange(
  start: number,
  end: number,
  within: { from: number; to: number },
): { from: number; to: number } | null {
  const from = Math.max(Math.min(start, end), within.from)
  const to = Math.min(Math.max(start, end), within.to)
  if (to - from < (within.to - within.from) / 100) return null
  if (to - from >= 60_000) return { from, to }
  const middle = (from + to) / 2
  return { from: middle - 30_000, to: middle + 30_000 }
}
