/** Whose an event is, and what happens when that becomes known later. */
import type { AlertActionEvent, LoggedEvent } from '../../../shared/events.ts'
import type { SeenSchool } from '../../../shared/views.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'
import type { Appending } from './event-log.ts'
import type { OfSession } from './projections/alert-rows.ts'
import { sessionReader } from './projections/kept-reductions.ts'

/**
 * The school of an event, settled at its commit: its own; else, of an action, that of the triggers it covers;
 * else the only roster that knows its student; else the school of this console ('' until it is named); else
 * '', unknown.
 */
export function schoolOf(db: Database, event: LoggedEvent, ownSchool: string): string {
  if (event.school_id !== undefined) return event.school_id
  const ofTriggers = event.event_type === 'ALERT_ACTION' ? schoolOfTriggers(db, event) : null
  return ofTriggers ?? ('student_hash' in event ? schoolByRoster(db, event.student_hash) : null) ?? ownSchool
}

/** The school under which the triggers of an action are stored; null where none is, or they are of several. */
function schoolOfTriggers(db: Database, { session_id, covers, trigger_ids }: AlertActionEvent): string | null {
  const schools = prepared(
    db,
    `SELECT DISTINCT triggers.school_id FROM alerts
       JOIN triggers ON triggers.school_id = alerts.school_id AND triggers.session_id = alerts.session_id
     WHERE alerts.session_id = @session_id
       AND ${trigger_ids ? 'triggers.id' : 'triggers.idempotency_key'} IN (SELECT value FROM json_each(@covered)) LIMIT 2`,
  )
    .pluck()
    .all({ session_id, covered: JSON.stringify(trigger_ids ?? covers) }) as string[]
  return schools.length === 1 ? (schools[0] ?? null) : null
}

/** The school of the only roster that knows a student; null where none does, or more than one. */
function schoolByRoster(db: Database, studentHash: string): string | null {
  const schools = prepared(db, `SELECT school_id FROM roster WHERE student_hash = ? AND school_id <> '' LIMIT 2`)
    .pluck()
    .all(studentHash) as string[]
  return schools.length === 1 ? (schools[0] ?? null) : null
}

/**
 * Notes for the log, one per student, of schools that have become known since their events came: by a roster,
 * or because this console's own school was named. None where nothing became known.
 */
export function schoolsResolved(db: Database, ownSchool: string, now: number): Appending[] {
  const unknown = db
    .prepare(
      `SELECT student_hash, max(seq) AS seq FROM events
       WHERE school_id = '' AND student_hash IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM events AS resolved WHERE resolved.event_type = 'SCHOOL_RESOLVED'
           AND resolved.student_hash = events.student_hash AND resolved.seq > events.seq)
       GROUP BY student_hash`,
    )
    .all() as { student_hash: string; seq: number }[]
  return unknown.flatMap(({ student_hash, seq }): Appending[] => {
    const school_id = schoolByRoster(db, student_hash) ?? ownSchool
    if (school_id === '') return []
    const idempotency_key = `school-resolved:${student_hash}:${seq}`
    return [
      {
        event: { event_type: 'SCHOOL_RESOLVED', idempotency_key, timestamp: now, student_hash, school_id },
        school_id,
        identity: idempotency_key,
        origin: 'console',
        received_at: now,
      },
    ]
  })
}

/** The schools whose students are stored here, the busiest first. */
export function seenSchools(db: Database): SeenSchool[] {
  return db
    .prepare(
      `SELECT school_id, count(*) AS students, max(last_message_at) AS last_message_at,
         (SELECT count(*) FROM alerts WHERE alerts.school_id = students.school_id AND state <> 'resolved') AS open_alerts
       FROM students WHERE school_id <> '' GROUP BY school_id ORDER BY open_alerts DESC, students DESC, school_id`,
    )
    .all() as SeenSchool[]
}

/** A logged event that opened, or joined, an alert of another school that nobody has resolved. */
export interface ForeignTrigger {
  identity: string
  received_at: number
  tier: 'high' | 'crisis'
  /** The logged event as JSON; null where retention erased it. */
  body: string | null
}

/** What stands behind the unresolved alerts of every school but this one, and has no entry in the quarantine. */
export function foreignTriggers(db: Database, ownSchool: string): ForeignTrigger[] {
  // The schools before the own one and those after it: its own alerts are not read at all.
  const of = (schools: string) =>
    `SELECT school_id, session_id FROM alerts INDEXED BY alerts_unresolved
     WHERE state <> 'resolved' AND ${schools} AND EXISTS (
       SELECT 1 FROM triggers WHERE triggers.school_id = alerts.school_id AND triggers.session_id = alerts.session_id
         AND NOT EXISTS (SELECT 1 FROM quarantine WHERE digest = triggers.id))`
  const sessions = db
    .prepare(
      `${of(`school_id > '' AND school_id < @own`)} UNION ${of('school_id > @own')} ORDER BY school_id, session_id`,
    )
    .all({ own: ownSchool }) as OfSession[]
  const read = sessionReader(db)
  const body = db.prepare('SELECT body FROM events WHERE identity = ?').pluck()
  const isShown = db.prepare('SELECT 1 FROM quarantine WHERE digest = ?').pluck()
  return sessions
    .flatMap((of) => read(of).alerts())
    .filter(({ state }) => state !== 'resolved')
    .flatMap(({ triggers }) => triggers)
    .filter(({ id }) => isShown.get(id) === undefined)
    .map(({ id, received_at, tier }) => ({
      identity: id,
      received_at,
      tier,
      body: (body.get(id) as string | null | undefined) ?? null,
    }))
}
