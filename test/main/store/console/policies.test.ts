import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  assignmentsToSend,
  countAssignmentsToSend,
  giveCaseload,
  markAssignmentsSent,
  savePerson,
  saveRoster,
  sealedPolicies,
} from '../../../../main/store/console/index.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { hashOf, noon, school } from '../../../support/wire.ts'

const policyChanged = (at: OpenRecord, version: number, saved = noon + version) => ({
  schema_version: 2,
  event_type: 'POLICY_CHANGED',
  idempotency_key: `policy-${school}-${version}`,
  school_id: school,
  timestamp: new Date(saved).toISOString(),
  version,
  changed_by: `admin-${version}`,
  sealed: at.key.seal(`policy ${version} of ${saved}`),
})
const shown = (at: OpenRecord) =>
  [...sealedPolicies(at.db, school)].map(({ version, changed_by, changed_at, sealed }) => {
    expect(at.key.open(sealed)).toBe(`policy ${version} of ${changed_at}`)
    return [version, changed_by, changed_at]
  })

it('has what was saved last first, in whatever order and how often it came', () => {
  const at = openRecord()
  expect(shown(at)).toEqual([])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }), (versions) => {
      const told = openRecord()
      const bodies = new Map(versions.map((version) => [version, policyChanged(told, version)]))
      for (const version of versions) told.append(bodies.get(version))
      const newestFirst = [...new Set(versions)].sort((a, b) => b - a)
      expect(shown(told)).toEqual(newestFirst.map((version) => [version, `admin-${version}`, noon + version]))
      told.close()
    }),
    { numRuns: 15 },
  )
  at.close()
})

it('follows a station that was restored from a copy and counts on from a lower version', () => {
  const at = openRecord()
  const before = [7, 8, 9].map((version) => policyChanged(at, version))
  for (const each of before) at.append(each)
  at.append(policyChanged(at, 8, noon + 60_000))
  // What was told before is told again.
  for (const each of before) at.append(each)
  expect(shown(at)[0]).toEqual([8, 'admin-8', noon + 60_000])
  at.append(policyChanged(at, 9, noon + 90_000))
  expect(shown(at)[0]).toEqual([9, 'admin-9', noon + 90_000])
  at.close()
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
  expect(shown(at)).toHaveLength(1)
  at.close()
})

it('knows whose counselor the station is still to be told of, until it was, and again where that changes', () => {
  const at = openRecord()
  const { db } = at
  savePerson(db, marlow, noon)
  savePerson(db, osei, noon)
  const row = (id: string, counselor: string, counselor_id: string | null) => ({
    ...{
      student_id: id,
      name: id,
      grade: '',
      class: '',
      guardian_contact: '',
      guardians: [],
      student_hash: hashOf(id),
    },
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
