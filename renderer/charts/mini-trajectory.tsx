import { days } from '../../shared/time.ts'
import type { Trajectory } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { ErrorNotice, useQuery, useSubscription } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { TrajectoryPlot } from './trajectory-plot.tsx'

const text = words.charts.trajectory
const mostPoints = 120
const height = 120

/** The student's last 7 days in a small place, live. */
export function MiniTrajectory({ student_hash }: { student_hash: string }) {
  const answer = useQuery<Trajectory>(['mini-trajectory', student_hash], () =>
    trpc.students.trajectory.query({ student_hash, from: Date.now() - days(7), points: mostPoints }),
  )
  useSubscription<{ at: number }>(
    (on) => trpc.students.changes.subscribe({ student_hash }, on),
    () => answer.refetch(),
    [student_hash],
  )
  const trajectory = answer.data
  if (!trajectory)
    return answer.error ? (
      <ErrorNotice error={answer.error} onRetry={answer.refetch} />
    ) : (
      <p className="text-ink-faint">{words.charts.loading}</p>
    )
  return (
    <figure aria-label={text.mini}>
      {trajectory.points.length === 0 ? (
        <p className="text-ink-faint">{text.emptyMini}</p>
      ) : (
        <TrajectoryPlot trajectory={trajectory} height={height} small />
      )}
    </figure>
  )
}
