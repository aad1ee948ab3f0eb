import { describe, expect, it } from 'vitest'
import { roles } from '../../shared/people.ts'
import { may, permissions, type Permission } from '../../shared/permissions.ts'

/** The table of the specification, in its own words and written out again: who may what is changed in both places. */
const everybody = ['COUNSELOR', 'CLINICIAN', 'ADMIN']
const table: Record<Permission, string[]> = {
  'alerts.see': everybody,
  'alerts.act': everybody,
  'evidence.reveal': ['COUNSELOR', 'CLINICIAN'],
  'transcript.read': ['COUNSELOR', 'CLINICIAN'],
  'students.see': ['COUNSELOR', 'CLINICIAN'],
  'student_records.keep': ['COUNSELOR', 'CLINICIAN'],
  'quarantine.see': everybody,
  'quarantine.act': everybody,
  'overview.see': everybody,
  'roster.manage': ['ADMIN'],
  'detection.manage': ['CLINICIAN', 'ADMIN'],
  'settings.see': everybody,
  'school.name': everybody,
  'accounts.manage': ['ADMIN'],
  'account.own': everybody,
  'desk.manage': ['ADMIN'],
  'directory.see': everybody,
  'directory.manage': ['ADMIN'],
  'strip.see': everybody,
}

describe('who may what', () => {
  it.each(Object.keys(permissions) as Permission[])('%s', (permission) => {
    expect(roles.filter((role) => may(role, permission)).sort()).toEqual(table[permission].toSorted())
  })
})
