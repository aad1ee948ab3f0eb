import { tierRank } from '../../shared/risk.ts'
import type { AlertRow } from '../../shared/views.ts'

/** Whether an alert nobody holds should take the place of what merely happened to be shown. */
export function isMoreUrgent(top: AlertRow, shown: AlertRow, me: string): boolean {
  if (top.key === shown.key || top.state !== 'open' || shown.owner?.id === me) return false
  return shown.state !== 'open' || tierRank(top.tier) > tierRank(shown.tier)
}
