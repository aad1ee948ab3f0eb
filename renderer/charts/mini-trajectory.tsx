import { trpc } from '../app/index.ts'
import { ErrorNotice, useQuery, useSubscription } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { SmallTrajectory } from './risk-trajectory.tsx'

const week = 7 * 86_400_000
const mostPoints = 120

/** The student's last 7 days in a small place, live. */
export function MiniTrajectory({ student_hash }: { student_hash: string }) {
  const answer = useQuery(['mini-trajectory', student_hash], () =>
    trpc.students.trajectory.query({ student_hash, from: Date.now() - week, points: mostPoints }),
  )
  useSubscription((on) => trpc.students.changes.subscribe({ student_hash }, on), answer.refetch, [student_hash])
  if (answer.data) return <SmallTrajectory trajectory={answer.data} />
  if (answer.error) return <ErrorNotice error={answer.error} onRetry={answer.refetch} />
  return <p className="text-ink-faint">{words.charts.loading}</p>
}
