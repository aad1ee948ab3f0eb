import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  assignmentsToSend,
  countAssignmentsToSend,
  giveCaseload,
  markAssignmentsSent,
  savePerson,
  saveRoster,
  sealedPolicy,
} from '../../../../main/store/console/index.ts'
import { dump, marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { hashOf, noon, school } from '../../../support/wire.ts'

const policyChanged = (at: OpenRecord, version: number, more: { told?: number; text?: string } = {}) => ({
  schema_version: 2,
  event_type: 'POLICY_CHANGED',
  idempotency_key: `policy-${school}-${version}`,
  school_id: school,
  timestamp: new Date(more.told ?? noon).toISOString(),
  version,
  changed_by: `admin-${version}`,
  sealed: at.key.seal(more.text ?? `policy ${version}`),
})
const shown = (at: OpenRecord) => {
  const kept = sealedPolicy(at.db, school)
  return kept && [kept.version, kept.changed_by, kept.changed_at, at.key.open(kept.sealed)]
}

it('keeps the highest version of a school, in whatever order and how often they come; a rebuild gives the same', () => {
  const at = openRecord()
  expect(shown(at)).toBeNull()
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }), (versions) => {
      const told = openRecord()
      for (const version of versions) told.append(policyChanged(told, version))
      expect(shown(told)?.slice(0, 2)).toEqual([Math.max(...versions), `admin-${Math.max(...versions)}`])
      const before = dump(told.db)
      told.db.exec('UPDATE policies SET version = 0')
      told.eventLog.rebuild()
      expect(dump(told.db)).toEqual(before)
      told.close()
    }),
    { numRuns: 15 },
  )
  at.close()
})

it('keeps the last envelope of a version that is told again, and the time of the first', () => {
  const at = openRecord()
  const other = openRecord()
  const tellings = [
    policyChanged(at, 3, { told: noon, text: 'first envelope' }),
    policyChanged(at, 3, { told: noon + 60_000, text: 'later envelope' }),
    policyChanged(at, 2, { told: noon + 90_000 }),
  ]
  for (const telling of tellings) at.append(telling)
  for (const telling of tellings.toReversed()) other.append(telling)
  expect(shown(at)).toEqual([3, 'admin-3', noon, 'later envelope'])
  expect(dump(other.db)['policies']).toEqual(dump(at.db)['policies'])
  at.close()
  other.close()
})

it('is no news, and another school’s is set aside in sight', async () => {
  const at = openRecord()
  await at.receive(policyChanged(at, 1))
  expect(at.heard.at(-1)).toMatchObject({ policy: true, alerts: [], quarantined: { entries: 0 }, proven_at: null })
  const foreign = { ...policyChanged(at, 2), school_id: '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90' }
  await at.receive(foreign)
  expect(at.rows('SELECT reason, names_crisis FROM quarantine')).toEqual([
    { reason: 'belongs to another school', names_crisis: 0 },
  ])
  expect(at.count('policies')).toBe(1)
  at.close()
})

it('knows whose counselor the station is still to be told of, until it was, and again where that changes', () => {
  const at = openRecord()
  const { db } = at
  savePerson(db, marlow, noon)
  savePerson(db, osei, noon)
  const row = (id: string, counselor: string, counselor_id: string | null) => ({
    ...{ student_id: id, name: id, grade: '', class: '', guardian_contact: '', student_hash: hashOf(id) },
    ...{ counselor, counselor_id },
  })
  const everything = { schoolId: school, listed: [marlow.id, osei.id], limit: 10 }
  const waiting = (listed = everything.listed) =>
    Object.fromEntries(
      assignmentsToSend(db, { ...everything, listed }).map(({ student_hash, person_id }) => [student_hash, person_id]),
    )
  saveRoster(db, school, [row('1', 'Marlow', marlow.id), row('2', 'Osei', null), row('3', '', null)], noon)
  expect(waiting()).toEqual({ [hashOf('1')]: marlow.id, [hashOf('2')]: null, [hashOf('3')]: null })
  expect(Object.keys(waiting([])).sort()).toEqual([hashOf('2'), hashOf('3')].sort())
  expect(countAssignmentsToSend(db, school)).toBe(3)

  markAssignmentsSent(db, school, assignmentsToSend(db, everything))
  expect([waiting(), countAssignmentsToSend(db, school)]).toEqual([{}, 0])
  giveCaseload(db, school, 'Osei', osei.id)
  expect(waiting()).toEqual({ [hashOf('2')]: osei.id })
  // What was told meanwhile is not what stands there now.
  markAssignmentsSent(db, school, [{ student_hash: hashOf('2'), person_id: null }])
  expect(waiting()).toEqual({ [hashOf('2')]: osei.id })
  // The next file says it all again.
  saveRoster(db, school, [row('1', 'Marlow', marlow.id)], noon)
  expect(countAssignmentsToSend(db, school)).toBe(2)
  at.close()
})
