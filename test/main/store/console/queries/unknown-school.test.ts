import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  alertCounts,
  clinicalEvidence,
  earlierAlerts,
  inboxPage,
  sessionById,
  studentByHash,
} from '../../../../../main/store/console/index.ts'
import { openRecord, type OpenRecord } from '../../../../support/record.ts'
import { analyzed, crisis, noon, school } from '../../../../support/wire.ts'

const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
const student_hash = 'a'.repeat(64)
let at: OpenRecord
beforeEach(() => (at = openRecord({ school: '' })))
afterEach(() => at.close())

it('of two schools’ students or sessions that are called alike, a console without a school takes neither', () => {
  at.append(analyzed({ session_id: 's', student_hash }))
  expect(sessionById(at.db, '', 's')?.id).toBe('s')
  expect(studentByHash(at.db, '', student_hash, noon)?.student.school).toBe(school)
  at.append(analyzed({ session_id: 's', student_hash, school_id: otherSchool }))
  expect(sessionById(at.db, '', 's')).toBeNull()
  expect(studentByHash(at.db, '', student_hash, noon)).toBeNull()
  for (const of of [school, otherSchool]) {
    expect(sessionById(at.db, of, 's')?.student.school_id).toBe(of)
    expect(studentByHash(at.db, of, student_hash, noon)?.student.school_id).toBe(of)
  }
})

it('an alert whose school nobody knows is shown and counted at every school', () => {
  at.append(crisis({ session_id: 'whose', school_id: undefined }))
  at.append(crisis({ session_id: 'theirs', school_id: otherSchool }))
  const query = { school, person: 'p', filter: 'open', offset: 0, limit: 9, now: noon } as const
  expect(inboxPage(at.db, query)).toMatchObject({ total: 1, rows: [{ session_id: 'whose' }] })
  expect(alertCounts(at.db, school, 'p', noon)).toMatchObject({ open: 1, all: 1 })
})

it('the earlier alerts of a student are those of the same school', () => {
  at.append(crisis({ session_id: 'theirs', student_hash, school_id: otherSchool, at: noon - 1000 }))
  at.append(crisis({ session_id: 'ours', student_hash, at: noon - 500 }))
  const earlier = earlierAlerts(at.db, school, { school_id: school, student_hash }, noon, 9)
  expect(earlier.map(({ session_id }) => session_id)).toEqual(['ours'])
})

it('estimates are made of the markers of one school’s student alone', () => {
  const marked = { student_hash, markers: [{ marker_type: 'PHQ9_ITEM_2', confidence: 0.9, start: 0, end: 4 }] }
  at.append(analyzed({ ...marked, session_id: 'ours' }))
  at.append(analyzed({ ...marked, session_id: 'theirs', school_id: otherSchool }))
  expect(clinicalEvidence(at.db, { school_id: school, student_hash }, 0).markers).toHaveLength(1)
})
