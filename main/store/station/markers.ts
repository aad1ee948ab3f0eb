/** Rows of the clinical markers that were heard from each student. */
import type { Marker } from '../../../shared/estimates.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'
import type { StoredMessage } from './messages.ts'

/** Keeps the markers of a student's message, one of each type. */
export function insertMarkers(
  db: Database,
  { school_id, session_id, message_id, said_at, assessment }: StoredMessage,
  studentHash: string,
): void {
  const insert = prepared(
    db,
    `INSERT OR IGNORE INTO markers (school_id, session_id, message_id, marker_type, student_hash, confidence, said_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { marker_type, confidence } of assessment?.markers ?? [])
    insert.run(school_id, session_id, message_id, marker_type, studentHash, confidence, said_at)
}

export type PastMarker = Pick<Marker, 'marker_type' | 'confidence'> & { at: number }

/** A student's markers said after `from` and not after `to`, oldest first. */
export function markersOf(
  db: Database,
  { school_id, student_hash }: { school_id: string; student_hash: string },
  from: number,
  to: number,
): PastMarker[] {
  return prepared(
    db,
    `SELECT marker_type, confidence, said_at AS at FROM markers
     WHERE school_id = ? AND student_hash = ? AND said_at > ? AND said_at <= ? ORDER BY said_at`,
  ).all(school_id, student_hash, from, to) as PastMarker[]
}
