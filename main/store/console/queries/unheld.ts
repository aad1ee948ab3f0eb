import type { AlertRow } from '../../../../shared/views.ts'
import { prepared } from '../../prepared.ts'
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
  return [...nobodys.filter((row) => row.reopened !== null || isLive(db, row)), ...handed].map(
    ({ kind: _kind, ...row }) => row,
  )
}

function isLive(db: Database, row: AlertRow): boolean {
  const live = prepared(
    db,
    `SELECT 1 FROM triggers JOIN events ON events.seq = triggers.event_seq
     WHERE triggers.school_id = @school_id AND triggers.session_id = @session_id AND triggers.student_hash = @student_hash
       AND triggers.at BETWEEN @opened_at AND @last_trigger_at
       AND json_extract(events.body, '$.backfill') IS NULL`,
  )
  const { session_id, opened_at, last_trigger_at } = row
  const { school_id, student_hash } = row.student
  return live.get({ session_id, opened_at, last_trigger_at, school_id, student_hash }) !== undefined
}
