/** What somebody promised, about an alert or a student, and what can be done about it from any screen. */
import type { CommitmentDue, FollowUp } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { words } from '../words/index.ts'

export type Promised = ({ kind: 'commitment' } & CommitmentDue) | ({ kind: 'follow_up' } & FollowUp)

/** What it says; a sentence instead where its words do not open here. */
export function whatOf({ what }: Pick<Promised, 'what'>): string {
  return what || words.myDay.sealed
}

/** Takes back what was just done. */
export type Undo = () => Promise<unknown>

export function keyOf({ kind, id, ...rest }: Promised): string {
  return 'state' in rest ? `${kind} ${rest.alert_key} ${id}` : `${kind} ${id}`
}

/** It is done. */
export async function markDone(promised: Promised): Promise<Undo> {
  if (promised.kind === 'follow_up') return endFollowUp(promised, 'done')
  const { alert_key: key, id: commitment } = promised
  const { ack_id: record } = await trpc.alerts.commitmentMet.mutate({ key, commitment })
  return () => trpc.alerts.withdraw.mutate({ key, record })
}

/** It is due at another time. Of a follow-up whose words do not open here that cannot be said. */
export async function move(promised: Promised, due_at: number): Promise<Undo> {
  if (promised.kind === 'commitment') {
    const { alert_key: key, id: commitment } = promised
    const { ack_id: record } = await trpc.alerts.moveCommitment.mutate({ key, commitment, due_at })
    return () => trpc.alerts.withdraw.mutate({ key, record })
  }
  const { id: follow_up, student, what, owner, alert_key } = promised
  const { record } = await trpc.studentRecords.setFollowUp.mutate({
    student_hash: student.student_hash,
    follow_up,
    next_action: what ?? '',
    due_at,
    owner: owner.id,
    ...(alert_key !== null && { alert_key }),
  })
  return () => resume(promised, record)
}

/** Nobody has to look after it any more. */
export async function endFollowUp({ student, id }: FollowUp, outcome: 'done' | 'not needed'): Promise<Undo> {
  const of = { student_hash: student.student_hash, follow_up: id }
  const { record } = await trpc.studentRecords.endFollowUp.mutate({ ...of, outcome })
  return () => resume({ student, id }, record)
}

function resume({ student, id }: Pick<FollowUp, 'student' | 'id'>, record: string): Promise<unknown> {
  return trpc.studentRecords.resumeFollowUp.mutate({ student_hash: student.student_hash, follow_up: id, record })
}
