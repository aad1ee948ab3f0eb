import { prepared } from '../prepared.ts'
import type { Database } from '../open.ts'

/** What was done at this console about the alerts of a session, on its way to the others. Times are UTC milliseconds. */
export interface OwnAction {
  id: string
  by: string
  at: number
  action: string
  alert_key: string
  created_at: number
  sent_at: number | null
  /** When it came back; null = it has not. */
  confirmed_at: number | null
}

/** Everything that was done here about a session's alerts and is for the others too. */
export function ownActions(db: Database, of: { school_id: string; session_id: string }): OwnAction[] {
  return prepared(
    db,
    `SELECT actions.id, action ->> '$.by' AS "by", actions.at, action ->> '$.action' AS action,
       outbox.body ->> '$.alert_key' AS alert_key, outbox.created_at, outbox.sent_at, actions.confirmed_at
     FROM actions JOIN outbox ON outbox.id = actions.id
     WHERE actions.school_id = @school_id AND actions.session_id = @session_id AND actions.elsewhere = 0`,
  ).all(of) as OwnAction[]
}

/** What its author is told of one of their actions. */
export interface ActionReport {
  action_id: string
  person_id: string
  alert_key: string
  became: 'arrived' | 'changed nothing' | 'refused'
  /** It waited here before it could be sent. */
  waited: boolean
}

/** Keeps a report; what was read is unread again once something else became of it. False where it is known already. */
export function putActionReport(db: Database, report: ActionReport, now: number): boolean {
  return (
    prepared(
      db,
      `INSERT INTO action_reports (action_id, person_id, alert_key, became, waited, at)
       VALUES (@action_id, @person_id, @alert_key, @became, @waited, @now)
       ON CONFLICT (action_id) DO UPDATE SET became = excluded.became, at = excluded.at, read_at = NULL
         WHERE became <> excluded.became`,
    ).run({ ...report, waited: report.waited ? 1 : 0, now }).changes > 0
  )
}

/** There is nothing to report of an action any more; false where there was nothing. */
export function dropActionReport(db: Database, actionId: string): boolean {
  return prepared(db, 'DELETE FROM action_reports WHERE action_id = ? AND read_at IS NULL').run(actionId).changes > 0
}

/** What a person has not read yet, oldest first. */
export function unreadActionReports(db: Database, personId: string): ActionReport[] {
  const rows = prepared(
    db,
    `SELECT action_id, person_id, alert_key, became, waited FROM action_reports
     WHERE person_id = ? AND read_at IS NULL ORDER BY at, action_id`,
  ).all(personId) as (Omit<ActionReport, 'waited'> & { waited: number })[]
  return rows.map(({ waited, ...row }) => ({ ...row, waited: waited === 1 }))
}

/** A person has read these of theirs. */
export function markActionReportsRead(
  db: Database,
  { person, ids, now }: { person: string; ids: readonly string[]; now: number },
): void {
  prepared(
    db,
    `UPDATE action_reports SET read_at = @now
     WHERE person_id = @person AND read_at IS NULL AND action_id IN (SELECT value FROM json_each(@ids))`,
  ).run({ person, now, ids: JSON.stringify(ids) })
}
