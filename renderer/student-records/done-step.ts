import { stepsDoneBy } from '../../shared/guide.ts'
import type { AlertDetail } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import type { Undo } from './promised.ts'

/** The alert from which something is done, with what becomes of it. */
export type GuidedAlert = Pick<AlertDetail, 'key' | 'steps' | 'state'>

/**
 * Marks the step of the school’s guide that was done by doing this, where the alert has one that nobody has done. The
 * answer takes it back; null = nothing was marked. That it could not be marked takes nothing from what was done: the
 * step still stands there to be marked.
 */
export async function markStepDoneBy(
  { key, steps, state }: GuidedAlert,
  what: keyof typeof stepsDoneBy,
): Promise<Undo | null> {
  const step = stepsDoneBy[what]
  if (state === 'resolved' || !steps.some(({ id, done }) => id === step && done === null)) return null
  try {
    const { ack_id: record } = await trpc.alerts.stepDone.mutate({ key, step })
    return () => trpc.alerts.withdraw.mutate({ key, record })
  } catch {
    return null
  }
}
