import type { LoggedEvent } from '../../../../shared/events.ts'
import type { Database } from '../../open.ts'
import type { Logged } from './projection.ts'

/** An event of this name is of an unknown school still, at some place (@seq) of the log. */
const stillUnknown = (event: string) => `${event}.school_id = '' AND ${event}.seq < @seq AND NOT EXISTS (
  SELECT 1 FROM events AS resolved WHERE resolved.event_type = 'SCHOOL_RESOLVED'
    AND resolved.student_hash = ${event}.student_hash AND resolved.seq > ${event}.seq AND resolved.seq < @seq)`

/**
 * What the log holds of a student's events of unknown school before a place in it, in order. Sessions that
 * two students share, by mistake of a sender, share rows: then the other student's events come along.
 */
export function unknownOf(
  db: Database,
): (
  studentHash: string,
  seq: number,
) => { students: string[]; sessions: string[]; events: (Logged & { student_hash: string })[] } {
  const sessionsOf = db
    .prepare(
      `SELECT DISTINCT session_id FROM events AS own
       WHERE student_hash = @student_hash AND session_id IS NOT NULL AND ${stillUnknown('own')}`,
    )
    .pluck()
  const studentsOf = db
    .prepare(
      `SELECT DISTINCT student_hash FROM events AS other
       WHERE session_id = @session_id AND student_hash IS NOT NULL AND ${stillUnknown('other')}`,
    )
    .pluck()
  /** The student, and all who share sessions with them, however far round. */
  const reach = (student_hash: string, seq: number): string[] => {
    const reached = new Set([student_hash])
    const sessions = new Set<string>()
    // What is added while it is walked is walked too.
    for (const student of reached) {
      for (const session_id of sessionsOf.all({ student_hash: student, seq }) as string[]) {
        if (sessions.has(session_id)) continue
        sessions.add(session_id)
        for (const other of studentsOf.all({ session_id, seq }) as string[]) reached.add(other)
      }
    }
    return [...reached]
  }
  const events = db.prepare(
    `SELECT seq, identity, origin, received_at, school_id, student_hash, session_id, body FROM events
     WHERE student_hash IN (SELECT value FROM json_each(@students)) AND ${stillUnknown('events')} ORDER BY seq`,
  )
  return (student_hash, seq) => {
    const reached = reach(student_hash, seq)
    const rows = events.all({ students: JSON.stringify(reached), seq }) as UnknownRow[]
    return {
      students: reached,
      sessions: [...new Set(rows.flatMap(({ session_id }) => session_id ?? []))],
      events: rows.flatMap(({ body, session_id: _session, ...row }) =>
        body === null ? [] : [{ ...row, event: JSON.parse(body) as LoggedEvent }],
      ),
    }
  }
}

type UnknownRow = Omit<Logged, 'event'> & { student_hash: string; session_id: string | null; body: string | null }
