/** The order of the inbox, for rows that are put into a list already read; the same as the query of the inbox (main/store/console/queries/alerts.ts) gives. */
import { tierRank } from './risk.ts'
import type { AlertRow } from './views.ts'

/** What of an alert decides its place. */
export type Ranked = Pick<AlertRow, 'key' | 'tier' | 'state' | 'last_trigger_at'>

const stateRank: Record<AlertRow['state'], number> = { open: 0, acknowledged: 1, resolved: 2 }

/** Below 0 when `a` stands above `b`: resolved last, then severity, then what nobody holds, then the newest. */
export function compareInbox(a: Ranked, b: Ranked): number {
  return (
    Number(a.state === 'resolved') - Number(b.state === 'resolved') ||
    tierRank(b.tier) - tierRank(a.tier) ||
    stateRank[a.state] - stateRank[b.state] ||
    b.last_trigger_at - a.last_trigger_at ||
    // Keys are hex digits: their code units compare as the database's bytes do.
    (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  )
}
