import type { SessionRow } from '../../shared/views.ts'
import { words } from '../words/index.ts'

const text = words.sessions

/** Whether the conversation is over; one that raised an alert may still go on. */
export function hasEnded({ status, ended_at }: Pick<SessionRow, 'status' | 'ended_at'>): boolean {
  return status === 'ended' || ended_at !== null
}

/** “In progress”, “Ended”, or “Escalated, in progress”: the list, the header, and the summary say the same. */
export function sessionState(row: Pick<SessionRow, 'status' | 'ended_at'>): string {
  const now = hasEnded(row) ? 'ended' : 'active'
  return row.status === 'escalated' ? text.escalated[now] : text.status[now]
}
