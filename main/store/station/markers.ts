/** Rows of the clinical markers that were heard from each student. */
import type { Marker } from '../../../shared/estimates.ts'
import type { StoredMessage } from './messages.ts'
import { template } from './template.ts'
import type { Unit } from './tables.ts'

/** Keeps the markers of a student's message, one of each type. */
export async function insertMarkers(
  unit: Unit,
  { school_id, session_id, message_id, said_at, assessment }: StoredMessage,
  studentHash: string,
): Promise<void> {
  const markers = assessment?.markers ?? []
  if (markers.length === 0) return
  await unit
    .insertInto('markers')
    .values(
      markers.map(({ marker_type, confidence }) => ({
        ...{ school_id, session_id, message_id, marker_type, confidence, said_at },
        student_hash: studentHash,
      })),
    )
    .onConflict((conflict) => conflict.columns(['school_id', 'session_id', 'message_id', 'marker_type']).doNothing())
    .execute()
}

export type PastMarker = Pick<Marker, 'marker_type' | 'confidence'> & { at: number }

/** A student's markers said after `from` and not after `to`, oldest first. */
export async function markersOf(
  unit: Unit,
  { school_id, student_hash }: { school_id: string; student_hash: string },
  from: number,
  to: number,
): Promise<PastMarker[]> {
  return (await said(unit, { school_id, student_hash, from, to })) as PastMarker[]
}

const said = template<{ school_id: string; student_hash: string; from: number; to: number }, object>((unit, value) =>
  unit
    .selectFrom('markers')
    .select(['marker_type', 'confidence', 'said_at as at'])
    .where('school_id', '=', value('school_id'))
    .where('student_hash', '=', value('student_hash'))
    .where('said_at', '>', value('from'))
    .where('said_at', '<=', value('to'))
    .orderBy('said_at'),
)
