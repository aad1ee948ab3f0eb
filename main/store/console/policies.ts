/** The directory and calendar of each school as they came, sealed; and which counselors its station is still to be told of. */
import type { ConsoleEvent, Envelope } from '../../../shared/events.ts'
import type { Assignment } from '../../../shared/policy.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

type PolicyChanged = Extract<ConsoleEvent, { event_type: 'POLICY_CHANGED' }>

export interface SealedPolicy {
  version: number
  /** UTC milliseconds. */
  changed_at: number
  /** Person id. */
  changed_by: string
  sealed: Envelope
}

/**
 * The policies of a school as they were told, the newest first. The newest is the one that was saved last: a station
 * that was restored from a copy counts its versions on from a lower one.
 */
export function* sealedPolicies(db: Database, schoolId: string): Generator<SealedPolicy> {
  const told = prepared(
    db,
    `SELECT seq FROM events INDEXED BY events_policy WHERE event_type = 'POLICY_CHANGED' AND school_id = ?
     ORDER BY at DESC, json_extract(body, '$.version') DESC, identity DESC`,
  ).pluck()
  const bodyOf = prepared(db, 'SELECT body FROM events WHERE seq = ?').pluck()
  for (const seq of told.all(schoolId)) {
    const body = bodyOf.get(seq) as string | null
    if (body === null) continue
    const { version, timestamp, changed_by, sealed } = JSON.parse(body) as PolicyChanged
    yield { version, changed_at: timestamp, changed_by, sealed }
  }
}

/** The version of a school's newest policy, and when it came (UTC ms); null = none has. It need not open here. */
export function newestPolicyHeard(db: Database, schoolId: string): { version: number; received_at: number } | null {
  const newest = prepared(
    db,
    `SELECT json_extract(body, '$.version') AS version, received_at FROM events INDEXED BY events_policy
     WHERE event_type = 'POLICY_CHANGED' AND school_id = ? AND body IS NOT NULL
     ORDER BY at DESC, json_extract(body, '$.version') DESC, identity DESC LIMIT 1`,
  )
  return (newest.get(schoolId) as { version: number; received_at: number } | undefined) ?? null
}

const unsent = 'school_id = @schoolId AND (assignment_sent = 0 OR assigned_to IS NOT counselor_id)'

/**
 * Students of a school of whose counselor its station has not been told, `limit` of them at most: those whose counselor
 * is among `listed`, the people whom the station knows, or who have none.
 */
export function assignmentsToSend(
  db: Database,
  of: { schoolId: string; listed: readonly string[]; limit: number },
): Assignment[] {
  return prepared(
    db,
    `SELECT student_hash, counselor_id AS person_id FROM roster INDEXED BY roster_unassigned
     WHERE ${unsent} AND (counselor_id IS NULL OR counselor_id IN (SELECT value FROM json_each(@listed)))
     ORDER BY student_hash LIMIT @limit`,
  ).all({ ...of, listed: JSON.stringify(of.listed) }) as Assignment[]
}

/** How many students the station is still to be told of, whoever their counselor is. */
export function countAssignmentsToSend(db: Database, schoolId: string): number {
  return prepared(db, `SELECT count(*) FROM roster INDEXED BY roster_unassigned WHERE ${unsent}`)
    .pluck()
    .get({ schoolId }) as number
}

/** The station was told this much: a student who was given to somebody else meanwhile waits on. */
export function markAssignmentsSent(db: Database, schoolId: string, sent: readonly Assignment[]): void {
  const mark = prepared(
    db,
    `UPDATE roster SET assignment_sent = 1, assigned_to = @person_id
     WHERE school_id = @schoolId AND student_hash = @student_hash`,
  )
  db.transaction(() => sent.forEach((assignment) => mark.run({ schoolId, ...assignment })))()
}
