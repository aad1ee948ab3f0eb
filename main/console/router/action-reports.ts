import { whatBecame } from '../../../shared/outcome-of-action.ts'
import type { ActionReportView } from '../../../shared/views.ts'
import { alertRow, markActionReportsRead, unreadActionReports } from '../../store/console/index.ts'
import type { Caller } from './context.ts'

/** What became of what the caller did here, of alerts that they may see, oldest first. */
export function reportsFor({ parts, person }: Caller): ActionReportView[] {
  const { db, lifecycle } = parts
  return unreadActionReports(db, person.id).flatMap(({ action_id, alert_key, became, waited }) => {
    const alert = lifecycle.find(alert_key)
    const row = alert && alertRow(db, person.school_id, alert.key)
    const entry = alert?.history.find(({ action }) => action.id === action_id)
    if (!alert || !row || !entry) return []
    const now = whatBecame(alert, action_id) ?? ({ kind: 'counts' } as const)
    // A station refuses it under another id: this one stands as it was recorded here.
    const refused = alert.history.find(
      ({ action }) => action.refused !== undefined && action.by === entry.action.by && action.at === entry.action.at,
    )
    const { action: kind, at } = entry.action
    return {
      ...{ action_id, kind, at, waited, alert: row },
      became: became === 'refused' ? { kind: 'refused', why: refused?.action.refused ?? '' } : now,
    }
  })
}

/** The caller has read these of theirs. */
export function readReports({ parts, person }: Caller, ids: readonly string[]): void {
  const { db, changes, clock } = parts
  changes.commit((altered) => {
    markActionReportsRead(db, { person: person.id, ids, now: clock.now() })
    altered.add({ reported: [person.id] })
  })
}
