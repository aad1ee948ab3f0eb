/** The order of the inbox, for rows that are put into a list already read; the same as the query of the inbox (main/store/console/queries/alerts.ts) gives. */
import type { Alert, AlertState } from './alerts.ts'
import { tierRank } from './risk.ts'
import type { AlertRow } from './views.ts'

export const stateRank: Record<AlertState, number> = { open: 0, acknowledged: 1, resolved: 2 }

/**
 * Where an alert stands among those of its state and tier, the lowest first: open ones by how long they wait (since they
 * were received, or opened again), held ones by their due time, those without one last, and resolved ones the newest first.
 */
export function turnOf(
  alert: Pick<Alert, 'state' | 'received_at' | 'due_at' | 'last_trigger_at'> & { reopened_at: number | null },
): number {
  if (alert.state === 'open') return alert.reopened_at ?? alert.received_at
  return alert.state === 'acknowledged' ? (alert.due_at ?? Number.MAX_SAFE_INTEGER) : -alert.last_trigger_at
}

/** What of an alert decides its place. */
export type Ranked = Pick<
  AlertRow,
  'key' | 'tier' | 'state' | 'received_at' | 'due_at' | 'last_trigger_at' | 'reopened'
>

/** Below 0 when `a` stands above `b`: what nobody holds, what is held, what is resolved; in each by severity, then by turn. */
export function compareInbox(a: Ranked, b: Ranked): number {
  return (
    stateRank[a.state] - stateRank[b.state] ||
    tierRank(b.tier) - tierRank(a.tier) ||
    turnOf({ ...a, reopened_at: a.reopened?.at ?? null }) - turnOf({ ...b, reopened_at: b.reopened?.at ?? null }) ||
    // Keys are hex digits: their code units compare as the database's bytes do.
    (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  )
}

/** Since when it waits for somebody, UTC milliseconds: since it came, or was opened again. */
export function waitsSince(row: Pick<Alert, 'received_at' | 'reopened'>): number {
  return Math.max(row.received_at, row.reopened?.at ?? 0)
}
