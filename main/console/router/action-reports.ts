import { refusalOf, whatBecame } from '../../../shared/outcome-of-action.ts'
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
    const refused = became === 'refused' ? refusalOf(alert, action_id) : null
    const { action: kind, at } = entry.action
    return {
      ...{ action_id, kind, at, waited, alert: row },
      became: refused ?? whatBecame(alert, action_id) ?? { kind: 'counts' },
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
