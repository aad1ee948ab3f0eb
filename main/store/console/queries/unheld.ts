import type { AlertRow } from '../../../../shared/views.ts'
import type { Database } from '../../open.ts'
import { inboxPage, type InboxQuery } from './alerts.ts'

/** As many are asked for as anybody could hear of. */
const most = { offset: 0, limit: 200 }

/**
 * Alerts that wait for somebody, in the order of the inbox: those nobody holds, and those handed to this person
 * and not accepted yet. What was only told of a past waits for nobody, unless it was opened again.
 */
export function unheldAlerts(db: Database, of: Pick<InboxQuery, 'school' | 'person' | 'now'>): AlertRow[] {
  const rowsOf = (filter: 'open' | 'mine') =>
    inboxPage(db, { ...of, ...most, filter }).rows.flatMap((row) => (row.kind === 'alert' ? [row] : []))
  const nobodys = rowsOf('open').filter((row) => row.state === 'open')
  const handed = rowsOf('mine').filter((row) => row.state !== 'open' && row.hand_off_to?.id === of.person)
  return [...nobodys.filter((row) => !row.only_past), ...handed].map(({ kind: _kind, ...row }) => row)
}
