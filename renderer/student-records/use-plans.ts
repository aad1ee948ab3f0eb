import type { SafetyPlanVersion } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { queryClient, useQuery, useSubscription, type Answer } from '../controls/index.ts'

/** Every saved version of a student’s safety plan, newest first, as they are saved. */
export function usePlans(student_hash: string): Answer<SafetyPlanVersion[]> {
  useSubscription<{ at: number }>(
    (on) => trpc.studentRecords.changes.subscribe(undefined, on),
    () => void queryClient.invalidateQueries({ queryKey: ['safety-plans', student_hash] }),
    [student_hash],
  )
  return useQuery<SafetyPlanVersion[]>(['safety-plans', student_hash], () =>
    trpc.studentRecords.safetyPlans.query({ student_hash }),
  )
}

/** Under which names what is typed of a student’s plan is kept. */
export const draftName = (student_hash: string): string => `safety plan ${student_hash}`
